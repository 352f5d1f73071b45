//! Where hosts are made.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::host::Host;
use crate::root::Root;
use crate::setup::Setup;
use crate::why::Why;

/// A place to make hosts at, in each of which `uphold` is the binary under test.
#[derive(Debug, Clone)]
pub struct Bed {
    pub(crate) root: Root,
    pub(crate) binary: PathBuf,
}

impl Bed {
    /// A bed, or why there can be none. The binary is `env!("CARGO_BIN_EXE_uphold")` in tests of the command.
    pub fn try_new(binary: impl AsRef<Path>) -> Result<Self, Why> {
        if wish().is_some_and(|wish| wish == "skip") {
            return Err(Why::new("UPHOLD_BED is `skip`"));
        }
        let root = Root::debian()?;
        Ok(Self { root, binary: binary.as_ref().to_owned() })
    }

    /// A bed, or nothing, after it said why the test is skipped.
    ///
    /// # Panics
    /// If there can be none although `UPHOLD_BED` is `require`, or is not set and `CI` is: a skipped test proves nothing.
    #[expect(clippy::print_stderr, reason = "a test that is skipped has to say so")]
    #[track_caller]
    pub fn open(binary: impl AsRef<Path>) -> Option<Self> {
        match Self::try_new(binary) {
            Ok(bed) => Some(bed),
            Err(why) if is_required() => panic!("there can be no hosts here: {why}"),
            Err(why) => {
                eprintln!("skipped: there can be no hosts here: {why}");
                None
            }
        }
    }

    /// A host without an init system: 0.2 seconds.
    #[track_caller]
    pub fn plain(&self, name: &str) -> Host {
        self.host(name).plain()
    }

    /// A host with systemd as its first process, when it runs: about a second.
    #[track_caller]
    pub fn systemd(&self, name: &str) -> Host {
        self.host(name).systemd()
    }

    /// A host that is yet to be started, for those that need more than their name.
    pub fn host(&self, name: &str) -> Setup {
        Setup::new(self.clone(), name)
    }
}

/// What whoever runs the tests wants: `require` or `skip`.
fn wish() -> Option<OsString> {
    std::env::var_os("UPHOLD_BED")
}

fn is_required() -> bool {
    let on_build_machine = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    wish().map_or(on_build_machine, |wish| wish == "require")
}
