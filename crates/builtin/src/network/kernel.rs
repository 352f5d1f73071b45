//! The kernel's network, through the tools that speak with it.

use uphold_resource::{Act, Command, Error, ErrorKind, Output, Reading, Result};

use crate::machine;
use crate::tool::{self, NO_SECRETS};

/// Runs a tool that changes something. `what` is told if it fails, as in "cannot load the table web".
///
/// # Errors
/// If it cannot be started, or does not end well; with what it said last.
pub(super) fn change(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(advised)
}

/// Why a tool that did not end well says that it did not.
pub(super) fn refusal(output: &Output, program: &str, what: &str) -> Error {
    advised(tool::refusal(output, program, &NO_SECRETS, what))
}

fn advised(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Denied => error.hint("only root may do that: run Uphold as root"),
        _ => error,
    }
}

/// What to say if `ip` cannot be started.
pub(super) fn without_ip(error: Error, what: &str) -> Error {
    let hint = (error.kind() == ErrorKind::Missing).then_some("install the package iproute2");
    let error = error.while_(what);
    hint.into_iter().fold(error, Error::hint)
}

/// Fails below another root, where there are only files: `what` belongs to a kernel that runs.
pub(super) fn must_run(what: &str, host: &Reading<'_>) -> Result<()> {
    machine::must_run(what, "for an image, declare the `file` that is read when it boots", host)
}
