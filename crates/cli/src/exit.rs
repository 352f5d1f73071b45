//! How the command ends.

use std::process::ExitCode;

/// The exit codes, as `uphold --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for a plan: nothing to do.
    Success = 0,
    /// Something is wrong, and it was said what.
    Failure = 1,
    /// A plan has changes to make, or an audit found that something differs.
    Pending = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
