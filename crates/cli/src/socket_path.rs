//! The socket of a watch.

use std::path::PathBuf;

use uphold_status::default_socket;

use crate::CliError;

/// The name of the default socket.
const NAME: &str = "watch";

/// The default socket of this user; none if the user has no runtime directory.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
pub(crate) fn default() -> Option<PathBuf> {
    let runtime_directory = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    default_socket(runtime_directory.as_deref(), NAME)
}

/// The given socket, or the default one.
pub(crate) fn given_or_default(given: Option<PathBuf>) -> Result<PathBuf, CliError> {
    given.or_else(default).ok_or_else(|| {
        let error = CliError::new("cannot find the socket of the watch: XDG_RUNTIME_DIR is not set");
        error.hint("give it with --socket PATH, here and for `uphold watch`")
    })
}
