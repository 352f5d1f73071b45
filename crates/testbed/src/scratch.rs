//! The tmpfs that holds roots and hosts.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::unavailable::Unavailable;

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
