//! Password hashes; plain passwords are never handled here.

use uphold_kit::tool::command;
use uphold_resource::{Act, Command, Result, Step, Value};

use super::super::database::UNUSABLE_PASSWORD;
use super::super::tool;
use super::resource::{User, UserChange, UserGoal};
use super::unfinished;

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
            new_field(&unfinished::goal(user, current))
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
    tool::run(host, what, &Command { stdin: Some(lines.into_bytes()), ..command })
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
