//! Command-line arguments for the account tools.

use uphold_kit::ownership;
use uphold_resource::{Delta, Reading, Result};

use super::super::{GroupSet, database};
use super::password;
use super::resource::{User, UserChange, UserGoal};
use super::unfinished;

/// The arguments of `useradd`, including the name.
pub(super) fn created(user: &User, goal: &UserGoal, host: &Reading<'_>) -> Result<Vec<String>> {
    let mut arguments = Arguments::default();
    arguments.flag(user.system, "--system");
    arguments.flag(true, if user.creates_home() { "--create-home" } else { "--no-create-home" });
    arguments.uid(user, goal.uid);
    match &goal.group {
        Some(group) => arguments.option("--gid", ownership::written(group)),
        // `useradd` refuses to create a group that exists, and does not report whether it creates one by default.
        None if database::groups(host)?.named(&user.name).is_some() => {
            arguments.option("--gid", user.name.clone());
        }
        None => arguments.flag(true, "--user-group"),
    }
    arguments.optional("--groups", goal.groups.as_ref().map(GroupSet::joined).filter(|all| !all.is_empty()));
    arguments.optional("--comment", goal.comment.clone());
    arguments.optional("--home-dir", goal.home.as_ref().map(|home| home.as_str().to_owned()));
    arguments.optional("--shell", goal.shell.as_ref().map(|shell| shell.as_str().to_owned()));
    // An empty date overrides a default that the administrator may have set in `/etc/default/useradd`.
    arguments.optional(
        "--expiredate",
        user.expires.get().map(|day| day.map_or_else(String::new, |day| day.to_string())),
    );
    arguments.optional("--inactive", user.inactive.get().map(|count| days(*count)));
    // A placeholder: the real password is set last and ends the creation.
    arguments.option("--password", unfinished::MARK.to_owned());
    arguments.0.push(user.name.clone());
    Ok(arguments.0)
}

/// The arguments of `usermod` without the name; empty if it has nothing to change.
pub(super) fn changed(user: &User, goal: &UserGoal, change: &UserChange) -> Vec<String> {
    let mut arguments = Arguments::default();
    if change.uid.is_some() {
        arguments.uid(user, goal.uid);
    }
    arguments.optional("--gid", to(&change.group).map(ownership::written));
    arguments.optional("--groups", to(&change.groups).map(GroupSet::joined));
    arguments.optional("--comment", to(&change.comment).cloned());
    if let Some(home) = to(&change.home) {
        arguments.option("--home", home.as_str().to_owned());
        arguments.flag(user.move_home, "--move-home");
    }
    arguments.optional("--shell", to(&change.shell).map(|shell| shell.as_str().to_owned()));
    arguments.optional(
        "--expiredate",
        to(&change.expires).map(|day| day.map_or_else(String::new, |day| day.to_string())),
    );
    arguments.optional("--inactive", to(&change.inactive).map(|count| days(*count)));
    // A new password is written together with its lock.
    if let Some(locked) = to(&change.locked).filter(|_| !password::replaces(goal, change)) {
        arguments.flag(true, if *locked { "--lock" } else { "--unlock" });
    }
    arguments.0
}

/// The arguments of `chage` for a new user, without the name.
pub(super) fn aged(user: &User) -> Vec<String> {
    let User { password_min_days, password_max_days, password_warn_days, .. } = user;
    aging([password_min_days, password_max_days, password_warn_days].map(|limit| limit.get().copied()))
}

/// The arguments of `chage` for an existing user, without the name.
pub(super) fn aged_anew(change: &UserChange) -> Vec<String> {
    aging([
        to(&change.password_min_days).copied(),
        to(&change.password_max_days).copied(),
        to(&change.password_warn_days).copied(),
    ])
}

fn aging(limits: [Option<Option<u32>>; 3]) -> Vec<String> {
    let mut arguments = Arguments::default();
    for (option, limit) in ["--mindays", "--maxdays", "--warndays"].into_iter().zip(limits) {
        arguments.optional(option, limit.map(days));
    }
    arguments.0
}

fn to<T>(delta: &Option<Delta<T>>) -> Option<&T> {
    delta.as_ref().map(|delta| &delta.to)
}

/// The tools take -1 for no limit.
fn days(count: Option<u32>) -> String {
    count.map_or_else(|| "-1".to_owned(), |count| count.to_string())
}

#[derive(Default)]
struct Arguments(Vec<String>);

impl Arguments {
    fn flag(&mut self, given: bool, flag: &str) {
        self.0.extend(given.then(|| flag.to_owned()));
    }

    fn option(&mut self, option: &str, value: String) {
        self.0.extend([option.to_owned(), value]);
    }

    fn optional(&mut self, option: &str, value: Option<String>) {
        if let Some(value) = value {
            self.option(option, value);
        }
    }

    fn uid(&mut self, user: &User, uid: Option<u32>) {
        let Some(uid) = uid else { return };
        self.option("--uid", uid.to_string());
        self.flag(user.non_unique, "--non-unique");
    }
}
