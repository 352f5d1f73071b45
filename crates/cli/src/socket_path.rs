//! Where a watch listens, and where it is asked.

use std::path::PathBuf;

use uphold_status::default_socket;

use crate::error::CliError;

/// Names the socket of a watch, unless it is told otherwise.
const NAME: &str = "watch";

/// Where a watch of this user listens unless told; none if this user has no directory for sockets.
pub(crate) fn usual() -> Option<PathBuf> {
    default_socket(runtime_directory().as_deref(), NAME)
}

/// The path that was given, else the usual one.
///
/// # Errors
/// If there is neither.
pub(crate) fn given_or_usual(given: Option<PathBuf>) -> Result<PathBuf, CliError> {
    given.or_else(usual).ok_or_else(|| {
        let error = CliError::new("cannot tell where the watch listens: XDG_RUNTIME_DIR is not set");
        error.hint("say where: --socket PATH, here and for `uphold watch`")
    })
}

#[expect(clippy::disallowed_methods, reason = "the command takes up what its user set; no library does")]
fn runtime_directory() -> Option<PathBuf> {
    std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)
}
