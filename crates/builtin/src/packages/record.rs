//! What a package manager knows of one package.

use super::version::Version;

/// A package that is on the machine, wholly or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) version: String,
    pub(crate) architecture: String,
    pub(crate) stage: Stage,
    /// Whether it is kept at its version.
    pub(crate) hold: bool,
    /// Whether somebody asked for it, rather than another package.
    pub(crate) manual: bool,
}

/// How much of a package is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// All of it, set up.
    Installed,
    /// Something went wrong halfway.
    Broken,
    /// It was removed, and its configuration is still there.
    Leftovers,
    /// Nothing; there is only a mark on its name.
    Nothing,
}

/// What a package manager could get of one package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    /// What it would install now.
    pub(crate) candidate: Option<String>,
    /// All versions that it knows of, the newest first.
    pub(crate) versions: Vec<String>,
}

impl Offer {
    /// The newest version that is asked for.
    pub(crate) fn best(&self, wish: &Version) -> Option<String> {
        match wish.is_latest() {
            true => self.candidate.clone(),
            false => self.versions.iter().find(|version| wish.admits(version)).cloned(),
        }
    }
}
