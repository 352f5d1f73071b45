//! The user that Uphold runs as, and all accounts.

use uphold_resource::{Group, Result, User, Value};

use super::machine::{Machine, nullable};

pub(super) fn name(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.name)))
}

pub(super) fn uid(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Int(rustix::process::geteuid().as_raw().into()))
}

pub(super) fn home(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.home.display().to_string())))
}

pub(super) fn is_root(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Bool(rustix::process::geteuid().is_root()))
}

pub(super) fn users(machine: &Machine<'_>) -> Result<Value> {
    let one = |user: &User| {
        let about = Value::map([
            ("uid", Value::Int(user.uid.into())),
            ("gid", Value::Int(user.gid.into())),
            ("home", Value::from(user.home.display().to_string())),
            ("shell", Value::from(user.shell.display().to_string())),
        ]);
        (user.name.clone(), about)
    };
    Ok(Value::map(machine.accounts.users(machine.root)?.iter().map(one)))
}

pub(super) fn groups(machine: &Machine<'_>) -> Result<Value> {
    let one = |group: &Group| {
        let members = Value::list(group.members.iter().map(|name| Value::text(&**name)));
        (group.name.clone(), Value::map([("gid", Value::Int(group.gid.into())), ("members", members)]))
    };
    Ok(Value::map(machine.accounts.groups(machine.root)?.iter().map(one)))
}

/// All are secret, because any of them may hold a secret.
pub(super) fn environment(_: &Machine<'_>) -> Result<Value> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        Some((name, Value::from(value).sensitive()))
    });
    Ok(Value::map(variables))
}
