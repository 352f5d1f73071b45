//! The machine as `load` sees it: it also knows what of the resource is asked for.

use std::path::Path;

use crate::host::{Accounts, Around, Clock, Facts, Files, Host, Level, Notes, Observe, Probes, Units};

/// Passes everything on; what somebody wants of the resource is needed, too.
pub struct Asked<'a> {
    /// Whether somebody wants a property.
    pub wants: &'a (dyn Fn(&str) -> bool + Sync),
    /// The machine.
    pub host: &'a dyn Observe,
}

impl Observe for Asked<'_> {
    fn overlay(&self) -> Box<dyn Host + '_> {
        self.host.overlay()
    }

    fn files(&self) -> &dyn Files {
        self.host.files()
    }

    fn probes(&self) -> &dyn Probes {
        self.host.probes()
    }

    fn accounts(&self) -> &dyn Accounts {
        self.host.accounts()
    }

    fn clock(&self) -> &dyn Clock {
        self.host.clock()
    }

    fn facts(&self) -> &dyn Facts {
        self.host.facts()
    }

    fn units(&self) -> &dyn Units {
        self.host.units()
    }

    fn notes(&self) -> &Notes {
        self.host.notes()
    }

    fn say(&self, level: Level, text: &str) {
        self.host.say(level, text);
    }

    fn needs(&self, property: &str) -> bool {
        (self.wants)(property) || self.host.needs(property)
    }

    fn around(&self) -> Option<&dyn Around> {
        self.host.around()
    }

    fn provides(&self, path: &Path) -> bool {
        self.host.provides(path)
    }

    fn manages(&self, path: &Path) -> bool {
        self.host.manages(path)
    }
}
