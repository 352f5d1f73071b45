//! The systemd of this machine.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Result, Stop, Unit, UnitFileChange, UnitFileState, UnitJob};

use super::job::{RunningJob, complaint, refused};
use super::object::manager;
use super::reloading::Reloading;
use super::{offline, status};
use crate::bus::{Body, Connection, Patience, Trouble};
use crate::root::Root;

/// systemd answers a question at once, unless it is busy with its own files.
const ANSWER: Duration = Duration::from_secs(30);

/// All unit files are read in a moment; generators may take longer.
const RELOAD: Duration = Duration::from_secs(120);

/// The sign of systemd that it is in charge.
const IN_CHARGE: &str = "/run/systemd/system";

/// What is behind the doors for units. Connections are made when they are needed, and kept: as many as threads
/// look at one time. A job has its own for as long as it goes on.
#[derive(Default)]
pub(crate) struct Systemd {
    idle: Mutex<Vec<Connection>>,
    reloading: Reloading,
}

impl Systemd {
    /// Whether systemd runs this machine, and we may speak to it about what is below `root`.
    pub(crate) fn is_in_charge(root: &Root) -> bool {
        root.under().is_none() && std::path::Path::new(IN_CHARGE).is_dir()
    }

    /// What there is to say about a unit.
    pub(crate) fn unit(&self, root: &Root, name: &str, stop: &Stop) -> Result<Unit> {
        if !Self::is_in_charge(root) {
            return offline::look(root, name, stop);
        }
        let patience = Patience::firm(ANSWER, stop);
        let unit = self
            .with_connection(patience, |connection| status::ask(connection, name, patience))
            .map_err(|trouble| complaint(&format!("cannot ask systemd about {name}"), trouble))?;
        match unit.file_state {
            // A script of an older system: only this knows what starts it.
            UnitFileState::Fixed("generated") => {
                Ok(Unit { file_state: offline::is_enabled(root, name, false, stop)?, ..unit })
            }
            _ => Ok(unit),
        }
    }

    /// Does something with a unit, and waits for its end.
    pub(crate) fn run_job(root: &Root, job: &UnitJob, stop: &Stop) -> Result<()> {
        if !Self::is_in_charge(root) {
            return Err(nobody_runs_units(&format!("cannot {} {}", job.verb.word(), job.unit)));
        }
        RunningJob::connect(job, stop).map_err(|trouble| refused(job, trouble))?.finish()
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

    /// Lets systemd read all unit files again.
    pub(crate) fn reload(&self, root: &Root, stop: &Stop) -> Result<()> {
        if !Self::is_in_charge(root) {
            return Ok(());
        }
        let patience = Patience::firm(RELOAD, stop);
        let reload = || {
            let call = manager("Reload", Body::default());
            self.with_connection(patience, |connection| connection.call(&call, patience))
                .map(drop)
                .map_err(|trouble| complaint("cannot let systemd read its units again", trouble))
        };
        self.reloading.share(reload)
    }

    /// Asks over a connection that nobody else uses meanwhile. One that was lost since it was last used is made anew.
    fn with_connection<T>(
        &self,
        patience: Patience<'_>,
        ask: impl Fn(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let kept = self.idle().pop();
        if let Some(mut connection) = kept {
            match ask(&mut connection) {
                Err(Trouble::Lost(_)) => {}
                answer => return self.keep(connection, answer),
            }
        }
        let mut connection = Connection::open(patience)?;
        let answer = ask(&mut connection);
        self.keep(connection, answer)
    }

    /// A late answer could be taken for another one: such a connection is not kept. Nor is one without a bus: systemd tells
    /// it everything, and nobody would listen.
    fn keep<T>(&self, connection: Connection, answer: Result<T, Trouble>) -> Result<T, Trouble> {
        if connection.has_bus && matches!(answer, Ok(_) | Err(Trouble::Refused { .. })) {
            self.idle().push(connection);
        }
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// There is nobody who could do that.
fn nobody_runs_units(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what}: systemd does not run here"))
        .hint("leave `running` unset, or run Uphold on the booted machine")
}
