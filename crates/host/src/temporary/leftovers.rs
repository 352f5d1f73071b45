//! Removal of temporary files that killed runs left.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType};
use uphold_resource::Mutex;

use super::in_use::{self, Verdict};
use super::name::is_temporary;
use super::replacement;
use crate::root::Root;
use crate::{calls, dir_entry, tree, walk};

/// How many directories are remembered. A forgotten one is just checked again.
const MOST: usize = 10_000;

/// Removes leftovers, and remembers the directories.
#[derive(Default)]
pub(crate) struct Leftovers {
    done: Mutex<HashSet<PathBuf>>,
}

impl Leftovers {
    /// Removes leftovers from `directory`, unless this was done before.
    pub(crate) fn remove_once(&self, root: &Root, directory: &Path) {
        if self.note(directory) {
            remove(root, directory);
        }
    }

    /// Removes leftovers from `directory`.
    pub(crate) fn remove(&self, root: &Root, directory: &Path) {
        self.note(directory);
        remove(root, directory);
    }

    /// Remembers a directory; returns whether it is new.
    fn note(&self, directory: &Path) -> bool {
        let mut done = self.done.lock();
        if done.contains(directory) {
            return false;
        }
        if done.len() >= MOST {
            done.clear();
        }
        done.insert(directory.to_owned())
    }
}

/// Costs one read of the directory. Leftovers that cannot be removed stay; they do no harm.
fn remove(root: &Root, path: &Path) {
    let Ok(directory) = dir_entry::open_directory(root, path) else { return };
    for name in temporaries(&directory) {
        remove_one(&directory, &name, path, SystemTime::now());
    }
}

fn temporaries(directory: &OwnedFd) -> Vec<OsString> {
    let Ok(entries) = Dir::read_from(directory) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        is_temporary(name).then(|| name.to_owned())
    });
    names.collect()
}

/// Removes one entry, if it is a leftover of ours.
///
/// Where other users can create names, a directory that belongs to us may be one that they moved to a temporary name. It is
/// removed only if it is empty, or can only have been created by us.
fn remove_one(directory: &OwnedFd, name: &OsStr, path: &Path, now: SystemTime) {
    let Ok(stat) = calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    if !in_use::is_ours(directory, &stat) {
        return;
    }
    let verdict = in_use::judge(directory, name, &stat, now);
    // A leftover that cannot be removed stays: the next run tries again.
    match (FileType::from_raw_mode(stat.st_mode), &verdict) {
        (_, Verdict::InUse) => {}
        (FileType::Directory, verdict) => {
            let alone = calls::fstat(directory).is_ok_and(|directory| walk::ours_alone(&directory));
            let replaced = matches!(verdict, Verdict::Locked(opened) if replacement::is_one(opened, &stat));
            if alone || replaced {
                let _ = tree::remove(directory, name, &path.join(name));
            } else {
                let _ = calls::unlinkat(directory, name, AtFlags::REMOVEDIR);
            }
        }
        (FileType::RegularFile | FileType::Symlink, _) => {
            let _ = calls::unlinkat(directory, name, AtFlags::empty());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Links cannot be locked, so only old ones are leftovers.
    #[test]
    fn removes_old_links() {
        let ground = tempfile::TempDir::new().unwrap();
        let name = OsStr::new(".a.uphold-0123456789abcdef");
        let directory = dir_entry::open_directory(&Root::machine(), ground.path()).unwrap();
        let file = ground.path().join("file");
        std::fs::write(&file, "").unwrap();
        let make: [&dyn Fn(PathBuf); 2] =
            [&|path| std::os::unix::fs::symlink("target", path).unwrap(), &|path| {
                std::fs::hard_link(&file, path).unwrap();
            }];
        for make in make {
            make(ground.path().join(name));
            let now = SystemTime::now();
            remove_one(&directory, name, ground.path(), now);
            assert_eq!(temporaries(&directory), [name]);
            remove_one(&directory, name, ground.path(), now + Duration::from_secs(120));
            assert_eq!(temporaries(&directory), Vec::<OsString>::new());
        }
        assert!(file.exists());
    }
}
