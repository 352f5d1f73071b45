//! The status socket and the metrics server of a watch.

use std::path::PathBuf;

use uphold::Steering;
use uphold_status::{MetricsServer, StatusModel, StatusServer, default_socket};

use super::flags::WatchFlags;
use crate::CliError;

/// The servers that the flags enable. Both stop when this is dropped.
pub(super) struct Servers {
    pub(super) status: Option<StatusServer>,
    _metrics: Option<MetricsServer>,
}

impl Servers {
    pub(super) fn start(
        flags: &WatchFlags,
        board: &StatusModel,
        steering: &Steering,
    ) -> Result<Self, CliError> {
        let given = flags.given_socket().map(PathBuf::from);
        let path = if flags.socket.is_some() { given } else { user_socket() };
        let start = |path: PathBuf| {
            let path = std::path::absolute(&path).unwrap_or(path);
            let (reload, recheck) = (steering.clone(), steering.clone());
            let steering = uphold_status::Steering {
                reload: Box::new(move || reload.reload()),
                recheck: Box::new(move || recheck.recheck()),
            };
            StatusServer::start(&path, board.clone(), steering)
        };
        let status = path.map(start).transpose().map_err(|error| {
            let error = CliError::from(error);
            let hint = "use another socket with --socket PATH, or none with --socket none";
            if flags.socket.is_some() { error } else { error.or_hint(hint) }
        })?;
        let metrics = |address| MetricsServer::start(address, board.clone(), env!("CARGO_PKG_VERSION"));
        Ok(Self { status, _metrics: flags.metrics.map(metrics).transpose()? })
    }
}

/// The default socket of this user; none if the user has no runtime directory.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
fn user_socket() -> Option<PathBuf> {
    let runtime_directory = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    default_socket(runtime_directory.as_deref(), "watch")
}

/// The socket given to `uphold status`, or the default one.
pub(crate) fn socket_to_ask(given: Option<PathBuf>) -> Result<PathBuf, CliError> {
    given.or_else(user_socket).ok_or_else(|| {
        let error = CliError::new("cannot find the socket of the watch: XDG_RUNTIME_DIR is not set");
        error.hint("give it with --socket PATH, here and for `uphold watch`")
    })
}
