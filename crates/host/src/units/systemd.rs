//! The systemd of this machine.

use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Mutex, Result, Stop, Unit, UnitFileChange, UnitFileState, UnitJob};

use super::job::{RunningJob, call_failed, refused};
use super::reloading::Reloading;
use super::status::manager;
use super::{offline, status};
use crate::bus::{Body, CallError, Connection, Deadline};
use crate::root::Root;

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

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock()
    }
}

/// The error for a job where systemd does not run.
fn not_running(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what}: systemd does not run here"))
        .hint("leave `running` unset, or run Uphold on the booted machine")
}
