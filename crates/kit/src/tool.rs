//! Running the system's own tools, with errors that show their output.
//!
//! ```
//! use uphold_kit::prelude::*;
//!
//! /// Whether a kernel module is loaded.
//! fn is_loaded(module: &str, host: &Reading<'_>) -> Result<bool> {
//!     let output = tool::probe(&tool::command("modinfo", [module]), "cannot list modules", host)?;
//!     Ok(output.success())
//! }
//!
//! fn load_module(module: &str, host: &Act<'_>) -> Result<()> {
//!     let command = tool::command("modprobe", ["--", module]);
//!     tool::run(&command, &format!("cannot load the module {module}"), host).map(drop)
//! }
//! ```

use std::collections::BTreeMap;

use uphold_resource::{Act, Command, Error, ErrorKind, Exit, Output, Reading, Result};

/// Variables that kinds set for every tool: they are not secret, and hiding their values would garble messages.
const OWN: [&str; 3] = ["LC_ALL", "DEBIAN_FRONTEND", "APT_LISTCHANGES_FRONTEND"];

/// The secrets of a tool that gets none, for [`refusal`] and [`reason`].
pub static NO_SECRETS: BTreeMap<String, String> = BTreeMap::new();

/// The tool `program` with these arguments. Runs with `LC_ALL=C`, so that its output can be parsed.
pub fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(program, args);
    command.env.insert("LC_ALL".to_owned(), "C".to_owned());
    command
}

/// Runs a tool that changes something. `what` describes the failure, as in "cannot mount /srv".
///
/// # Errors
/// If it cannot be started, or fails: see [`refusal`].
pub fn run(command: &Command, what: &str, host: &Act<'_>) -> Result<Output> {
    let output = host.run(command).map_err(|error| error.while_(what))?;
    expect(output, command, what)
}

/// Runs a read-only tool, also in a plan. The exit status is in the output.
///
/// # Errors
/// If it cannot be started.
pub fn probe(command: &Command, what: &str, host: &Reading<'_>) -> Result<Output> {
    host.probe(command).map_err(|error| error.while_(what))
}

/// The output of a tool that succeeded.
///
/// # Errors
/// If it failed: see [`refusal`]. Values of variables are replaced by their names, except those that kinds set.
pub fn expect(output: Output, command: &Command, what: &str) -> Result<Output> {
    if output.success() {
        Ok(output)
    } else {
        Err(refusal(&output, &command.program, &secrets(command), what))
    }
}

/// The error of `what`, because a tool failed.
///
/// # Guarantees
/// `TimedOut` if it took too long, `Denied` if the kernel did not permit an operation, otherwise `Rejected`. The
/// cause is [`reason`].
pub fn refusal(
    output: &Output,
    program: &str,
    secrets: &BTreeMap<String, String>,
    what: impl Into<String>,
) -> Error {
    let why = reason(output, program, secrets);
    let kind = match output.exit {
        Exit::TimedOut => ErrorKind::TimedOut,
        _ if why.contains("Operation not permitted") => ErrorKind::Denied,
        _ => ErrorKind::Rejected,
    };
    Error::new(kind, what).because(why)
}

/// How a tool ended, and its last output: "mount exited with status 32: /srv is busy".
///
/// # Guarantees
/// At most 20 lines and 2 KiB of output, and without the values of `secrets`, which are replaced by their names.
pub fn reason(output: &Output, program: &str, secrets: &BTreeMap<String, String>) -> String {
    let ended = format!("{program} {}", ending(output.exit));
    match last_output(output, secrets) {
        Some(text) => format!("{ended}: {text}"),
        None => ended,
    }
}

/// Any variable that a user set may be a secret.
fn secrets(command: &Command) -> BTreeMap<String, String> {
    let declared = command.env.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    declared.map(|(name, value)| (name.clone(), value.clone())).collect()
}

// The exit status and last output lines of a command, short enough for an error and without secrets.

/// Enough for a message and its context, but not the whole output.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// Shorter values are not hidden: they occur too often by chance.
const SHORTEST_SECRET: usize = 4;

/// The last lines of standard error, or of standard output if that is empty.
///
/// # Guarantees
/// At most 20 lines and 2 KiB. Values of `env` are replaced by the names of their variables, because any of them
/// may be a secret.
pub(crate) fn last_output(output: &Output, env: &BTreeMap<String, String>) -> Option<String> {
    [&output.stderr, &output.stdout]
        .into_iter()
        .map(|text| String::from_utf8_lossy(text))
        .find(|text| !text.trim().is_empty())
        .map(|text| last_lines(hide(&text, env).trim_end()))
}

/// How a command ended, as in "exited with status 3".
pub(crate) fn ending(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with status {code}"),
        Exit::Signal(signal) => format!("was killed by signal {signal}"),
        Exit::TimedOut => "timed out and was killed".to_owned(),
    }
}

/// Longest values first, because a short value may be part of a long one.
fn hide(text: &str, env: &BTreeMap<String, String>) -> String {
    let mut values: Vec<_> = env.iter().filter(|(_, value)| value.len() >= SHORTEST_SECRET).collect();
    values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    values
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(value.as_str(), &format!("${name}")))
}

fn last_lines(text: &str) -> String {
    let by_lines = text.rmatch_indices('\n').nth(LINES - 1).map_or(0, |(at, _)| at + 1);
    let by_bytes = text.ceil_char_boundary(text.len().saturating_sub(BYTES));
    match by_lines.max(by_bytes) {
        0 => text.to_owned(),
        cut => format!("…{}", &text[cut..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(exit: Exit, stdout: &str, stderr: &str) -> Output {
        Output::new(exit, stdout, stderr)
    }

    #[test]
    fn refusals_have_exit_status_and_output() {
        let check = |output: Output, kind: ErrorKind, expected: &str| {
            let error = refusal(&output, "mount", &NO_SECRETS, "cannot mount /srv");
            assert_eq!(error.chain(), format!("cannot mount /srv: {expected}"));
            assert_eq!(error.kind(), kind, "{expected}");
        };
        let rejected = ErrorKind::Rejected;
        check(
            ended(Exit::Code(32), "out", "it is busy\n"),
            rejected,
            "mount exited with status 32: it is busy",
        );
        check(ended(Exit::Code(1), "out\n", ""), rejected, "mount exited with status 1: out");
        check(ended(Exit::Code(1), "", "\n"), rejected, "mount exited with status 1");
        check(ended(Exit::Signal(9), "", "oh"), rejected, "mount was killed by signal 9: oh");
        let slow = "mount timed out and was killed: Operation not permitted";
        check(ended(Exit::TimedOut, "", "Operation not permitted"), ErrorKind::TimedOut, slow);
        let denied = "mount exited with status 2: x: Operation not permitted";
        check(ended(Exit::Code(2), "", "x: Operation not permitted"), ErrorKind::Denied, denied);
    }

    #[test]
    fn output_in_errors_is_limited() {
        let long = (0..1000).map(|line| format!("line {line}\n")).collect::<String>();
        let reason = reason(&ended(Exit::Code(1), "", &long), "mount", &NO_SECRETS);
        assert!(reason.starts_with("mount exited with status 1: …line 980\n"), "{reason}");
        assert!(reason.ends_with("line 999"), "{reason}");
    }

    #[test]
    fn hides_declared_variables_only() {
        let check = |name: &str, value: &str, expected: &str| {
            let mut command = command("apt-get", ["update"]);
            command.env.insert(name.to_owned(), value.to_owned());
            let output = ended(Exit::Code(100), "", &format!("not with {value}"));
            let error = expect(output, &command, "cannot update").expect_err("it failed");
            assert_eq!(error.chain(), format!("cannot update: apt-get exited with status 100: {expected}"));
        };
        check("http_proxy", "http://ada:geheim@proxy", "not with $http_proxy");
        check("DEBIAN_FRONTEND", "noninteractive", "not with noninteractive");
    }

    #[test]
    fn success_is_not_an_error() {
        let output = ended(Exit::Code(0), "out", "Operation not permitted");
        assert_eq!(expect(output.clone(), &command("mount", [""; 0]), "x").ok(), Some(output));
    }
}

#[cfg(test)]
mod tool_error_tests {
    use super::*;

    fn output(stdout: &str, stderr: &str) -> Output {
        Output::new(Exit::Code(1), stdout, stderr)
    }

    #[test]
    fn shows_stderr_and_hides_env_values() {
        let check = |stdout, stderr, expected: Option<&str>| {
            let env = BTreeMap::from([
                ("LONG".to_owned(), "hunter2-and-more".to_owned()),
                ("ONE".to_owned(), "1".to_owned()),
                ("TOKEN".to_owned(), "hunter2".to_owned()),
            ]);
            assert_eq!(last_output(&output(stdout, stderr), &env).as_deref(), expected);
        };
        check("out", "err\n", Some("err"));
        check("out\n", " \n", Some("out"));
        check("", "", None);
        check("", "bad hunter2, line 1", Some("bad $TOKEN, line 1"));
        check("", "hunter2-and-more hunter2", Some("$LONG $TOKEN"));
    }

    #[test]
    fn keeps_the_end_of_long_output() {
        let check = |text: &str, cut: bool, lines: usize, end: &str| {
            let text = last_output(&output("", text), &BTreeMap::new()).expect("there is output");
            assert!(text.len() <= BYTES + "…".len(), "{}", text.len());
            assert_eq!(text.lines().count(), lines);
            assert!(text.ends_with(end), "{text}");
            assert_eq!(text.starts_with('…'), cut, "{text}");
        };
        let numbers = |to: u32| (1..=to).map(|i| format!("{i}\n")).collect::<String>();
        check(&numbers(20), false, 20, "\n20");
        check(&numbers(21), true, 20, "\n21");
        check(&"ä".repeat(5000), true, 1, "ä");
        check(&"x".repeat(2048), false, 1, "x");
    }
}
