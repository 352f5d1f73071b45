//! The view of the machine for `apply`.

use std::ops::Deref;

use super::{
    Command, FileEdits, Machine, Output, Reading, Request, Response, RunView, Sink, UnitFileChange, UnitJob,
    VisitLimits,
};
use crate::error::Result;

/// A view of a machine for reading and changing it, within a visit or outside.
#[derive(Clone, Copy)]
pub struct Act<'a> {
    reading: Reading<'a>,
    edits: &'a dyn FileEdits,
}

impl<'a> Deref for Act<'a> {
    type Target = Reading<'a>;

    fn deref(&self) -> &Reading<'a> {
        &self.reading
    }
}

impl<'a> Act<'a> {
    /// A view of `machine`.
    pub fn new(machine: &'a Machine, limits: Option<&'a VisitLimits<'a>>, run: &'a dyn RunView) -> Self {
        Self::of(Reading::new(machine, limits, run))
    }

    pub(super) fn of(reading: Reading<'a>) -> Self {
        Self { reading, edits: &*reading.machine.edits }
    }

    /// The view for one visit, whose changes of files go to `edits`.
    pub fn visit<'b>(
        &self,
        limits: &'b VisitLimits<'b>,
        run: &'b dyn RunView,
        edits: &'b dyn FileEdits,
    ) -> Act<'b>
    where
        'a: 'b,
    {
        Act { reading: Reading::new(self.reading.machine, Some(limits), run), edits }
    }

    /// Changes of files and directories.
    pub fn edits(&self) -> &'a dyn FileEdits {
        self.edits
    }

    /// Runs a command that changes something, within the limits of the visit: see
    /// [`Commands::run`](super::Commands::run).
    ///
    /// # Errors
    /// If it could not be started.
    pub fn run(&self, command: &Command) -> Result<Output> {
        self.view.check_command(command)?;
        match self.limits {
            Some(limits) => self.machine.commands.run(&limits.command(command, self.clock())),
            None => self.machine.commands.run(command),
        }
    }

    /// Sends a request that changes something, within the limits of the visit: see
    /// [`Commands::send`](super::Commands::send).
    ///
    /// # Errors
    /// If no complete response was received.
    pub fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        match self.limits {
            Some(limits) => self.machine.commands.send(&limits.request(request, self.clock()), sink),
            None => self.machine.commands.send(request, sink),
        }
    }

    /// Runs a systemd job, within the limits of the visit: see [`UnitEdits::run_job`](super::UnitEdits::run_job).
    ///
    /// # Errors
    /// If it failed, or systemd did not answer.
    pub fn run_job(&self, job: &UnitJob) -> Result<()> {
        let run = |job: &UnitJob| self.unless_stopped(self.machine.unit_edits.run_job(job));
        match self.limits {
            Some(limits) => run(&limits.job(job, self.clock())),
            None => run(job),
        }
    }

    /// Changes the files of a unit: see [`UnitEdits::change_files`](super::UnitEdits::change_files).
    ///
    /// # Errors
    /// If it failed, or systemd did not answer.
    pub fn change_unit_files(&self, change: UnitFileChange, unit: &str) -> Result<()> {
        self.unless_stopped(self.machine.unit_edits.change_files(change, unit))
    }

    /// Makes systemd reload its unit files: see [`UnitEdits::reload_units`](super::UnitEdits::reload_units).
    ///
    /// # Errors
    /// If it failed, or systemd did not answer.
    pub fn reload_units(&self) -> Result<()> {
        self.unless_stopped(self.machine.unit_edits.reload_units())
    }

    /// Fills `bytes` with random bytes: see [`Random::fill_random`](super::Random::fill_random).
    ///
    /// # Errors
    /// If the machine cannot provide random bytes.
    pub fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        self.machine.random.fill_random(bytes)
    }
}
