//! The records of a package manager about a package.

use super::version::Version;

/// A package that is installed, completely or partly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) version: String,
    pub(crate) architecture: String,
    pub(crate) stage: Stage,
    /// Whether it is on hold.
    pub(crate) hold: bool,
    /// Whether it was installed explicitly, and not as a dependency.
    pub(crate) manual: bool,
}

/// How completely a package is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Installed and configured.
    Installed,
    /// Partly installed after a failure.
    Broken,
    /// Removed, with its configuration remaining.
    Leftovers,
    /// Not installed, but its name has a mark.
    Nothing,
}

/// The available versions of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The version that would be installed now.
    pub(crate) candidate: Option<String>,
    /// All available versions, newest first.
    pub(crate) versions: Vec<String>,
}

impl Offer {
    /// The newest version that matches the declared one.
    pub(crate) fn best(&self, declared: &Version) -> Option<String> {
        if declared.is_latest() {
            self.candidate.clone()
        } else {
            self.versions.iter().find(|version| declared.admits(version)).cloned()
        }
    }
}
