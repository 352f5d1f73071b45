//! Where roots and hosts are kept: a tmpfs of our own.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::why::Why;

/// The folder on a tmpfs that all tests of this machine share. What is in it is gone after a boot.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    folder: PathBuf,
}

impl Place {
    /// The place, mounted if it was not. Another process that does the same is waited for.
    pub(crate) fn open() -> Result<Self, Why> {
        let folder = PathBuf::from("/tmp/uphold-testbed");
        let failed = |cause| Why::failed(&format!("could not prepare {}", folder.display()), cause);
        let _lock = lock(&folder.with_extension("lock")).map_err(failed)?;
        fs::create_dir_all(&folder).map_err(failed)?;
        if fs::metadata(&folder).map_err(failed)?.uid() != 0 {
            return Err(Why::new(format!("{} is not root's", folder.display())));
        }
        let place = Self { folder };
        if !place.is_mounted() {
            run(Command::new("mount")
                .args(["-t", "tmpfs", "-o", "mode=755", "uphold-testbed"])
                .arg(&place.folder))?;
        }
        fs::create_dir_all(place.hosts())
            .map_err(|cause| Why::failed("could not make a folder for hosts", cause))?;
        Ok(place)
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where each host has a folder.
    pub(crate) fn hosts(&self) -> PathBuf {
        self.path("hosts")
    }

    fn is_mounted(&self) -> bool {
        let device = |path: &Path| fs::metadata(path).map(|entry| entry.dev()).ok();
        self.folder.parent().is_some_and(|parent| device(parent) != device(&self.folder))
    }
}

/// Waits for whoever holds this lock, and holds it for as long as the file is open.
pub(crate) fn lock(path: &Path) -> std::io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.lock()?;
    Ok(file)
}

/// Runs a program of the machine; what it said is the reason if it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), Why> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|cause| Why::failed(&format!("could not run `{name}`"), cause))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(Why::failed(&format!("`{name}` failed"), said.trim())) }
}
