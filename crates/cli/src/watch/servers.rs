//! The status socket and the metrics server of a watch.

use std::path::PathBuf;
use std::sync::Arc;

use uphold::Steering;
use uphold_status::{Board, MetricsServer, StatusServer};

use super::flags::{SocketFlag, WatchFlags};
use crate::{CliError, socket_path};

/// The servers that the flags enable. Both stop when this is dropped.
pub(super) struct Servers {
    pub(super) status: Option<StatusServer>,
    _metrics: Option<MetricsServer>,
}

impl Servers {
    pub(super) fn start(flags: &WatchFlags, board: &Board, steering: &Steering) -> Result<Self, CliError> {
        let path = match &flags.socket {
            Some(SocketFlag::None) => None,
            Some(SocketFlag::At(path)) => Some(path.clone()),
            None => socket_path::default(),
        };
        let steering = Arc::new(RemoteSteering(steering.clone()));
        let start = |path: PathBuf| {
            let path = std::path::absolute(&path).unwrap_or(path);
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

/// The requests that clients of the socket can make.
struct RemoteSteering(Steering);

impl uphold_status::Steering for RemoteSteering {
    fn reload(&self) {
        self.0.reload();
    }

    fn recheck(&self) {
        self.0.recheck();
    }
}
