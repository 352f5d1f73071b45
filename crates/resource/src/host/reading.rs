//! The view of the machine for reading it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limits::LimitedFile;
use super::{
    Accounts, Act, Around, Clock, Command, Facts, Files, Level, Machine, OpenFile, Output, Request, Response,
    RunView, Sink, Unit, VisitLimits,
};
use crate::error::Result;

/// A view of a machine for reading it, within a visit or outside. No method changes the machine, which is why a plan has
/// no side effects.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub(super) machine: &'a Machine,
    pub(super) limits: Option<&'a VisitLimits<'a>>,
    pub(super) view: &'a dyn RunView,
    /// The minimum level of messages that are reported.
    least: Level,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        machine: &'a Machine,
        limits: Option<&'a VisitLimits<'a>>,
        view: &'a dyn RunView,
    ) -> Self {
        Self { machine, limits, view, least: Level::Debug }
    }

    /// The same view within another run.
    #[must_use]
    pub fn with_run<'b>(&self, run: &'b dyn RunView) -> Reading<'b>
    where
        'a: 'b,
    {
        Reading { view: run, ..*self }
    }

    /// An overlay of the machine.
    pub fn overlay(&self) -> Machine {
        self.machine.overlay()
    }

    /// The same visit on an overlay, for a trial. Only warnings are reported.
    pub fn trial<'b>(&self, overlay: &'b Machine) -> Act<'b>
    where
        'a: 'b,
    {
        Act::of(Reading { machine: overlay, least: Level::Warning, ..*self })
    }

    /// The limits of the visit, for the visits of a nested run.
    pub fn limits(&self) -> Option<&'a VisitLimits<'a>> {
        self.limits
    }

    /// Files and directories.
    pub fn files(&self) -> &'a dyn Files {
        &*self.machine.files
    }

    /// Opens the regular file at `path` for reading in pieces, until the visit ends: see [`Files::open`].
    ///
    /// # Errors
    /// If it cannot be opened. Reading fails if the run was stopped, or the time limit of the visit is over.
    pub fn open(&self, path: &Path) -> Result<Box<dyn OpenFile + 'a>> {
        let file = self.files().open(path)?;
        Ok(match self.limits {
            Some(limits) => Box::new(LimitedFile { file, limits, clock: self.clock() }),
            None => file,
        })
    }

    /// `path` as the user finds it, for messages: below another root, with the path of the root.
    pub fn shown(&self, path: &Path) -> PathBuf {
        match self.files().root() {
            Some(root) => root.join(path.strip_prefix("/").unwrap_or(path)),
            None => path.to_owned(),
        }
    }

    /// Users and groups.
    pub fn accounts(&self) -> &'a dyn Accounts {
        &*self.machine.accounts
    }

    /// The time.
    pub fn clock(&self) -> &'a dyn Clock {
        &*self.machine.clock
    }

    /// Facts of the machine.
    pub fn facts(&self) -> &'a dyn Facts {
        &*self.machine.facts
    }

    /// Runs a command that changes nothing, within the limits of the visit: see [`Probes::probe`](super::Probes::probe).
    ///
    /// # Errors
    /// If it could not be started, or the run was stopped.
    pub fn probe(&self, command: &Command) -> Result<Output> {
        self.view.check_command(command)?;
        let Some(limits) = self.limits else { return self.machine.probes.probe(command) };
        limits.note_probe();
        limits.probe_result(self.machine.probes.probe(&limits.command(command, self.clock())))
    }

    /// Whether something accepts connections at a TCP port: see [`Probes::listens`](super::Probes::listens).
    ///
    /// # Errors
    /// If that cannot be determined.
    pub fn listens(&self, host: &str, port: u16, timeout: Duration) -> Result<bool> {
        if let Some(limits) = self.limits {
            limits.note_probe();
        }
        self.machine.probes.listens(host, port, timeout)
    }

    /// Sends a request that changes nothing, within the limits of the visit: see [`Probes::fetch`](super::Probes::fetch).
    ///
    /// # Errors
    /// If no complete response was received, or the run was stopped.
    pub fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        let Some(limits) = self.limits else { return self.machine.probes.fetch(request, sink) };
        limits.note_probe();
        limits.probe_result(self.machine.probes.fetch(&limits.request(request, self.clock()), sink))
    }

    /// Whether systemd is the running init system: see [`Units::is_in_charge`](super::Units::is_in_charge).
    pub fn has_units(&self) -> bool {
        self.machine.units.is_in_charge()
    }

    /// A systemd unit: see [`Units::unit`](super::Units::unit).
    ///
    /// # Errors
    /// If systemd did not answer.
    pub fn unit(&self, name: &str) -> Result<Unit> {
        self.unless_stopped(self.machine.units.unit(name))
    }

    pub(super) fn unless_stopped<T>(&self, result: Result<T>) -> Result<T> {
        match self.limits {
            Some(limits) => limits.unless_stopped(result),
            None => result,
        }
    }

    /// Reports a message to the user, as an event of the run.
    pub fn report(&self, level: Level, text: &str) {
        if level >= self.least {
            self.view.report(level, text);
        }
    }

    /// Whether a property of the resource was computed from a secret.
    pub fn holds_secret(&self, property: &str) -> bool {
        self.view.holds_secret(property)
    }

    /// Whether the resource is declared as sensitive, or any of its properties was computed from a secret. Files that it
    /// creates must not be readable by all users.
    pub fn is_sensitive(&self) -> bool {
        self.view.is_sensitive()
    }

    /// The run of the visit; `None` outside a run.
    pub fn around(&self) -> Option<&'a dyn Around> {
        self.view.around()
    }

    /// Whether a resource of this run creates `path`.
    pub fn provides(&self, path: &Path) -> bool {
        self.view.provides(path)
    }

    /// Whether a resource of this run writes a secret to `path`, or may do so because it fills a directory above it.
    pub fn is_secret_path(&self, path: &Path) -> bool {
        self.view.is_secret_path(path)
    }

    /// Whether `path` or something below it belongs to a resource of this run.
    pub fn manages(&self, path: &Path) -> bool {
        self.view.manages(path)
    }

    /// Whether a resource of this run manages `path` with its whole content, as for a checkout or a home directory.
    pub fn manages_contents(&self, path: &Path) -> bool {
        self.view.manages_contents(path)
    }

    /// Checks a command of a nested run.
    ///
    /// # Errors
    /// If it would show a secret.
    pub fn check_command(&self, command: &Command) -> Result<()> {
        self.view.check_command(command)
    }
}
