//! Knowledge of the run around a visit.

use std::path::Path;

use super::{Around, Command};
use crate::error::Result;

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

/// What a run knows about the resource that is visited and about the others. The defaults hold outside a run.
pub trait RunView: Sync {
    /// Reports something to the user.
    fn report(&self, level: Level, text: &str) {
        let _ = (level, text);
    }

    /// Whether a property is read by another resource, or from outside.
    fn needs(&self, property: &str) -> bool {
        let _ = property;
        true
    }

    /// Whether a property was computed from a secret.
    fn holds_secret(&self, property: &str) -> bool {
        let _ = property;
        false
    }

    /// Whether the resource is declared as sensitive, or any of its properties was computed from a secret.
    fn is_sensitive(&self) -> bool {
        false
    }

    /// The run, for kinds that declare resources of their own.
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

    /// Whether a resource of this run manages `path` with everything inside, as for a checkout or a home directory.
    fn manages_contents(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Checks a command before it is run.
    ///
    /// # Errors
    /// If it would show a secret.
    fn check_command(&self, command: &Command) -> Result<()> {
        let _ = command;
        Ok(())
    }
}

/// The view outside a run.
pub struct NoRun;

impl RunView for NoRun {}
