//! Command-line arguments for the account tools.

use uphold_kit::ownership;
use uphold_kit::tool::command;
use uphold_resource::{Act, Command, Delta, Reading, Result, Step, Value};

use crate::accounts::database::UNUSABLE_PASSWORD;

use super::super::{GroupSet, database};
use super::{User, UserChange, UserGoal, state};

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
    arguments.option("--password", state::MARK.to_owned());
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
    if let Some(locked) = to(&change.locked).filter(|_| !replaces(goal, change)) {
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

// Password hashes; plain passwords are never handled here.

/// The characters of a traditional `crypt` hash.
const DIGITS: &str = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The prefix of a locked hash; alone it is a field that no password matches.
const LOCK: &str = "!";

/// The length of a traditional DES hash, which has no prefix to recognise it by.
const OLDEST: usize = 13;

/// Whether a value is a password hash. A plain password is refused: stored as a hash, it would lock the user out.
pub(super) fn is_hash(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let modern = text.starts_with('$') && text.matches('$').count() >= 2 && !text.ends_with('$');
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b":!*".contains(&byte));
    let old = text.len() == OLDEST && text.chars().all(|c| DIGITS.contains(c));
    **text == *UNUSABLE_PASSWORD || (modern && plain) || old
}

/// Sets the passwords of all users whose step needs it and has succeeded so far, with one command. If that fails,
/// each is set on its own, so that one failure does not affect the others.
pub(super) fn set_all(items: &[(&User, Step<'_, User>)], results: &mut [Result<()>], host: &Act<'_>) {
    let lines: Vec<_> = items.iter().map(|(user, step)| line(user, *step)).collect();
    let due = |results: &[Result<()>]| -> Vec<usize> {
        (0..items.len()).filter(|at| results[*at].is_ok() && lines[*at].is_some()).collect()
    };
    let all = due(results);
    let text: String = all.iter().filter_map(|at| lines[*at].as_deref()).collect();
    let Err(error) = set(text, "set the passwords", host) else { return };
    if let [one] = all[..] {
        results[one] = Err(error);
        return;
    }
    for at in all {
        let (user, _) = items[at];
        let line = lines[at].clone().unwrap_or_default();
        results[at] = set(line, &format!("set the password of the user `{}`", user.name), host);
    }
}

/// The input line of `chpasswd` for one user; none if the password is not to be set.
fn line(user: &User, step: Step<'_, User>) -> Option<String> {
    let field = match step {
        Step::Create { goal } => new_field(goal),
        Step::Update { change, current, .. } if change.intact.is_some() => {
            new_field(&state::goal(user, current))
        }
        Step::Update { goal, change, .. } if replaces(goal, change) => {
            let hash = goal.password.as_ref().map_or(UNUSABLE_PASSWORD, |hash| hash.expose());
            format!("{}{hash}", if goal.locked == Some(true) { LOCK } else { "" })
        }
        Step::Update { .. } | Step::Remove { .. } => return None,
    };
    Some(format!("{}:{field}\n", user.name))
}

/// The password field of a new account, which ends its creation. An unlocked account without a declared password
/// gets an unusable one, because an empty field would let anybody in.
fn new_field(goal: &UserGoal) -> String {
    match (&goal.password, goal.locked) {
        (Some(hash), Some(true)) => format!("{LOCK}{}", hash.expose()),
        (Some(hash), _) => hash.expose().clone(),
        (None, Some(false)) => UNUSABLE_PASSWORD.to_owned(),
        (None, _) => LOCK.to_owned(),
    }
}

/// Whether a change replaces the password field, including its lock.
pub(super) fn replaces(goal: &UserGoal, change: &UserChange) -> bool {
    let unlocks = change.locked.as_ref().is_some_and(|locked| !locked.to);
    let unusable = goal.password.as_ref().is_none_or(|hash| hash.expose() == UNUSABLE_PASSWORD);
    change.password.is_some() || (unlocks && unusable)
}

/// On standard input, because any user can read the arguments of a process.
fn set(lines: String, what: &str, host: &Act<'_>) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let command = command("chpasswd", ["--encrypted"]);
    crate::accounts::run(host, what, &Command { stdin: Some(lines.into_bytes()), ..command })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        let check = |text: &str, expected: bool| assert_eq!(is_hash(&Value::text(text)), expected, "{text}");
        check("$6$salt$hash", true);
        check("$y$j9T$salt$hash/.", true);
        check("$1$salt$hash", true);
        check("*", true);
        check("abJnggxhB/yWI", true);
        check("hunter2", false);
        check("correct horse", false);
        check("", false);
        check("!", false);
        check("!$6$salt$hash", false);
        check("$6$salt$hash:0:0", false);
        check("$6$salt$hash\nroot:x", false);
        check("$6$salt$", false);
        check("$6", false);
        check("**", false);
    }
}
