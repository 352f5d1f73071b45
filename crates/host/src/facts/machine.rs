//! Sources of facts.

use std::path::Path;

use jiff::Zoned;
use rustix::fs::{FileType, OFlags};
use uphold_resource::{EntryKind, Error, ErrorKind, Result, User, Value};

use super::network::Network;
use super::release::Release;
use super::time;
use crate::accounts::AccountFiles;
use crate::cached_result::CachedResult;
use crate::look;
use crate::root::Root;

/// The machine for readers of facts: the files of the root, and the running kernel.
pub(super) struct Machine<'a> {
    pub(super) root: &'a Root,
    pub(super) accounts: &'a AccountFiles,
    pub(super) sources: &'a Sources,
}

/// Data that several facts use, cached so that they are consistent.
#[derive(Default)]
pub(super) struct Sources {
    release: CachedResult<Release>,
    network: CachedResult<Network>,
    now: CachedResult<Zoned>,
}

impl Machine<'_> {
    /// Whether this is the running machine, not a directory that contains one.
    pub(super) fn is_running(&self) -> bool {
        self.root.under().is_none()
    }

    /// The text of a file of the root; `None` if it does not exist.
    pub(super) fn file(&self, path: &str) -> Result<Option<String>> {
        text(self.root, path)
    }

    /// Whether `path` exists in the root. Links are followed.
    pub(super) fn has(&self, path: &str) -> bool {
        self.root.follow(Path::new(path), OFlags::PATH).is_ok()
    }

    /// Whether `path` is a program in the root. Links are followed.
    pub(super) fn has_program(&self, path: &str) -> bool {
        let stat = self.root.follow(Path::new(path), OFlags::PATH).and_then(rustix::fs::fstat);
        stat.is_ok_and(|stat| {
            FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_mode & 0o111 != 0
        })
    }

    /// The target of the link at `path`; `None` if it is not a link.
    pub(super) fn link(&self, path: &str) -> Result<Option<String>> {
        let entry = look::look(self.root, Path::new(path))?;
        Ok(entry.and_then(|entry| match entry.kind {
            EntryKind::Link(target) => Some(target.to_string_lossy().into_owned()),
            _ => None,
        }))
    }

    /// The root's os-release file.
    pub(super) fn release(&self) -> Result<&Release> {
        self.sources.release.get(|| Release::read(self))
    }

    /// The interfaces and routes of the running kernel.
    pub(super) fn network(&self) -> Result<&Network> {
        self.sources.network.get(Network::read)
    }

    /// The local time of the machine, as of the first call.
    pub(super) fn now(&self) -> Result<&Zoned> {
        self.sources.now.get(|| time::now(self))
    }

    /// The account that Uphold runs as.
    pub(super) fn user(&self) -> Result<Option<User>> {
        self.accounts.user_by_id(self.root, rustix::process::geteuid().as_raw())
    }
}

/// The text of a file of the running kernel, such as `/proc/meminfo`.
pub(super) fn kernel_file(path: &str) -> Result<String> {
    let missing = || Error::new(ErrorKind::Missing, format!("{path} does not exist"));
    text(&Root::machine(), path)?.ok_or_else(missing)
}

/// The same; empty if it cannot be read. For hints that may be missing.
pub(super) fn kernel_hint(path: &str) -> String {
    kernel_file(path).unwrap_or_default()
}

/// A string, or null.
pub(super) fn nullable(text: Option<impl Into<String>>) -> Value {
    text.map_or(Value::Null, |text| Value::from(text.into()))
}

fn text(root: &Root, path: &str) -> Result<Option<String>> {
    match look::read_followed(root, Path::new(path)) {
        Ok(content) => Ok(Some(String::from_utf8_lossy(&content).into_owned())),
        Err(error) if error.kind() == ErrorKind::Missing => Ok(None),
        Err(error) => Err(error),
    }
}
