//! The system's own tools: what changes a machine knows best how to do so.

use std::collections::BTreeMap;

use uphold_resource::{Act, Command, Error, ErrorKind, Exit, Output, Reading, Result};

use crate::complaint::{complaint, ending};

/// What kinds set for every tool: no secrets, and to hide them would only garble what was said.
const OWN: [&str; 3] = ["LC_ALL", "DEBIAN_FRONTEND", "APT_LISTCHANGES_FRONTEND"];

/// For a tool that was told no secrets.
pub(crate) static NO_SECRETS: BTreeMap<String, String> = BTreeMap::new();

/// The tool `program` with these arguments. It speaks no language but the one that can be read.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(program, args);
    command.env.insert("LC_ALL".to_owned(), "C".to_owned());
    command
}

/// Runs a tool that changes something. `what` is told if it fails, as in "cannot mount /srv".
///
/// # Errors
/// If it cannot be started, or does not end well: see [`refusal`].
pub(crate) fn run(command: &Command, what: &str, host: &Act<'_>) -> Result<Output> {
    let output = host.run(command).map_err(|error| error.while_(what))?;
    expect(output, command, what)
}

/// Runs a tool that only looks, in a plan, too. How it ended is in the output.
///
/// # Errors
/// If it cannot be started.
pub(crate) fn probe(command: &Command, what: &str, host: &Reading<'_>) -> Result<Output> {
    host.probe(command).map_err(|error| error.while_(what))
}

/// Fails unless a tool ended well.
pub(crate) fn expect(output: Output, command: &Command, what: &str) -> Result<Output> {
    match output.success() {
        true => Ok(output),
        false => Err(refusal(&output, &command.program, &secrets(command), what)),
    }
}

/// The failure of `what`, because a tool did not end well.
///
/// # Guarantees
/// `TimedOut` if it took too long, `Denied` if the kernel let it not do something, else `Rejected`. The cause is [`reason`].
pub(crate) fn refusal(
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

/// How a tool ended, and what it said last: "mount exited with status 32: /srv is busy".
///
/// # Guarantees
/// As short as a [`complaint`], and none of the `secrets` is in it.
pub(crate) fn reason(output: &Output, program: &str, secrets: &BTreeMap<String, String>) -> String {
    let ended = format!("{program} {}", ending(output.exit));
    match complaint(output, secrets) {
        Some(said) => format!("{ended}: {said}"),
        None => ended,
    }
}

/// Whatever a user put into the environment may be a secret.
fn secrets(command: &Command) -> BTreeMap<String, String> {
    let foreign = command.env.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    foreign.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(exit: Exit, stdout: &str, stderr: &str) -> Output {
        Output::new(exit, stdout, stderr)
    }

    #[test]
    fn refusals_say_how_it_ended_and_what_was_said() {
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
        check(ended(Exit::Signal(9), "", "oh"), rejected, "mount was ended by signal 9: oh");
        let slow = "mount took too long, and was killed: Operation not permitted";
        check(ended(Exit::TimedOut, "", "Operation not permitted"), ErrorKind::TimedOut, slow);
        let denied = "mount exited with status 2: x: Operation not permitted";
        check(ended(Exit::Code(2), "", "x: Operation not permitted"), ErrorKind::Denied, denied);
    }

    #[test]
    fn what_was_said_is_short() {
        let long = (0..1000).map(|line| format!("line {line}\n")).collect::<String>();
        let reason = reason(&ended(Exit::Code(1), "", &long), "mount", &NO_SECRETS);
        assert!(reason.starts_with("mount exited with status 1: …line 980\n"), "{reason}");
        assert!(reason.ends_with("line 999"), "{reason}");
    }

    #[test]
    fn only_what_users_set_is_hidden() {
        let check = |name: &str, value: &str, expected: &str| {
            let mut command = command("apt-get", ["update"]);
            command.env.insert(name.to_owned(), value.to_owned());
            let output = ended(Exit::Code(100), "", &format!("not with {value}"));
            let error = expect(output, &command, "cannot update").expect_err("it did not end well");
            assert_eq!(error.chain(), format!("cannot update: apt-get exited with status 100: {expected}"));
        };
        check("http_proxy", "http://ada:geheim@proxy", "not with $http_proxy");
        check("DEBIAN_FRONTEND", "noninteractive", "not with noninteractive");
    }

    #[test]
    fn a_good_end_is_no_failure() {
        let output = ended(Exit::Code(0), "out", "Operation not permitted");
        assert_eq!(expect(output.clone(), &command("mount", [""; 0]), "x").ok(), Some(output));
    }
}
