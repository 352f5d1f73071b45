//! The machine while something is only tried.

use std::path::Path;

use uphold_resource::{
    Accounts, Around, Clock, Commands, Facts, FileEdits, Files, Host, Level, Notes, Observe, Probes, Result,
    UnitEdits, Units,
};

/// What is written goes to an overlay; what is asked goes to the visit around it. What is said is for nobody: it is said
/// again when it is done.
pub(crate) struct Tried<'a> {
    pub(crate) machine: &'a dyn Host,
    pub(crate) around: &'a dyn Observe,
}

impl Observe for Tried<'_> {
    fn overlay(&self) -> Box<dyn Host + '_> {
        self.machine.overlay()
    }

    fn files(&self) -> &dyn Files {
        self.machine.files()
    }

    fn probes(&self) -> &dyn Probes {
        self.around.probes()
    }

    fn accounts(&self) -> &dyn Accounts {
        self.machine.accounts()
    }

    fn clock(&self) -> &dyn Clock {
        self.machine.clock()
    }

    fn facts(&self) -> &dyn Facts {
        self.machine.facts()
    }

    fn units(&self) -> &dyn Units {
        self.around.units()
    }

    fn notes(&self) -> &Notes {
        self.machine.notes()
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
        self.machine.edits()
    }

    fn commands(&self) -> &dyn Commands {
        self.machine.commands()
    }

    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        self.machine.fill_random(bytes)
    }

    fn unit_edits(&self) -> &dyn UnitEdits {
        self.machine.unit_edits()
    }
}
