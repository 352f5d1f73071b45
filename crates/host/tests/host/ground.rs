//! The common setup of these tests.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_resource::{Access, Error, ErrorKind, FileEdits, Files, NewFile, Result};

/// A user that is not root, for tests that change owners.
pub(crate) const OTHER_USER: u32 = 12_345;

/// A fresh directory, in memory where possible: some disks are slow.
pub(crate) struct Ground {
    pub(crate) host: LocalHost,
    directory: TempDir,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let place = place.canonicalize().unwrap();
        Self { host: LocalHost::new(), directory: TempDir::new_in(place).unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: &str, mode: u32) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        chmod(&path, mode);
        path
    }

    pub(crate) fn directory(&self, name: &str, mode: u32) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(&path).unwrap();
        chmod(&path, mode);
        path
    }

    pub(crate) fn write(&self, path: &Path, content: &str) -> Result<()> {
        self.host.write(path, &plain(content))
    }

    /// All names in the directory, including temporary files.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.directory.path())
    }
}

pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn plain(content: &str) -> NewFile<'_> {
    NewFile::new(content.as_bytes(), Access::default())
}

pub(crate) fn with_mode(content: &str, mode: u32) -> NewFile<'_> {
    NewFile { access: Access { mode: Some(mode), ..Access::default() }, ..plain(content) }
}

/// Sets the access of the entry at the path.
pub(crate) fn set_access(host: &LocalHost, path: &Path, access: &Access) -> Result<()> {
    let missing = || Error::new(ErrorKind::Missing, "it does not exist");
    host.set_access(path, &host.look(path)?.ok_or_else(missing)?, access)
}

pub(crate) fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

pub(crate) fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().mode() & 0o7777
}

pub(crate) fn owner(path: &Path) -> (u32, u32) {
    let metadata = path.symlink_metadata().unwrap();
    (metadata.uid(), metadata.gid())
}

pub(crate) fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[track_caller]
pub(crate) fn refused<T>(result: Result<T>, kind: ErrorKind) -> Error {
    match result {
        Ok(_) => panic!("expected {kind:?}, but it worked"),
        Err(error) => {
            assert_eq!(error.kind(), kind, "{}", error.chain());
            error
        }
    }
}

/// Whether this is root; prints what is not tested otherwise.
pub(crate) fn is_root(test: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        skipped(test, "only root can give files away, become another user or change the root");
    }
    root
}

/// Prints past the capture of the test harness that something was not tested.
pub(crate) fn skipped(test: &str, why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

pub(crate) fn fifo(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, path, mode).unwrap();
}

/// Runs `work` while another thread calls `check` continuously, at least once before and once after.
pub(crate) fn watched(check: impl Fn() + Sync, work: impl FnOnce()) {
    let (started, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                started.store(true, Ordering::Relaxed);
                check();
            }
            check();
        });
        while !started.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        work();
        done.store(true, Ordering::Relaxed);
    });
}
