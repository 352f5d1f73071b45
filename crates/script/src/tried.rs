//! The machine while something is only tried.

use std::path::Path;
use std::sync::OnceLock;

use uphold_resource::{
    Accounts, Around, Clock, Commands, Facts, FileEdits, Files, Host, Level, Notes, Observe, Probes, Result,
    UnitEdits, Units,
};

/// What is written goes to an overlay; what is asked goes to the visit around it. What is said is for nobody: it is said
/// again when it is done.
pub(crate) struct Tried<'a> {
    /// Made when somebody asks for it: most bodies find nothing to do.
    overlay: OnceLock<Box<dyn Host + 'a>>,
    around: &'a dyn Observe,
}

impl<'a> Tried<'a> {
    pub(crate) fn new(around: &'a dyn Observe) -> Self {
        Self { overlay: OnceLock::new(), around }
    }

    fn machine(&self) -> &dyn Host {
        &**self.overlay.get_or_init(|| self.around.overlay())
    }
}

impl Observe for Tried<'_> {
    fn overlay(&self) -> Box<dyn Host + '_> {
        self.machine().overlay()
    }

    fn files(&self) -> &dyn Files {
        self.machine().files()
    }

    fn probes(&self) -> &dyn Probes {
        self.around.probes()
    }

    fn accounts(&self) -> &dyn Accounts {
        self.around.accounts()
    }

    fn clock(&self) -> &dyn Clock {
        self.around.clock()
    }

    fn facts(&self) -> &dyn Facts {
        self.around.facts()
    }

    fn units(&self) -> &dyn Units {
        self.around.units()
    }

    fn notes(&self) -> &Notes {
        self.machine().notes()
    }

    fn say(&self, _: Level, _: &str) {}

    fn needs(&self, property: &str) -> bool {
        self.around.needs(property)
    }

    fn around(&self) -> Option<&dyn Around> {
        self.around.around()
    }

    fn provides(&self, path: &Path) -> bool {
        self.around.provides(path)
    }

    fn manages(&self, path: &Path) -> bool {
        self.around.manages(path)
    }
}

impl Host for Tried<'_> {
    fn edits(&self) -> &dyn FileEdits {
        self.machine().edits()
    }

    fn commands(&self) -> &dyn Commands {
        self.machine().commands()
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        self.machine().fill_random(bytes)
    }

    fn unit_edits(&self) -> &dyn UnitEdits {
        self.machine().unit_edits()
    }
}
