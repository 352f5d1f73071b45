//! Removing what runs left under temporary names when they were killed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType};

use super::in_use::{self, Verdict};
use super::name::is_temporary;
use super::replacement;
use crate::root::Root;
use crate::{calls, spot, tree, walk};

/// So many directories are remembered. What is forgotten is only looked at again.
const MOST: usize = 10_000;

/// Removes leftovers, and remembers where it did.
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

    /// Returns whether it is new.
    fn note(&self, directory: &Path) -> bool {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if done.contains(directory) {
            return false;
        }
        if done.len() >= MOST {
            done.clear();
        }
        done.insert(directory.to_owned())
    }
}

/// Costs one reading of the directory. What cannot be removed stays for another time: it hinders nobody.
fn remove(root: &Root, path: &Path) {
    let Ok(directory) = spot::open_directory(root, path) else { return };
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

/// Removes one, if it is left over and ours.
///
/// Where others can make names, one that belongs to us may still be something else that they gave a temporary name: then
/// no directory is emptied but those that are ours alone by how they look.
fn remove_one(directory: &OwnedFd, name: &OsStr, path: &Path, now: SystemTime) {
    let Ok(stat) = calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    if !in_use::is_ours(directory, &stat) {
        return;
    }
    let verdict = in_use::judge(directory, name, &stat, now);
    // What cannot be removed stays: the next run tries again.
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

    /// Links cannot be locked: they are left over when they are old.
    #[test]
    fn links_go_when_they_are_old() {
        let ground = tempfile::TempDir::new().unwrap();
        let name = OsStr::new(".a.uphold-0123456789abcdef");
        let directory = spot::open_directory(&Root::machine(), ground.path()).unwrap();
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
