//! Who can ask a running watch how it goes.

use std::path::PathBuf;
use std::sync::Arc;

use uphold::Steering;
use uphold_status::{Board, MetricsServer, StatusServer, default_socket};

use super::options::{HoldFlags, SocketFlag};
use crate::error::CliError;

/// Names the socket of a watch, unless it is told otherwise.
const NAME: &str = "watch";

/// The socket and the metrics, as far as they are wanted. Both end when this is dropped.
pub(super) struct StatusDoor {
    pub(super) status: Option<StatusServer>,
    _metrics: Option<MetricsServer>,
}

impl StatusDoor {
    /// Opens what the flags ask for.
    ///
    /// # Errors
    /// If another watch listens there, or the system refuses.
    pub(super) fn open(flags: &HoldFlags, board: &Board, steering: &Steering) -> Result<Self, CliError> {
        let steering = Arc::new(Wheel(steering.clone()));
        let start = |path: PathBuf| {
            let path = std::path::absolute(&path).unwrap_or(path);
            StatusServer::start(&path, board.clone(), steering)
        };
        let path = socket(flags);
        let named = flags.socket.is_some();
        let status = path.map(start).transpose().map_err(|error| {
            let error = CliError::from(error);
            if named {
                error
            } else {
                error.or_hint("name another one with --socket PATH, or use --socket none")
            }
        })?;
        let metrics = |address| MetricsServer::start(address, board.clone(), env!("CARGO_PKG_VERSION"));
        let metrics = flags.metrics.map(metrics).transpose()?;
        Ok(Self { status, _metrics: metrics })
    }
}

fn socket(flags: &HoldFlags) -> Option<PathBuf> {
    match &flags.socket {
        Some(SocketFlag::None) => None,
        Some(SocketFlag::At(path)) => Some(path.clone()),
        None => default_socket(runtime_directory().as_deref(), NAME),
    }
}

#[expect(clippy::disallowed_methods, reason = "the command takes up what its user set; no library does")]
fn runtime_directory() -> Option<PathBuf> {
    std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)
}

/// What those who ask can do.
struct Wheel(Steering);

impl uphold_status::Steering for Wheel {
    fn reload(&self) {
        self.0.reload();
    }

    fn recheck(&self) {
        self.0.recheck();
    }
}
