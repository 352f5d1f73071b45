//! The entry point: creates disposable hosts, with options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::host::Host;
use crate::process::{HostProcess, StartOptions};
use crate::root::Root;
use crate::unavailable::Unavailable;

/// Creates hosts; in each of them `uphold` is the binary under test.
#[derive(Debug, Clone)]
pub struct Bed {
    pub(crate) root: Root,
    pub(crate) binary: PathBuf,
}

impl Bed {
    /// A bed, or the reason why hosts cannot be created. Tests of the command pass `env!("CARGO_BIN_EXE_uphold")`.
    pub fn try_new(binary: impl AsRef<Path>) -> Result<Self, Unavailable> {
        if mode().is_some_and(|mode| mode == "skip") {
            return Err(Unavailable::new("UPHOLD_BED is `skip`"));
        }
        let root = Root::debian()?;
        Ok(Self { root, binary: binary.as_ref().to_owned() })
    }

    /// A bed; `None` if hosts cannot be created, after printing the reason.
    ///
    /// # Panics
    /// If hosts cannot be created although `UPHOLD_BED` is `require`, or `UPHOLD_BED` is unset and `CI` is set: a skipped
    /// test proves nothing.
    #[expect(clippy::print_stderr, reason = "a skipped test must be visible")]
    #[track_caller]
    pub fn open(binary: impl AsRef<Path>) -> Option<Self> {
        match Self::try_new(binary) {
            Ok(bed) => Some(bed),
            Err(why) if is_required() => panic!("cannot create hosts here: {why}"),
            Err(why) => {
                eprintln!("skipped: cannot create hosts here: {why}");
                None
            }
        }
    }

    /// Starts a host without an init system; takes 0.2 seconds.
    #[track_caller]
    pub fn plain(&self, name: &str) -> Host {
        self.host(name).plain()
    }

    /// Starts a host with systemd as its first process and waits until it is up; takes about a second.
    #[track_caller]
    pub fn systemd(&self, name: &str) -> Host {
        self.host(name).systemd()
    }

    /// The options of a host that needs more than a name.
    pub fn host(&self, name: &str) -> Setup {
        Setup::new(self.clone(), name)
    }
}

/// The value of `UPHOLD_BED`: `require` or `skip`.
fn mode() -> Option<OsString> {
    std::env::var_os("UPHOLD_BED")
}

fn is_required() -> bool {
    let on_build_machine = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    mode().map_or(on_build_machine, |mode| mode == "require")
}

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
