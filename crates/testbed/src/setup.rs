//! The options of a host before its start.

use std::path::{Path, PathBuf};

use crate::bed::Bed;
use crate::host::Host;
use crate::process::{HostProcess, StartOptions};

/// bash reaps orphaned processes, as a first process must.
const PLAIN: &[&str] = &["/bin/bash", "-c", "while :; do sleep 1000; done"];
const SYSTEMD: &[&str] = &[StartOptions::SYSTEMD, "--log-target=null"];

/// The options of a host before its start.
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

    /// Mounts a file or directory of the machine at a path in the host, writable.
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

    /// Starts it with systemd, and waits until it is up.
    #[track_caller]
    pub fn systemd(self) -> Host {
        self.with_init(SYSTEMD)
    }

    /// Starts it with another program of the root as its first process.
    #[track_caller]
    pub fn with_init(self, init: &[&str]) -> Host {
        let Self { bed, name, binds } = self;
        let init = init.iter().map(|&word| word.to_owned()).collect();
        let process = HostProcess::start(StartOptions { root: bed.root, name, binds, init });
        Host::new(process.unwrap_or_else(|why| panic!("a host did not start: {why}")))
    }
}
