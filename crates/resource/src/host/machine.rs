//! The machine: one field for each interface.

use std::sync::Arc;

use super::{
    Accounts, Act, Clock, Commands, Facts, FileEdits, Files, ParseCache, Probes, Reading, UnitEdits, Units,
    Watcher,
};
use crate::error::{Error, ErrorKind, Result};

/// A machine: the interfaces to it, each of which can be replaced by assigning its field. Clones share the interfaces.
///
/// Kinds never get one: they get a [`Reading`] or an [`Act`] of it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Machine {
    /// Files and directories.
    pub files: Arc<dyn Files>,
    /// Changes of files and directories.
    pub edits: Arc<dyn FileEdits>,
    /// Commands and requests without side effects.
    pub probes: Arc<dyn Probes>,
    /// Commands and requests with side effects.
    pub commands: Arc<dyn Commands>,
    /// Users and groups.
    pub accounts: Arc<dyn Accounts>,
    /// systemd units.
    pub units: Arc<dyn Units>,
    /// Changes of units.
    pub unit_edits: Arc<dyn UnitEdits>,
    /// Facts.
    pub facts: Arc<dyn Facts>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub random: Arc<dyn Random>,
    /// Watchers that report changes.
    pub watchers: Arc<dyn Watchers>,
    /// Overlays for plans.
    pub predictor: Arc<dyn Predictor>,
    /// Parsed files, so that each is read once.
    pub parsed: Arc<ParseCache>,
}

impl Machine {
    /// A machine whose interfaces are all implemented by one value.
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

    /// An overlay of this machine for plans: changes of files stay in memory and are visible to later loads, and a command
    /// fails as [`Unpredictable`](ErrorKind::Unpredictable).
    #[must_use]
    pub fn overlay(&self) -> Self {
        self.predictor.over(self)
    }

    /// A view for reading, outside a run.
    pub fn reading(&self) -> Reading<'_> {
        *self.act()
    }

    /// A view for changing, outside a run.
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
    /// Fills `bytes` with unpredictable bytes, for passwords, keys and salts. A machine in memory gives the same bytes in
    /// the same order; an overlay fails as [`Unpredictable`](ErrorKind::Unpredictable).
    ///
    /// # Errors
    /// If the machine cannot provide random bytes.
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()>;
}

/// Creates watchers.
pub trait Watchers: Send + Sync {
    /// Starts to watch the machine.
    ///
    /// # Errors
    /// If it cannot be watched at all.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        Err(Error::new(ErrorKind::Unsupported, "this machine cannot be watched"))
    }
}

/// Creates overlays.
pub trait Predictor: Send + Sync {
    /// An overlay of `machine`. It shares all interfaces that read something else than files.
    fn over(&self, machine: &Machine) -> Machine;
}
