//! Paths without symbolic links on the way.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use uphold_resource::{EntryKind, Reading, Result};

use crate::lock::Lock;

/// How many links are followed at most, as by the kernel.
const LINKS: usize = 40;

/// The real path: links on the way are followed, and so is the last part if it is one. Parts that do not exist stay as they
/// are; a loop ends somewhere inside.
pub(crate) fn real_path(path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
    let mut left: VecDeque<OsString> = parts(path).collect();
    let mut found = PathBuf::from("/");
    let mut links = 0;
    while let Some(part) = left.pop_front() {
        if part == ".." {
            found.pop();
            continue;
        }
        let next = found.join(&part);
        match host.files().look(&next)?.map(|entry| entry.kind) {
            Some(EntryKind::Link(target)) if links < LINKS => {
                links += 1;
                if target.is_absolute() {
                    found = PathBuf::from("/");
                }
                parts(&target).collect::<Vec<_>>().into_iter().rev().for_each(|part| left.push_front(part));
            }
            _ => found = next,
        }
    }
    Ok(found)
}

/// Paths without links on the way to their last part. A purge asks for all names of one directory after the other, so that
/// the last directory is cached.
#[derive(Default)]
pub(crate) struct RealNames(Lock<Option<(PathBuf, PathBuf)>>);

impl RealNames {
    /// Whether `holds` is true of the real name of `path`, if that differs. True if the real name cannot be found out.
    pub(crate) fn holds(&self, path: &Path, host: &Reading<'_>, holds: impl Fn(&Path) -> bool) -> bool {
        self.find(path, host).is_none_or(|real| real != path && holds(&real))
    }

    fn find(&self, path: &Path, host: &Reading<'_>) -> Option<PathBuf> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Some(path.to_owned());
        };
        let mut last = self.0.lock();
        if last.as_ref().is_none_or(|(known, _)| known != parent) {
            *last = Some((parent.to_owned(), real_path(parent, host).ok()?));
        }
        last.as_ref().map(|(_, real)| real.join(name))
    }
}

fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}
