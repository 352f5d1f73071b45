//! A host that is yet to be started.

use std::path::{Path, PathBuf};

use crate::bed::Bed;
use crate::host::Host;
use crate::life::{Birth, Life};

/// Reaps what loses its parent, as a first process has to.
const PLAIN: &[&str] = &["/bin/bash", "-c", "while :; do sleep 1000; done"];
const SYSTEMD: &[&str] = &[Birth::SYSTEMD, "--log-target=null"];

/// A host that is yet to be started.
#[derive(Debug, Clone)]
pub struct Setup {
    bed: Bed,
    name: String,
    binds: Vec<(PathBuf, String)>,
}

impl Setup {
    pub(crate) fn new(bed: Bed, name: &str) -> Self {
        let binary = (bed.binary.clone(), Host::BINARY.to_owned());
        Self { bed, name: name.to_owned(), binds: vec![binary] }
    }

    /// Shows a file or directory of the machine at a path in the host; both write to the same.
    #[must_use]
    pub fn bind(mut self, outside: impl AsRef<Path>, inside: &str) -> Self {
        self.binds.push((outside.as_ref().to_owned(), inside.to_owned()));
        self
    }

    /// Starts it without an init system.
    #[track_caller]
    pub fn plain(self) -> Host {
        self.with_init(PLAIN)
    }

    /// Starts it with systemd, and waits until everything runs.
    #[track_caller]
    pub fn systemd(self) -> Host {
        self.with_init(SYSTEMD)
    }

    /// Starts it with another program of the root as its first process.
    #[track_caller]
    pub fn with_init(self, init: &[&str]) -> Host {
        let Self { bed, name, binds } = self;
        let init = init.iter().map(|&word| word.to_owned()).collect();
        let life = Life::begin(Birth { root: bed.root, name, binds, init });
        Host::new(life.unwrap_or_else(|why| panic!("a host did not start: {why}")))
    }
}
