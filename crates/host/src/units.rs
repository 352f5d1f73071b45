//! systemd units: over D-Bus where systemd runs, and through `systemctl` where it does not.

mod job;
mod offline;
mod status;

use std::sync::{Condvar, MutexGuard, PoisonError};
use std::time::Duration;

use job::{RunningJob, call_failed, refused};
use uphold_resource::{Error, ErrorKind, Mutex, Result, Stop, Unit, UnitFileChange, UnitFileState, UnitJob};

use super::bus::{Body, CallError, Connection, Deadline};
use super::root::Root;

pub(crate) use status::{MANAGER_PATH, manager, unit_path};

// The systemd of this machine.

/// Timeout of a question. systemd answers immediately, unless it is busy with its own files.
const ANSWER: Duration = Duration::from_secs(30);

/// Timeout of a reload. Reading all unit files is quick; generators may take longer.
const RELOAD: Duration = Duration::from_secs(120);

/// The directory that exists while systemd runs.
const RUNTIME_DIRECTORY: &str = "/run/systemd/system";

/// The client of systemd. Connections are opened when they are needed, and reused: as many as threads that use them at the
/// same time. A job has its own.
#[derive(Default)]
pub(crate) struct Systemd {
    idle: Mutex<Vec<Connection>>,
    reloading: Reloading,
}

impl Systemd {
    /// Whether systemd is the running init system, and `root` is the machine's own.
    pub(crate) fn is_in_charge(root: &Root) -> bool {
        root.under().is_none() && std::path::Path::new(RUNTIME_DIRECTORY).is_dir()
    }

    /// The state of a unit.
    pub(crate) fn unit(&self, root: &Root, name: &str, stop: &Stop) -> Result<Unit> {
        if !Self::is_in_charge(root) {
            return offline::look(root, name, stop);
        }
        let deadline = Deadline::firm(ANSWER, stop);
        let unit = self
            .with_connection(deadline, |connection| status::ask(connection, name, deadline))
            .map_err(|error| call_failed(&format!("cannot read the state of {name} from systemd"), error))?;
        match unit.file_state {
            // An init script: only `systemctl` knows whether it is enabled.
            UnitFileState::Fixed("generated") => {
                Ok(Unit { file_state: offline::is_enabled(root, name, false, stop)?, ..unit })
            }
            _ => Ok(unit),
        }
    }

    /// Runs a job of a unit, and waits for its end.
    pub(crate) fn run_job(root: &Root, job: &UnitJob, stop: &Stop) -> Result<()> {
        if !Self::is_in_charge(root) {
            return Err(not_running(&format!("cannot {} {}", job.verb.word(), job.unit)));
        }
        RunningJob::connect(job, stop).map_err(|error| refused(job, error))?.finish()
    }

    /// Changes the links of a unit's file.
    pub(crate) fn change_files(
        &self,
        root: &Root,
        change: UnitFileChange,
        unit: &str,
        stop: &Stop,
    ) -> Result<()> {
        offline::change(root, change, unit, !Self::is_in_charge(root), stop)?;
        self.reload(root, stop)
    }

    /// Makes systemd reload all unit files.
    pub(crate) fn reload(&self, root: &Root, stop: &Stop) -> Result<()> {
        if !Self::is_in_charge(root) {
            return Ok(());
        }
        let deadline = Deadline::firm(RELOAD, stop);
        let reload = || {
            let call = manager("Reload", Body::default());
            self.with_connection(deadline, |connection| connection.call(&call, deadline))
                .map(drop)
                .map_err(|error| call_failed("cannot reload the units of systemd", error))
        };
        self.reloading.share(reload)
    }

    /// Calls `ask` with a connection that no other thread uses. A connection that was lost since its last use is replaced.
    fn with_connection<T>(
        &self,
        deadline: Deadline<'_>,
        ask: impl Fn(&mut Connection) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let idle = self.idle().pop();
        if let Some(mut connection) = idle {
            match ask(&mut connection) {
                Err(CallError::Lost(_)) => {}
                answer => return self.keep(connection, answer),
            }
        }
        let mut connection = Connection::open(deadline)?;
        let answer = ask(&mut connection);
        self.keep(connection, answer)
    }

    /// Keeps a connection for the next use, unless a late reply could be taken for another one. One without a bus is not kept
    /// either: systemd sends it all signals, which would not be read.
    fn keep<T>(&self, connection: Connection, answer: Result<T, CallError>) -> Result<T, CallError> {
        if connection.has_bus && matches!(answer, Ok(_) | Err(CallError::Refused { .. })) {
            self.idle().push(connection);
        }
        answer
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock()
    }
}

/// The error for a job where systemd does not run.
fn not_running(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what}: systemd does not run here"))
        .hint("leave `running` unset, or run Uphold on the booted machine")
}

// Shared reloads of unit files.

/// Shares reloads: callers that arrive during a reload share the next one.
#[derive(Default)]
struct Reloading {
    requests: Mutex<Requests>,
    ended: Condvar,
}

/// Counts of requests.
#[derive(Default)]
struct Requests {
    received: u64,
    /// The last request that a successful reload covered.
    done: u64,
    is_busy: bool,
}

impl Reloading {
    /// Returns when a `reload` that began after this call has succeeded, or when its own has failed.
    fn share(&self, reload: impl Fn() -> Result<()>) -> Result<()> {
        let mut requests = self.requests();
        requests.received += 1;
        let mine = requests.received;
        loop {
            if requests.done >= mine {
                return Ok(());
            }
            if !requests.is_busy {
                break;
            }
            requests = self.ended.wait(requests).unwrap_or_else(PoisonError::into_inner);
        }
        requests.is_busy = true;
        let covered = requests.received;
        drop(requests);
        let result = reload();
        let mut requests = self.requests();
        requests.is_busy = false;
        if result.is_ok() {
            requests.done = covered;
        }
        self.ended.notify_all();
        result
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use uphold_resource::Error;

    use super::*;

    #[test]
    fn waiting_callers_share_a_reload() {
        let (reloading, count) = (Reloading::default(), AtomicUsize::new(0));
        let reload = || {
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(50));
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|| reloading.share(reload).unwrap());
            }
        });
        assert!((1..=3).contains(&count.load(Ordering::Relaxed)), "{count:?}");
        reloading.share(reload).unwrap();
        assert!(count.load(Ordering::Relaxed) >= 2, "a later caller gets a new one");
    }

    #[test]
    fn a_failure_is_returned_and_does_not_block() {
        let reloading = Reloading::default();
        assert!(reloading.share(|| Err(Error::failed("no"))).is_err());
        assert!(reloading.share(|| Ok(())).is_ok());
    }
}
