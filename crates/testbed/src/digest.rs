//! What a host has and its root has not, in a form that can be compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

/// The overlay's own notes are not the host's.
const OVERLAY: &[u8] = b"trusted.overlay.";

/// A digest of a host at one moment. Equal digests mean that nothing was touched in between, not even written back as
/// it was: the kernel's time of the last change is in it.
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
            // What goes away meanwhile is not there.
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() {
                pending.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            }
            let name = Path::new("/").join(path.strip_prefix(upper).expect("it is below"));
            entries.insert(name, line(&path, &metadata));
        }
        Self { entries }
    }

    /// Each path that differs, with how it was and how it is; nothing if both are equal.
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

/// Access lists, capabilities and the rest, in the order of their names.
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

/// Asks with a buffer that grows until the answer fits; an answer that cannot be had is empty.
fn whole(ask: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Vec<u8> {
    let mut buffer = vec![0; 1024];
    loop {
        match ask(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                return buffer;
            }
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            Err(_) => return Vec::new(),
        }
    }
}
