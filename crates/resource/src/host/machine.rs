//! The machine: one field per door.

use std::sync::Arc;

use super::{
    Accounts, Act, Clock, Commands, Facts, FileEdits, Files, ParseCache, Probes, Reading, UnitEdits, Units,
    Watcher,
};
use crate::error::{Error, ErrorKind, Result};

/// A machine: the doors to it, each of which can be replaced by assigning its field. A clone has the same doors.
///
/// Kinds never have one: they get a [`Reading`] or an [`Act`] of it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Machine {
    /// Files and directories.
    pub files: Arc<dyn Files>,
    /// Changes of files and directories.
    pub edits: Arc<dyn FileEdits>,
    /// Commands and requests that change nothing.
    pub probes: Arc<dyn Probes>,
    /// Commands and requests that change something.
    pub commands: Arc<dyn Commands>,
    /// Users and groups.
    pub accounts: Arc<dyn Accounts>,
    /// Units of systemd.
    pub units: Arc<dyn Units>,
    /// Changes of units.
    pub unit_edits: Arc<dyn UnitEdits>,
    /// Facts.
    pub facts: Arc<dyn Facts>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub random: Arc<dyn Random>,
    /// Reports of changes.
    pub watchers: Arc<dyn Watchers>,
    /// The overlay that a plan writes to.
    pub predictor: Arc<dyn Predictor>,
    /// Parsed files, so that each is read once.
    pub parsed: Arc<ParseCache>,
}

impl Machine {
    /// A machine of which one value is every door.
    pub fn new<D>(doors: Arc<D>) -> Self
    where
        D: Files + FileEdits + Probes + Commands + Accounts + Units + UnitEdits + Facts + Clock + 'static,
        D: Random + Watchers + Predictor,
    {
        Self {
            files: doors.clone(),
            edits: doors.clone(),
            probes: doors.clone(),
            commands: doors.clone(),
            accounts: doors.clone(),
            units: doors.clone(),
            unit_edits: doors.clone(),
            facts: doors.clone(),
            clock: doors.clone(),
            random: doors.clone(),
            watchers: doors.clone(),
            predictor: doors,
            parsed: Arc::default(),
        }
    }

    /// This machine as a plan may change it: what is written stays in memory and is seen by later loads, and a command fails
    /// as [`Unpredictable`](ErrorKind::Unpredictable).
    #[must_use]
    pub fn overlay(&self) -> Self {
        self.predictor.over(self)
    }

    /// The machine to load from, outside a run.
    pub fn reading(&self) -> Reading<'_> {
        *self.act()
    }

    /// The machine to change, outside a run.
    pub fn act(&self) -> Act<'_> {
        Act::new(self, None, &super::NoRun)
    }
}

impl From<&Machine> for Machine {
    fn from(machine: &Machine) -> Self {
        machine.clone()
    }
}

/// Random bytes.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable bytes: for passwords, keys and salts. A machine in memory gives the same ones in the
    /// same order, and an overlay fails as [`Unpredictable`](ErrorKind::Unpredictable).
    ///
    /// # Errors
    /// If there are none.
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()>;
}

/// The source of watchers.
pub trait Watchers: Send + Sync {
    /// Begins to watch the machine.
    ///
    /// # Errors
    /// If it cannot be watched at all.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        Err(Error::new(ErrorKind::Unsupported, "this machine cannot be watched"))
    }
}

/// The maker of overlays.
pub trait Predictor: Send + Sync {
    /// An overlay of `machine`, which shares all doors that only read something besides files.
    fn over(&self, machine: &Machine) -> Machine;
}
