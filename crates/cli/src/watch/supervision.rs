//! The service manager, and what it needs to know of a watch.

use std::time::Duration;

use uphold::resource::Stop;
use uphold::{Event, EventKind, Verdict};
use uphold_status::Board;

use super::pulse::Pulse;
use super::service_manager::ServiceManager;
use super::watchdog::Watchdog;
use crate::diagnostics::count;
use crate::error::CliError;

/// Tells the service manager how it goes, if there is one that wants to be told.
#[derive(Default)]
pub(super) struct Supervision {
    manager: Option<ServiceManager>,
    /// What it was told last.
    status: Status,
    is_reloading: bool,
    /// Whether everything was visited once.
    is_ready: bool,
    _watchdog: Option<Watchdog>,
}

impl Supervision {
    /// As the environment says: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///
    /// # Errors
    /// If the address is none.
    pub(super) fn begin(board: &Board, pulse: &Pulse, stop: &Stop) -> Result<Self, CliError> {
        let Some(address) = variable("NOTIFY_SOCKET").filter(|address| !address.is_empty()) else {
            return Ok(Self::default());
        };
        let manager = ServiceManager::at(&address)?;
        let farewell = manager.clone();
        stop.wake(move || farewell.stopping());
        let watchdog = match allowed() {
            Some(span) => Some(Watchdog::start(manager.clone(), span, sign_of_life(board, pulse))?),
            None => None,
        };
        Ok(Self { manager: Some(manager), _watchdog: watchdog, ..Self::default() })
    }

    /// Something happened that the board has noted.
    pub(super) fn event(&mut self, event: &Event, board: &Board) {
        if self.manager.is_none() {
            return;
        }
        match &event.kind {
            EventKind::RunStarted { actions, .. } if !self.is_ready => {
                self.tell(Status { words: format!("visiting {}", count(*actions, "action")), is_fine: true });
            }
            EventKind::Watching { .. } if !self.is_ready || self.is_reloading => self.settled(board),
            EventKind::Watching { .. } => self.tell(Status::of(board)),
            EventKind::Finished { verdict, .. } if self.is_ready && self.matters(verdict) => {
                self.tell(Status::of(board));
            }
            _ => {}
        }
    }

    /// The configuration is about to be read again.
    pub(super) fn reloading(&mut self) {
        if let Some(manager) = &self.manager {
            self.is_reloading = true;
            manager.reloading(monotonic());
        }
    }

    /// It was, and is not taken up.
    pub(super) fn reloaded(&mut self, board: &Board) {
        if self.is_reloading {
            self.settled(board);
        }
    }

    /// Whether a visit can have changed the status: what was in order and still is, or was put right, does not.
    fn matters(&self, verdict: &Verdict) -> bool {
        let is_fine = matches!(verdict, Verdict::Unchanged | Verdict::Changed(_) | Verdict::NotWanted(_));
        !self.status.is_fine || !is_fine
    }

    fn settled(&mut self, board: &Board) {
        let Some(manager) = &self.manager else { return };
        self.is_reloading = false;
        self.is_ready = true;
        self.status = Status::of(board);
        manager.ready(&self.status.words);
    }

    fn tell(&mut self, status: Status) {
        let Some(manager) = self.manager.as_ref().filter(|_| self.status != status) else { return };
        manager.status(&status.words);
        self.status = status;
    }
}

/// How it goes, in one line.
#[derive(Default, PartialEq, Eq)]
struct Status {
    words: String,
    /// Whether everything is held.
    is_fine: bool,
}

impl Status {
    /// `holding 12 resources, 1 failed`.
    fn of(board: &Board) -> Self {
        let overview = board.overview(0);
        let totals = overview.totals;
        let told = [(totals.failed, "failed"), (totals.blocked, "blocked"), (totals.differ, "differ")];
        let wrong = told.iter().filter(|(number, _)| *number > 0);
        let wrong: String = wrong.map(|(number, word)| format!(", {number} {word}")).collect();
        let refused = overview.refused.map_or("", |_| "; the configuration was refused");
        let words = format!("holding {}{wrong}{refused}", count(totals.all, "resource"));
        Self { words, is_fine: wrong.is_empty() }
    }
}

/// Whether the engine answers: each time it is called, and has to listen to the machine again before the next time.
/// While something is visited, nobody may be free to do so; but events still have to pass, or the board is never told.
fn sign_of_life(board: &Board, pulse: &Pulse) -> impl FnMut() -> bool + Send + 'static {
    let (board, pulse) = (board.clone(), pulse.clone());
    let mut last = 0;
    move || pulse.feel(&mut last) || board.overview(0).totals.busy > 0
}

/// How long we may be silent, if that is meant for us.
fn allowed() -> Option<Duration> {
    let number = |name| variable(name)?.to_str()?.parse::<u64>().ok();
    let is_ours =
        variable("WATCHDOG_PID").is_none() || number("WATCHDOG_PID") == Some(std::process::id().into());
    number("WATCHDOG_USEC").filter(|span| is_ours && *span > 0).map(Duration::from_micros)
}

#[expect(clippy::disallowed_methods, reason = "the service manager speaks by the environment")]
fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// The kernel's monotonic clock, which is the one that the manager compares with.
fn monotonic() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}
