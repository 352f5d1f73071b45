//! Real names of paths: without symbolic links on the way.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;
use uphold_model::Mutex;
use uphold_resource::{EntryKind, Reading, Result};

/// How many links are followed at most, as by the kernel.
const LINKS: usize = 40;

/// The real path: links on the way are followed, and so is the last part if it is one. Parts that do not exist stay as they
/// are; a loop ends somewhere inside.
pub(crate) fn real_path(path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
    follow(PathBuf::from("/"), parts(path).collect(), host).map(|(found, _)| found)
}

/// The real path of these parts inside a directory that has no links on the way, and whether it exists.
fn follow(directory: PathBuf, mut left: VecDeque<OsString>, host: &Reading<'_>) -> Result<(PathBuf, bool)> {
    let (mut found, mut exists, mut links) = (directory, true, 0);
    while let Some(part) = left.pop_front() {
        if part == ".." {
            found.pop();
            continue;
        }
        let next = found.join(&part);
        let entry = host.files().look(&next)?.map(|entry| entry.kind);
        exists = entry.is_some();
        match entry {
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
    Ok((found, exists))
}

fn parts(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}

/// Finds paths without links on the way to their last part. Costs one system call for each existing directory on the way,
/// once: it must not outlive a run, because links may change.
#[derive(Default)]
pub struct RealNames(Mutex<FxHashMap<PathBuf, PathBuf>>);

impl RealNames {
    /// The real name of a path.
    ///
    /// # Errors
    /// If a directory on the way cannot be read.
    pub fn find(&self, path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(self.directory(parent, host)?.join(name)),
            _ => Ok(path.to_owned()),
        }
    }

    /// Whether `holds` is true of the real name of `path`, if that differs. True if the real name cannot be found out.
    pub(crate) fn holds(&self, path: &Path, host: &Reading<'_>, holds: impl Fn(&Path) -> bool) -> bool {
        self.find(path, host).map_or(true, |real| real != path && holds(&real))
    }

    fn directory(&self, path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
        let mut known = self.0.lock();
        let unknown: Vec<&Path> = path.ancestors().take_while(|path| !known.contains_key(*path)).collect();
        let nearest = path.ancestors().nth(unknown.len()).and_then(|path| known.get(path));
        let mut real = nearest.cloned().unwrap_or_else(|| PathBuf::from("/"));
        for directory in unknown.into_iter().rev() {
            let last = directory.components().next_back();
            let last = last.map(|last| parts(last.as_ref()).collect()).unwrap_or_default();
            let (found, exists) = follow(real, last, host)?;
            // One that is missing may become a link during the run.
            if exists {
                known.insert(directory.to_owned(), found.clone());
            }
            real = found;
        }
        Ok(real)
    }
}
