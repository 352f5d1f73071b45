//! Paths without symbolic links on the way.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use uphold_resource::{EntryKind, Observe, Result};

/// So many links are followed at most, as by the kernel.
const LINKS: usize = 40;

/// Where a path leads to: links on the way are followed, and the last part if it is one. Parts that do not exist stay as
/// they are; a loop ends somewhere inside.
pub(crate) fn real_path(path: &Path, host: &dyn Observe) -> Result<PathBuf> {
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

fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}
