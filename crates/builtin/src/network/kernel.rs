//! Changing the kernel's network with external tools.

use uphold_kit::machine;
use uphold_kit::tool::{self, NO_SECRETS};
use uphold_resource::{Act, Command, Error, ErrorKind, Output, Reading, Result};

/// Runs a tool that changes something. `what` describes the failure, as in "cannot load the table web".
///
/// # Errors
/// If it cannot be started, or fails; with the end of its output.
pub(super) fn change(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(advised)
}

/// The error for a tool that failed.
pub(super) fn refusal(output: &Output, program: &str, what: &str) -> Error {
    advised(tool::refusal(output, program, &NO_SECRETS, what))
}

fn advised(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Denied => error.hint("run Uphold as root"),
        _ => error,
    }
}

/// The error for a missing `ip`.
pub(super) fn without_ip(error: Error, what: &str) -> Error {
    let hint = (error.kind() == ErrorKind::Missing).then_some("install the package iproute2");
    let error = error.while_(what);
    hint.into_iter().fold(error, Error::hint)
}

/// Fails below another root: `what` needs a running kernel.
pub(super) fn must_run(what: &str, host: &Reading<'_>) -> Result<()> {
    machine::must_run(what, "when you build an image, declare the `file` that configures it at boot", host)
}
