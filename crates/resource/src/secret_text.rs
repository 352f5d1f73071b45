//! Detection of secrets in values and arguments that were not declared as secret.

use uphold_model::{Difference, Side, Value};

use crate::error::{Error, ErrorKind};
use crate::host::Command;

/// The minimum length of a secret that is searched within arguments. A shorter one must be the whole argument, because it is
/// found in unrelated ones.
const SEARCHABLE_LENGTH: usize = 6;

/// Whether `value` contains `secret`, or a part of it.
///
/// A kind may copy one property into another. The engine knows only which properties were computed from a secret, so any
/// value that contains the same string counts as secret, too.
pub(crate) fn shows(value: &Value, secret: &Value) -> bool {
    match secret.reveal() {
        Value::List(parts) => parts.iter().any(|part| shows(value, part)),
        Value::Map(parts) => parts.values().any(|part| shows(value, part)),
        secret => text(secret).is_some_and(|text| contains(value, text.trim())),
    }
}

/// Whether either side of a difference contains the secret.
pub(crate) fn is_shown_by(secret: &Value, difference: &Difference) -> bool {
    [&difference.from, &difference.to].into_iter().filter_map(Side::value).any(|value| shows(value, secret))
}

/// Whether a command passes `secret`, or a part of it, as an argument, which every local user can read. A string that is
/// also in its environment or standard input was passed there on purpose; the same string in an argument is a coincidence.
pub fn is_argument(secret: &Value, command: &Command) -> bool {
    match secret.reveal() {
        Value::List(parts) => parts.iter().any(|part| is_argument(part, command)),
        Value::Map(parts) => parts.values().any(|part| is_argument(part, command)),
        secret => text(secret).is_some_and(|text| is_text_argument(text.trim(), command)),
    }
}

/// The error for a command that would expose a secret.
pub fn exposed_argument(command: &Command) -> Error {
    let what = format!(
        "cannot run {}: an argument contains a secret, and every local user can read arguments",
        command.program
    );
    Error::new(ErrorKind::Exposed, what).hint("pass it in `env` or in a file")
}

fn is_text_argument(secret: &str, command: &Command) -> bool {
    let script = usize::from(command.secret_script);
    let visible = &command.args[..command.args.len().saturating_sub(script)];
    let stdin = command.stdin.as_deref().map(String::from_utf8_lossy);
    let passed_safely = command.env.values().any(|value| value.contains(secret))
        || stdin.is_some_and(|stdin| stdin.contains(secret));
    let shows = |argument: &String| {
        argument == secret || (secret.len() >= SEARCHABLE_LENGTH && argument.contains(secret))
    };
    !secret.is_empty() && !passed_safely && visible.iter().any(shows)
}

fn contains(value: &Value, secret: &str) -> bool {
    match value.reveal() {
        _ if secret.is_empty() => false,
        Value::List(items) => items.iter().any(|item| contains(item, secret)),
        Value::Map(items) => items.iter().any(|(key, item)| key.contains(secret) || contains(item, secret)),
        value => text(value).is_some_and(|text| text.contains(secret)),
    }
}

/// A scalar as a string. True, false and null are not recognisable as secrets.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_secret_in_arguments() {
        let check = |args: &[&str], secret: Value, expected: bool| {
            let command = Command::new("mount", args.iter().copied());
            assert_eq!(is_argument(&secret, &command), expected, "{args:?}, {secret:?}");
        };
        let options = || Value::list(["rw".into(), "password=hunter2".into()]);
        check(&["-o", "rw,password=hunter2", "/mnt"], options(), true);
        check(&["-o", "ro", "/mnt"], options(), false);
        check(&["-a", "x"], "a".into(), false);
        check(&["-u", "a"], "a".into(), true);
        check(&["x"], "".into(), false);
    }

    #[test]
    fn ignores_secrets_in_env_stdin_and_scripts() {
        let secret: Value = "hunter2".into();
        let plain = Command::shell("echo hunter2");
        assert!(is_argument(&secret, &plain));
        let env = [("TOKEN".to_owned(), "hunter2".to_owned())].into();
        assert!(!is_argument(&secret, &Command { env, ..plain.clone() }));
        assert!(!is_argument(&secret, &Command { stdin: Some(b"hunter2".to_vec()), ..plain.clone() }));
        assert!(!is_argument(&secret, &Command { secret_script: true, ..plain }));
    }

    #[test]
    fn finds_a_secret_in_other_values() {
        let check = |value: Value, secret: Value, expected: bool| {
            assert_eq!(shows(&value, &secret), expected, "{value:?}, {secret:?}");
        };
        check("hunter2".into(), "hunter2".into(), true);
        check("a = hunter2".into(), "hunter2\n".into(), true);
        check(Value::list(["x".into(), "hunter2".into()]), "hunter2".into(), true);
        check("42".into(), Value::Int(42), true);
        check("hunter2".into(), Value::list(["a b".into(), "hunter2".into()]), true);
        check("0600".into(), "hunter2".into(), false);
        check("0600".into(), "".into(), false);
        check(Value::Bool(true), Value::Bool(true), false);
    }
}
