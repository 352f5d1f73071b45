//! Passwords, of which only hashes are known here.

use uphold_resource::{Command, Error, ErrorKind, Host, Result, Step, Value};

use super::super::tool;
use super::resource::User;

/// The alphabet of hashes.
const DIGITS: &str = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A password that nobody has.
const NOBODY: &str = "*";

/// The oldest hashes have exactly this many characters, and nothing to know them by.
const OLDEST: usize = 13;

/// Whether a value is the hash of a password. A plain password, which would keep everybody out, is not.
pub(super) fn is_hash(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let modern = text.starts_with('$') && text.matches('$').count() >= 2 && !text.ends_with('$');
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b":!*".contains(&byte));
    let old = text.len() == OLDEST && text.chars().all(|c| DIGITS.contains(c));
    **text == *NOBODY || (modern && plain) || old
}

/// An account without a password would be open to everybody if it was unlocked.
pub(super) fn check_unlock(name: &str, locked: Option<bool>, hash: Option<&str>) -> Result<()> {
    if locked != Some(false) || hash.is_some_and(|hash| !hash.is_empty()) {
        return Ok(());
    }
    let what = format!("the user `{name}` cannot be unlocked: it has no password");
    Err(Error::new(ErrorKind::Invalid, what).hint("set `password`, too; \"*\" is one that nobody has"))
}

/// Sets the passwords of all users whose step asks for it and went well so far, with one command. If that fails, each is
/// tried alone, so that one cannot hold up the others.
pub(super) fn set_all(items: &[(&User, Step<'_, User>)], results: &mut [Result<()>], host: &dyn Host) {
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
        results[at] = set(line, &format!("set the password of `{}`", user.name), host);
    }
}

/// What `chpasswd` reads for one user; none if the password is not to be set.
fn line(user: &User, step: Step<'_, User>) -> Option<String> {
    let (hash, locked) = match step {
        Step::Create { goal } => (goal.password.as_ref()?, goal.locked),
        Step::Update { goal, change, .. } => (&change.password.as_ref()?.to, goal.locked),
        Step::Remove { .. } => return None,
    };
    let lock = if locked == Some(true) { "!" } else { "" };
    Some(format!("{}:{lock}{}\n", user.name, hash.expose()))
}

/// On standard input: arguments can be read by everybody.
fn set(lines: String, what: &str, host: &dyn Host) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let command = Command::new("chpasswd", ["--encrypted"]);
    tool::run(host, what, Command { stdin: Some(lines.into_bytes()), ..command })
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

    #[test]
    fn nobody_is_let_in_without_a_password() {
        let check = |locked, hash, expected: bool| {
            assert_eq!(check_unlock("ann", locked, hash).is_ok(), expected, "{locked:?} {hash:?}");
        };
        check(Some(false), None, false);
        check(Some(false), Some(""), false);
        check(Some(false), Some("*"), true);
        check(Some(true), None, true);
        check(None, None, true);
    }
}
