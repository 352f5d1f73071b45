//! The view of a run that a visit has.

use std::path::Path;

use super::{Around, Command};
use crate::error::Result;

/// The importance of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Details for troubleshooting.
    Debug,
    /// Useful information.
    Info,
    /// A possible problem.
    Warning,
}

/// The queries that a visit can make of its run. The default methods are for use outside a run.
pub trait RunView: Sync {
    /// Reports something to the user.
    fn report(&self, level: Level, text: &str) {
        let _ = (level, text);
    }

    /// Whether another resource refers to a property, or it is read directly.
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

    /// The run, for kinds that declare nested resources.
    fn around(&self) -> Option<&dyn Around> {
        None
    }

    /// Whether a resource of this run creates `path`.
    fn provides(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run writes a secret to `path`, or may do so because it fills a directory above it.
    fn is_secret_path(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether `path` or something below it belongs to a resource of this run.
    fn manages(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run manages `path` with its whole content, as for a checkout or a home directory.
    fn manages_contents(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Checks a command before it is run.
    ///
    /// # Errors
    /// If it would expose a secret.
    fn check_command(&self, command: &Command) -> Result<()> {
        let _ = command;
        Ok(())
    }
}

/// The view outside a run.
pub struct NoRun;

impl RunView for NoRun {}
