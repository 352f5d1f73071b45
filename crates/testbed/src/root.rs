//! The Debian root that all hosts stand on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::place::{Place, lock, run};
use crate::why::Why;

const BUILD: &str = include_str!("../scripts/build.sh");
const UNPACK: &str = include_str!("../scripts/unpack.sh");

/// An unpacked Debian 12, which hosts only read.
///
/// It is built once (about a minute, from the machine's own apt mirror), kept as a packed file in the user's cache
/// under a name that stands for how it was built, and unpacked once after each boot (about a second).
#[derive(Debug, Clone)]
pub struct Root {
    folder: PathBuf,
    place: Place,
}

impl Root {
    /// The root, built and unpacked if that was not done yet. Processes that want it at the same time wait for one.
    pub fn debian() -> Result<Self, Why> {
        if !rustix::process::geteuid().is_root() {
            return Err(Why::new("only root can make hosts"));
        }
        let place = Place::open()?;
        let folder = place.path(&format!("debian-{}", key()));
        let root = Self { folder, place };
        let _lock = lock(&root.folder.with_extension("lock"))
            .map_err(|cause| Why::failed("could not lock the root", cause))?;
        if !root.folder.exists() {
            root.unpack(&root.packed()?)?;
        }
        Ok(root)
    }

    /// The directory that is a host's `/`, without what a host changes.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// Device nodes for a host.
    pub(crate) fn devices(&self) -> PathBuf {
        self.folder.join("devices")
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The packed file, built if it is not in the cache.
    fn packed(&self) -> Result<PathBuf, Why> {
        let cache =
            cache().ok_or_else(|| Why::new("neither XDG_CACHE_HOME nor HOME says where to keep the root"))?;
        let failed = |cause| Why::failed(&format!("could not use {}", cache.display()), cause);
        fs::create_dir_all(&cache).map_err(failed)?;
        let packed = cache.join(format!("{}.tar.zst", key()));
        // Whoever has another tmpfs may still have the same cache.
        let _lock = lock(&packed.with_extension("lock")).map_err(failed)?;
        if !packed.exists() {
            self.build(&packed)?;
        }
        Ok(packed)
    }

    fn build(&self, packed: &Path) -> Result<(), Why> {
        let temporary = self.folder.with_extension("build");
        let failed = |cause| Why::failed(&format!("could not prepare {}", temporary.display()), cause);
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(failed)?;
        }
        fs::create_dir_all(&temporary).map_err(failed)?;
        let built = run(Command::new("bash").args(["-c", BUILD, "build.sh"]).arg(&temporary).arg(packed));
        fs::remove_dir_all(&temporary).map_err(failed)?;
        built
    }

    fn unpack(&self, packed: &Path) -> Result<(), Why> {
        run(Command::new("bash").args(["-c", UNPACK, "unpack.sh"]).arg(packed).arg(&self.folder))
    }
}

/// Stands for how the root is built and unpacked: another script makes another root.
fn key() -> String {
    let digest = Sha256::new().chain_update(BUILD).chain_update([0]).chain_update(UNPACK).finalize();
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn cache() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(caches.join("uphold-testbed"))
}
