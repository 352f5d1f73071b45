//! The Debian root that all hosts share, and the tmpfs that holds it.

use std::fs;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::process::Unavailable;

const BUILD: &str = include_str!("../scripts/build.sh");
const UNPACK: &str = include_str!("../scripts/unpack.sh");

/// An unpacked Debian 12, the read-only lower layer of every host.
///
/// It is built once (about a minute, from the machine's own apt mirror), kept as a packed file in the user's cache
/// under the digest of its build scripts, and unpacked once after each boot (about a second).
#[derive(Debug, Clone)]
pub struct Root {
    folder: PathBuf,
    scratch: Scratch,
}

impl Root {
    /// The root, built and unpacked if necessary. A lock makes concurrent processes wait for the first.
    pub fn debian() -> Result<Self, Unavailable> {
        if !rustix::process::geteuid().is_root() {
            return Err(Unavailable::new("only root can create hosts"));
        }
        let scratch = Scratch::open()?;
        let folder = scratch.path(&format!("debian-{}", key()));
        let root = Self { folder, scratch };
        let _lock = lock(&root.folder.with_extension("lock"))
            .map_err(|cause| Unavailable::failed("cannot lock the root", cause))?;
        if !root.folder.exists() {
            root.unpack(&root.packed()?)?;
        }
        Ok(root)
    }

    /// The lower layer of a host's `/`.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// Device nodes for a host.
    pub(crate) fn devices(&self) -> PathBuf {
        self.folder.join("devices")
    }

    pub(crate) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// The packed file, built if it is not in the cache.
    fn packed(&self) -> Result<PathBuf, Unavailable> {
        let cache = cache().ok_or_else(|| {
            Unavailable::new("cannot cache the root: neither XDG_CACHE_HOME nor HOME is set")
        })?;
        let failed = |cause| Unavailable::failed(&format!("cannot use {}", cache.display()), cause);
        fs::create_dir_all(&cache).map_err(failed)?;
        let packed = cache.join(format!("{}.tar.zst", key()));
        // A process with another tmpfs may share this cache.
        let _lock = lock(&packed.with_extension("lock")).map_err(failed)?;
        if !packed.exists() {
            self.build(&packed)?;
        }
        Ok(packed)
    }

    fn build(&self, packed: &Path) -> Result<(), Unavailable> {
        let temporary = self.folder.with_extension("build");
        let failed = |cause| Unavailable::failed(&format!("cannot prepare {}", temporary.display()), cause);
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(failed)?;
        }
        fs::create_dir_all(&temporary).map_err(failed)?;
        let built = run(Command::new("bash").args(["-c", BUILD, "build.sh"]).arg(&temporary).arg(packed));
        fs::remove_dir_all(&temporary).map_err(failed)?;
        built
    }

    fn unpack(&self, packed: &Path) -> Result<(), Unavailable> {
        run(Command::new("bash").args(["-c", UNPACK, "unpack.sh"]).arg(packed).arg(&self.folder))
    }
}

/// Identifies the scripts that build and unpack the root: a changed script makes another root.
fn key() -> String {
    let digest = Sha256::new().chain_update(BUILD).chain_update([0]).chain_update(UNPACK).finalize();
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn cache() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    Some(caches.join("uphold-testbed"))
}

/// The tmpfs that all tests of this machine share. Its content is lost at a reboot.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Mounts the tmpfs if necessary. Waits for another process that does the same.
    pub(crate) fn open() -> Result<Self, Unavailable> {
        let folder = PathBuf::from("/tmp/uphold-testbed");
        let failed = |cause| Unavailable::failed(&format!("cannot prepare {}", folder.display()), cause);
        let _lock = lock(&folder.with_extension("lock")).map_err(failed)?;
        fs::create_dir_all(&folder).map_err(failed)?;
        if fs::metadata(&folder).map_err(failed)?.uid() != 0 {
            return Err(Unavailable::new(format!("{} is not owned by root", folder.display())));
        }
        let scratch = Self { folder };
        if !scratch.is_mounted() {
            run(Command::new("mount")
                .args(["-t", "tmpfs", "-o", "mode=755", "uphold-testbed"])
                .arg(&scratch.folder))?;
        }
        fs::create_dir_all(scratch.hosts())
            .map_err(|cause| Unavailable::failed("cannot create a directory for hosts", cause))?;
        Ok(scratch)
    }

    /// A path on the tmpfs.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The directory with a subdirectory for each host.
    pub(crate) fn hosts(&self) -> PathBuf {
        self.path("hosts")
    }

    fn is_mounted(&self) -> bool {
        let device = |path: &Path| fs::metadata(path).map(|entry| entry.dev()).ok();
        self.folder.parent().is_some_and(|parent| device(parent) != device(&self.folder))
    }
}

/// Takes the lock, waiting if necessary, and holds it while the file is open.
pub(crate) fn lock(path: &Path) -> std::io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.lock()?;
    Ok(file)
}

/// Runs a program of the machine; its standard error is the reason of a failure.
pub(crate) fn run(command: &mut Command) -> Result<(), Unavailable> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|cause| Unavailable::failed(&format!("cannot run `{name}`"), cause))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(())
    } else {
        Err(Unavailable::failed(&format!("`{name}` failed"), errors.trim()))
    }
}
