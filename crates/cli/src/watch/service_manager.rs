//! Notifications to the service manager, by systemd's protocol.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use uphold::resource::Stop;
use uphold::{Event, EventKind, Verdict};
use uphold_status::StatusModel;

use super::liveness::{Liveness, Watchdog};
use crate::CliError;
use crate::diagnostics::{count, counts};

/// Reports the state of a watch to the service manager, if there is one.
#[derive(Default)]
pub(super) struct Supervision {
    manager: Option<ServiceManager>,
    /// The status as last sent.
    status: Status,
    is_reloading: bool,
    /// Whether the first run is finished.
    is_ready: bool,
    _watchdog: Option<Watchdog>,
}

impl Supervision {
    /// Configured by the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    pub(super) fn begin(board: &StatusModel, liveness: &Liveness, stop: &Stop) -> Result<Self, CliError> {
        let Some(address) = variable("NOTIFY_SOCKET").filter(|address| !address.is_empty()) else {
            return Ok(Self::default());
        };
        let manager = ServiceManager::at(&address)?;
        let stopping = manager.clone();
        stop.wake(move || stopping.send("STOPPING=1\nSTATUS=stopping"));
        let watchdog = match watchdog_interval() {
            Some(interval) => Some(Watchdog::start(manager.clone(), interval, is_alive(board, liveness))?),
            None => None,
        };
        Ok(Self { manager: Some(manager), _watchdog: watchdog, ..Self::default() })
    }

    /// Handles an event that the status board has recorded.
    pub(super) fn event(&mut self, event: &Event, board: &StatusModel) {
        if self.manager.is_none() {
            return;
        }
        match &event.kind {
            EventKind::RunStarted { actions, .. } if !self.is_ready => {
                self.send_status(Status {
                    words: format!("applying {}", count(*actions, "action")),
                    is_fine: true,
                });
            }
            EventKind::Watching { .. } if !self.is_ready || self.is_reloading => self.ready(board),
            EventKind::Watching { .. } => self.send_status(Status::of(board)),
            EventKind::Finished { verdict, .. } if self.is_ready && self.matters(verdict) => {
                self.send_status(Status::of(board));
            }
            _ => {}
        }
    }

    /// The configuration is about to be reloaded.
    pub(super) fn reloading(&mut self) {
        if let Some(manager) = &self.manager {
            self.is_reloading = true;
            manager.send(&format!("RELOADING=1\nMONOTONIC_USEC={}", monotonic().as_micros()));
        }
    }

    /// The reload ended without a new configuration.
    pub(super) fn reloaded(&mut self, board: &StatusModel) {
        if self.is_reloading {
            self.ready(board);
        }
    }

    /// Whether a visit can have changed the status.
    fn matters(&self, verdict: &Verdict) -> bool {
        let is_fine = matches!(verdict, Verdict::Unchanged | Verdict::Changed(_) | Verdict::NotWanted(_));
        !self.status.is_fine || !is_fine
    }

    fn ready(&mut self, board: &StatusModel) {
        let Some(manager) = &self.manager else { return };
        self.is_reloading = false;
        self.is_ready = true;
        self.status = Status::of(board);
        manager.send(&format!("READY=1\nSTATUS={}", self.status.words));
    }

    fn send_status(&mut self, status: Status) {
        let Some(manager) = self.manager.as_ref().filter(|_| self.status != status) else { return };
        manager.send(&format!("STATUS={}", status.words));
        self.status = status;
    }
}

/// The status line of the service.
#[derive(Default, PartialEq, Eq)]
struct Status {
    words: String,
    /// Whether everything is as declared.
    is_fine: bool,
}

impl Status {
    /// `watching 12 resources, 1 failed`.
    fn of(board: &StatusModel) -> Self {
        let overview = board.overview(0);
        let totals = overview.totals;
        let wrong =
            counts([(totals.failed, "failed"), (totals.blocked, "blocked"), (totals.differs, "differ")]);
        let refused = overview.reload_error.map_or("", |_| "; the configuration was refused");
        let words = format!("watching {}{wrong}{refused}", count(totals.all, "resource"));
        Self { words, is_fine: wrong.is_empty() }
    }
}

/// Whether the engine is alive: it waits again after each wake-up, or resources are being visited. A visit may occupy all
/// workers; its events must still reach the status board.
fn is_alive(board: &StatusModel, liveness: &Liveness) -> impl FnMut() -> bool + Send + 'static {
    let (board, liveness) = (board.clone(), liveness.clone());
    let mut last = 0;
    move || liveness.check(&mut last) || board.overview(0).totals.busy > 0
}

/// The watchdog interval, if it is meant for this process.
fn watchdog_interval() -> Option<Duration> {
    let number = |name| variable(name)?.to_str()?.parse::<u64>().ok();
    let is_ours =
        variable("WATCHDOG_PID").is_none() || number("WATCHDOG_PID") == Some(std::process::id().into());
    number("WATCHDOG_USEC").filter(|span| is_ours && *span > 0).map(Duration::from_micros)
}

#[expect(clippy::disallowed_methods, reason = "the service manager passes its parameters in the environment")]
fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// The kernel's monotonic clock, which the service manager uses, too.
fn monotonic() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

/// The notification socket of the service manager. Clones share the socket.
///
/// Errors of sending are ignored: a watch works without its service manager, too.
#[derive(Clone, Debug)]
pub(super) struct ServiceManager {
    socket: Arc<UnixDatagram>,
    address: SocketAddr,
}

impl ServiceManager {
    /// `address` is the value of `NOTIFY_SOCKET`: a path, or an abstract name that begins with `@`.
    fn at(address: &std::ffi::OsStr) -> Result<Self, CliError> {
        let fail = |error| {
            let message = format!("cannot notify the service manager at {}", address.display());
            CliError::new(message).because(&error)
        };
        let address = match address.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name).map_err(fail)?,
            _ => SocketAddr::from_pathname(Path::new(address)).map_err(fail)?,
        };
        let socket = UnixDatagram::unbound().map_err(fail)?;
        // A manager that does not read must not block the watch.
        socket.set_nonblocking(true).map_err(fail)?;
        Ok(Self { socket: Arc::new(socket), address })
    }

    /// Sends assignments, one per line. No status contains text of the user, which could begin another line.
    pub(super) fn send(&self, assignments: &str) {
        let _ = self.socket.send_to_addr(assignments.as_bytes(), &self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifies_an_abstract_socket() {
        let name = format!("uphold-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let manager = UnixDatagram::bind_addr(&address).expect("a socket");
        let ours = ServiceManager::at(std::ffi::OsStr::new(&format!("@{name}"))).expect("an address");
        let heard = || {
            let mut buffer = [0; 256];
            let length = manager.recv(&mut buffer).expect("a message");
            String::from_utf8_lossy(&buffer[..length]).into_owned()
        };
        ours.send("READY=1\nSTATUS=watching");
        assert_eq!(heard(), "READY=1\nSTATUS=watching");
        drop(manager);
        ours.send("WATCHDOG=1");
    }
}
