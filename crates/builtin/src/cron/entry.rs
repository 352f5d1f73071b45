//! An entry of a crontab: variables, and a line with a schedule and a command.

use std::collections::BTreeMap;

use super::schedule::Schedule;

/// The format of a crontab: system crontabs have a user field, users' crontabs do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A user's crontab.
    Own,
    /// A system crontab, with a user before each command.
    Shared,
}

/// A scheduled command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) schedule: Schedule,
    /// Set only in a system crontab.
    pub(super) user: Option<String>,
    pub(super) command: String,
    pub(super) enabled: bool,
    pub(super) environment: BTreeMap<String, String>,
}

impl Entry {
    /// Parses a line. A disabled entry is commented out.
    pub(super) fn parse(line: &str, form: Form) -> Option<Self> {
        let line = line.trim();
        let (enabled, line) = match line.strip_prefix('#') {
            Some(rest) => (false, rest),
            None => (true, line),
        };
        let (schedule, rest) = Schedule::begins(line)?;
        let (user, command) = match form {
            Form::Own => (None, rest),
            Form::Shared => {
                let (user, command) = rest.split_once([' ', '\t'])?;
                (Some(user.to_owned()), command.trim_start())
            }
        };
        let command = command.to_owned();
        (!command.is_empty()).then(|| Self { schedule, user, command, enabled, environment: BTreeMap::new() })
    }

    /// The lines of the entry.
    pub(super) fn lines(&self) -> Vec<String> {
        let variables = self.environment.iter().map(|(name, value)| assignment(name, value));
        let off = if self.enabled { "" } else { "#" };
        let who = self.user.as_ref().map(|user| format!("{user} ")).unwrap_or_default();
        variables.chain([format!("{off}{} {who}{}", self.schedule.as_str(), self.command)]).collect()
    }
}

/// Formats a variable, quoted if quotes or spaces at its ends would be lost otherwise.
fn assignment(name: &str, value: &str) -> String {
    let plain = !value.is_empty() && value.trim() == value && !value.starts_with(['"', '\'']);
    if plain { format!("{name}={value}") } else { format!("{name}=\"{value}\"") }
}

/// Parses a variable assignment.
pub(super) fn variable(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim().split_once('=')?;
    let (name, value) = (name.trim_end(), value.trim_start());
    let named = is_name(name);
    let quoted = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    let inner = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
    named.then(|| (name.to_owned(), inner.to_owned()))
}

/// Whether this is a valid name of a variable.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lines() {
        let check = |line: &str, form: Form, expected: Option<(&str, Option<&str>, &str, bool)>| {
            let found = Entry::parse(line, form);
            let parts = found.as_ref().map(|entry| {
                (entry.schedule.as_str(), entry.user.as_deref(), entry.command.as_str(), entry.enabled)
            });
            assert_eq!(parts, expected, "{line}");
            if let Some(entry) = found {
                assert_eq!(entry.lines(), [line], "{line}");
            }
        };
        check("0 3 * * * echo a  b", Form::Own, Some(("0 3 * * *", None, "echo a  b", true)));
        check("#@daily echo", Form::Own, Some(("@daily", None, "echo", false)));
        check("0 3 * * * ann echo", Form::Shared, Some(("0 3 * * *", Some("ann"), "echo", true)));
        check("0 3 * * * ann", Form::Shared, None);
        check("# a comment of five words here", Form::Own, None);
        check("A=b", Form::Own, None);
    }

    #[test]
    fn parses_variables() {
        let check = |line: &str, expected: Option<(&str, &str)>| {
            let found = variable(line);
            assert_eq!(
                found.as_ref().map(|(name, value)| (name.as_str(), value.as_str())),
                expected,
                "{line}"
            );
        };
        check("A=b", Some(("A", "b")));
        check(" A = b c ", Some(("A", "b c")));
        check("A=\" b \"", Some(("A", " b ")));
        check("A=''", Some(("A", "")));
        check("0 3 * * * A=b", None);
        check("# A=b", None);
        for value in ["b", " b ", "", "\"b\"", "a=b", "it's"] {
            let line = assignment("A", value);
            assert_eq!(variable(&line), Some(("A".to_owned(), value.to_owned())), "{line}");
        }
    }
}
