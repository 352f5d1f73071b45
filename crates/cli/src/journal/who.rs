//! The user or unit that runs the command.

use std::path::Path;

use uphold::LocalHost;
use uphold::journal::{Holder, ProcessId, Time, Who};
use uphold::resource::Accounts;

use super::variable;

/// The user or unit that runs this command.
pub(crate) fn who() -> Who {
    let host = LocalHost::new();
    let uid = host.current_uid();
    let caller = variable("SUDO_USER").filter(|_| uid == 0);
    let account = || host.user_by_id(uid).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name);
    Who {
        sudo: caller.is_some(),
        user: caller.unwrap_or_else(account),
        terminal: terminal(),
        unit: unit(),
        remote: variable("SSH_CONNECTION").and_then(|words| Some(words.split(' ').next()?.to_owned())),
    }
}

/// The description of this process for the lock file.
pub(super) fn holder(verb: &str, paths: Vec<String>, since: Time) -> Holder {
    let Who { user, sudo, terminal, unit, .. } = who();
    let process = ProcessId::current();
    Holder { process, user, sudo, terminal, unit, verb: verb.to_owned(), paths, since, ..Holder::default() }
}

/// The terminal of standard input, such as `pts/3`.
#[expect(clippy::disallowed_methods, reason = "it is about this process, not about the managed machine")]
fn terminal() -> Option<String> {
    let target = std::fs::read_link("/proc/self/fd/0").ok()?;
    let name = target.strip_prefix(Path::new("/dev")).ok()?;
    let is_terminal = name.starts_with("pts") || name.to_str()?.starts_with("tty");
    is_terminal.then(|| name.display().to_string())
}

/// The systemd service that this process belongs to.
#[expect(clippy::disallowed_methods, reason = "it is about this process, not about the managed machine")]
fn unit() -> Option<String> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let unit = path.rsplit('/').find(|part| part.ends_with(".service") || part.ends_with(".scope"))?;
    // The scope of a login session is not a unit that was started on purpose.
    unit.ends_with(".service").then(|| unit.to_owned()).filter(|unit| !unit.starts_with("user@"))
}
