//! Looking, and looking and changing.

use std::path::Path;
use std::sync::Arc;

use super::{
    Accounts, Around, Clock, Commands, Facts, FileEdits, Files, Notes, Probes, UnitEdits, Units, Watcher,
};
use crate::error::{Error, ErrorKind, Result};

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For those who want to know everything.
    Debug,
    /// Worth reading.
    Info,
    /// Should be looked at.
    Warning,
}

/// A machine to look at. There is no way to change anything through it, which is why a plan can
/// be trusted.
pub trait Observe: Send + Sync {
    /// Files and directories.
    fn files(&self) -> &dyn Files;
    /// Commands that only look.
    fn probes(&self) -> &dyn Probes;
    /// Users and groups.
    fn accounts(&self) -> &dyn Accounts;
    /// The time.
    fn clock(&self) -> &dyn Clock;
    /// What the machine is.
    fn facts(&self) -> &dyn Facts;
    /// The units of systemd.
    fn units(&self) -> &dyn Units;
    /// What was made of files, so that each is read once: used through
    /// [`parsed`](trait.Observe.html#method.parsed).
    fn notes(&self) -> &Notes;

    /// This machine as a plan may change it: what is written stays in memory and is seen by later
    /// looks, and a command fails as [`Unpredictable`](crate::ErrorKind::Unpredictable).
    fn overlay(&self) -> Box<dyn Host + '_>;

    /// Tells the user something. A library never prints; this becomes an event of the run.
    fn say(&self, level: Level, text: &str) {
        let _ = (level, text);
    }

    /// Whether anybody asked for this property: the user set it, another resource reads it, or
    /// it is being read from outside. What nobody asked for need not be loaded when that is
    /// expensive.
    fn needs(&self, property: &str) -> bool {
        let _ = property;
        true
    }

    /// Whether somebody only reads what is there: nothing is compared with a wish, or removed.
    fn only_reads(&self) -> bool {
        false
    }

    /// Whether a property of the resource that is visited was computed from a secret.
    fn holds_secret(&self, property: &str) -> bool {
        let _ = property;
        false
    }

    /// Whether the resource that is visited is declared as sensitive, or any of its properties was computed from a secret.
    /// What it creates should not be for everybody to read.
    fn is_sensitive(&self) -> bool {
        false
    }

    /// The run around, if there is one.
    fn around(&self) -> Option<&dyn Around> {
        None
    }

    /// Whether a resource of this run makes sure that `path` is there.
    fn provides(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run puts a secret at `path`, or may do so because it fills a directory above it.
    fn is_secret_path(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether `path` or something below it belongs to a resource of this run.
    fn manages(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run answers for `path` with everything inside, as for a checkout or a home directory.
    fn manages_contents(&self, path: &Path) -> bool {
        let _ = path;
        false
    }
}

/// A machine to look at and to change.
pub trait Host: Observe {
    /// Changing files and directories.
    fn edits(&self) -> &dyn FileEdits;
    /// Commands that change something.
    fn commands(&self) -> &dyn Commands;
    /// Fills `bytes` with what nobody can guess: for passwords, keys and salts. A machine in memory gives the same
    /// to whoever asks in the same order, and an overlay fails as
    /// [`Unpredictable`](crate::ErrorKind::Unpredictable).
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()>;
    /// Changing units of systemd.
    fn unit_edits(&self) -> &dyn UnitEdits;
    /// Begins to watch the machine.
    ///
    /// # Errors
    /// If it cannot be watched at all.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        Err(Error::new(ErrorKind::Unsupported, "this machine cannot be watched"))
    }
}
