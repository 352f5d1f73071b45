//! Running other programs.

use std::process::{Command, Output, Stdio};

use crate::failure::{Failure, Result};
use crate::workspace;

/// The cargo that runs this program, started in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace::root());
    command
}

/// Runs with inherited standard streams; anything but success is a failure.
pub(crate) fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("`{}` ended with {status}", shown(command))))
    }
}

/// Standard output of a command that must succeed; its standard error becomes part of the failure.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let stderr_text = String::from_utf8_lossy(&stderr);
    Err(Failure::new(format!("`{}` ended with {status}\n{}", shown(command), stderr_text.trim_end())))
}

/// Whether the program starts and succeeds; its output is discarded.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    quiet(Command::new(program).args(arguments)).is_ok_and(|status| status.success())
}

/// The command line as typed in a shell, for messages.
pub(crate) fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let name = program.rsplit('/').next().unwrap_or_default().to_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(name).chain(arguments).collect::<Vec<_>>().join(" ")
}

pub(crate) fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot start `{}`: {error}", shown(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_a_failure_with_its_standard_error() {
        let failure = output(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        assert_eq!(failure.to_string(), "`sh -c echo broken >&2; exit 3` ended with exit status: 3\nbroken");
        assert!(run(Command::new("sh").args(["-c", "exit 1"])).is_err());
        assert!(!succeeds("sh", &["-c", "exit 1"]));
    }

    #[test]
    fn a_missing_program_is_named() {
        let failure = output(&mut Command::new("no-such-program")).unwrap_err();
        assert!(failure.to_string().starts_with("cannot start `no-such-program`: "), "{failure}");
    }
}
