//! A comparable record of the files that a host added to its root or changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

/// Attributes that overlayfs sets for itself.
const OVERLAY: &[u8] = b"trusted.overlay.";

/// A digest of a host at one moment. It includes each file's ctime, so equal digests prove that nothing was written in
/// between, not even with the same content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    entries: BTreeMap<PathBuf, String>,
}

impl Digest {
    #[track_caller]
    pub(crate) fn of(upper: &Path) -> Self {
        let mut entries = BTreeMap::new();
        let mut pending = vec![upper.to_owned()];
        while let Some(path) = pending.pop() {
            // Removed since its directory was listed.
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() {
                pending.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            }
            let name =
                Path::new("/").join(path.strip_prefix(upper).expect("a path below the upper directory"));
            entries.insert(name, line(&path, &metadata));
        }
        // systemd removes the private directory of a unit some time after the unit was stopped.
        entries.retain(|name, _| !name.starts_with("/var/tmp"));
        Self { entries }
    }

    /// Each path that differs, with its earlier and later state; empty if both are equal.
    #[must_use]
    pub fn difference(&self, later: &Self) -> String {
        let mut text = String::new();
        let paths =
            self.entries.keys().chain(later.entries.keys().filter(|path| !self.entries.contains_key(*path)));
        for path in paths {
            let (before, after) = (self.entries.get(path), later.entries.get(path));
            if before != after {
                let show =
                    |side: Option<&String>| side.map_or("not changed by the host".to_owned(), Clone::clone);
                let _ = write!(text, "\n{}\n    {}\n    {}", path.display(), show(before), show(after));
            }
        }
        text
    }
}

fn line(path: &Path, metadata: &Metadata) -> String {
    let content = content(path, metadata);
    format!(
        "mode {:o}, owner {}:{}, device {}, changed {}.{:09}, {content}{}",
        metadata.mode(),
        metadata.uid(),
        metadata.gid(),
        metadata.rdev(),
        metadata.ctime(),
        metadata.ctime_nsec(),
        attributes(path),
    )
}

fn content(path: &Path, metadata: &Metadata) -> String {
    if metadata.is_symlink() {
        let target = fs::read_link(path).unwrap_or_default();
        return format!("to {}", target.display());
    }
    if !metadata.is_file() {
        return String::new();
    }
    fs::read(path).map_or_else(|cause| cause.to_string(), |bytes| hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Extended attributes (ACLs, capabilities, …), sorted by name.
fn attributes(path: &Path) -> String {
    let names = whole(|buffer| rustix::fs::llistxattr(path, buffer));
    let mut names: Vec<&[u8]> = names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
    names.retain(|name| !name.starts_with(OVERLAY));
    names.sort_unstable();
    let mut text = String::new();
    for name in names {
        let value =
            whole(|buffer| rustix::fs::lgetxattr(path, Path::new(std::ffi::OsStr::from_bytes(name)), buffer));
        let _ = write!(text, ", {}={}", String::from_utf8_lossy(name), hex(&value));
    }
    text
}

/// Calls with a buffer that grows until the result fits; empty if the call fails.
fn whole(call: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Vec<u8> {
    let mut buffer = vec![0; 1024];
    loop {
        match call(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                return buffer;
            }
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            Err(_) => return Vec::new(),
        }
    }
}
