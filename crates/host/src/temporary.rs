//! Temporary files, directories and links that are not in place yet.

mod file;
mod replacement;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, RawDir, Stat};
use rustix::io::Errno;
use uphold_resource::{Mutex, sibling_name};

use super::known_contents::Knowledge;
use super::root::Root;
use super::{calls, dir_entry, look, tree, walk};

pub(crate) use file::Temporary;

// Removal of temporary files that killed runs left.

/// The bytes of a directory that are read at once.
const PIECE: usize = 16 * 1024;

/// How many directories are remembered. A forgotten one is just checked again.
const MOST: usize = 10_000;

/// Removes leftovers, and remembers the directories.
#[derive(Default)]
pub(crate) struct Leftovers {
    done: Mutex<HashSet<PathBuf>>,
}

impl Leftovers {
    /// Removes leftovers from `directory`, unless this was done before.
    pub(crate) fn remove_once(&self, root: &Root, directory: &Path, known: Option<&Knowledge>) {
        if self.note(directory) {
            remove(root, directory, known);
        }
    }

    /// Removes leftovers from `directory`.
    pub(crate) fn remove(&self, root: &Root, directory: &Path, known: Option<&Knowledge>) {
        self.note(directory);
        remove(root, directory, known);
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

/// Costs one read of the directory, unless it did not change since it had no leftovers. Leftovers that cannot be removed stay;
/// they do no harm.
fn remove(root: &Root, path: &Path, known: Option<&Knowledge>) {
    let Ok(directory) = dir_entry::open_directory(root, path) else { return };
    let seen = known.and_then(|known| Some((known, look::opened(&directory, path).ok()?)));
    if seen.as_ref().is_some_and(|(known, seen)| known.has_no_leftovers(seen)) {
        return;
    }
    let names = temporaries(&directory);
    if let (true, Some((known, seen))) = (names.is_empty(), &seen) {
        known.remember_no_leftovers(&directory, path, seen);
    }
    for name in names {
        remove_one(&directory, &name, path, SystemTime::now());
    }
}

/// The temporary names in a directory that was just opened. A record for each name would cost more than reading it.
fn temporaries(directory: &OwnedFd) -> Vec<OsString> {
    let mut names = Vec::new();
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    let mut entries = RawDir::new(directory, &mut buffer);
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) => {
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                names.extend(is_temporary(name).then(|| name.to_owned()));
            }
            Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    names
}

/// Removes one entry, if it is a leftover of ours.
///
/// Where other users can create names, a directory that belongs to us may be one that they moved to a temporary name. It is
/// removed only if it is empty, or can only have been created by us.
fn remove_one(directory: &OwnedFd, name: &OsStr, path: &Path, now: SystemTime) {
    let Ok(stat) = calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
    if !is_ours(directory, &stat) {
        return;
    }
    let verdict = judge(directory, name, &stat, now);
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

// The form of temporary names: `.NAME.uphold-` and 16 hexadecimal digits.

const MARK: &[u8] = b".uphold-";
const DIGITS: usize = 16;

/// A random temporary name beside `name`.
pub(crate) fn unguessable(name: &OsStr) -> OsString {
    // Each hasher is keyed by random numbers of the system.
    sibling_name(name, &format!("{:0DIGITS$x}", RandomState::new().build_hasher().finish()))
}

/// Whether a name has the form of a temporary name.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_bytes();
    let Some(at) = name.len().checked_sub(DIGITS) else { return false };
    let (before, digits) = name.split_at(at);
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let named = before.strip_suffix(MARK).is_some_and(|before| before.len() > 1 && before.starts_with(b"."));
    named && digits.iter().all(is_digit)
}

/// Whether this is the name by which the kernel reports a file without a name: `#` and its inode.
pub(crate) fn is_nameless(name: &OsStr) -> bool {
    let digits = name.as_bytes().strip_prefix(b"#");
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

// Distinguishes temporary files in use from leftovers of killed runs.
//
// The owner of a temporary file or directory holds a shared lock on it (`flock`) while it has that name; the kernel releases
// the lock with the process. Links cannot be locked: they have their temporary name only for an instant, so an old one is a
// leftover.

/// How long something that cannot be locked counts as in use.
const FRESH: Duration = Duration::from_secs(60);

/// Marks a temporary file or directory as in use while this handle, or a copy of it, is open. Returns false if another
/// process takes it for a leftover and is about to remove it.
pub(crate) fn mark(temporary: impl AsFd) -> bool {
    let marked = calls::flock(temporary, FlockOperation::NonBlockingLockShared);
    // Where locks are not supported, it counts as in use while it is new.
    marked != Err(Errno::WOULDBLOCK)
}

/// Whether a temporary file is in use or a leftover.
enum Verdict {
    /// It is in use, or too new to decide.
    InUse,
    /// A leftover. While this handle is open, no other process can decide the same.
    Locked(OwnedFd),
    /// A leftover that cannot be locked, but is old.
    Old,
}

/// Whether the temporary `name`, whose attributes are `stat`, is in use.
fn judge(directory: impl AsFd, name: &OsStr, stat: &Stat, now: SystemTime) -> Verdict {
    let kind = FileType::from_raw_mode(stat.st_mode);
    let lockable = kind == FileType::Directory || (kind == FileType::RegularFile && stat.st_nlink == 1);
    if lockable {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = calls::openat(directory, name, flags, Mode::empty());
        if let Ok(opened) = opened.and_then(|opened| Ok((calls::fstat(&opened)?, opened))) {
            let (found, opened) = opened;
            if (found.st_dev, found.st_ino) != (stat.st_dev, stat.st_ino) {
                return Verdict::InUse;
            }
            match calls::flock(&opened, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Verdict::Locked(opened),
                Err(Errno::WOULDBLOCK) => return Verdict::InUse,
                Err(_) => {}
            }
        }
    }
    if is_fresh(stat, now) { Verdict::InUse } else { Verdict::Old }
}

fn is_fresh(stat: &Stat, now: SystemTime) -> bool {
    let changed = Duration::from_secs(u64::try_from(stat.st_ctime).unwrap_or(0));
    now.duration_since(SystemTime::UNIX_EPOCH + changed).is_ok_and(|age| age < FRESH)
}

/// Whether the temporary `name` in `directory` belongs to us or is in use by another run, or vanished meanwhile, as most do.
/// False for a file with such a name that another user left or created.
pub(crate) fn is_own_temporary(directory: impl AsFd, name: &OsStr) -> bool {
    let directory = directory.as_fd();
    let stat = match calls::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(errno) => return errno == Errno::NOENT,
    };
    is_ours(directory, &stat)
        || matches!(judge(directory, name, &stat, SystemTime::now()), Verdict::InUse)
        || is_fresh(&stat, SystemTime::now())
}

/// Whether we created it: it belongs to us, or no other user can create names in that directory. A temporary file gets its
/// final owner before its final name.
fn is_ours(directory: impl AsFd, stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
        || calls::fstat(directory).is_ok_and(|directory| walk::ours_alone(&directory))
}

#[cfg(test)]
mod leftovers_tests {
    use std::time::Duration;

    use super::*;

    /// Links cannot be locked, so only old ones are leftovers.
    #[test]
    fn removes_old_links() {
        let ground = tempfile::TempDir::new().unwrap();
        let name = OsStr::new(".a.uphold-0123456789abcdef");
        let open = || dir_entry::open_directory(&Root::machine(), ground.path()).unwrap();
        let file = ground.path().join("file");
        std::fs::write(&file, "").unwrap();
        let make: [&dyn Fn(PathBuf); 2] =
            [&|path| std::os::unix::fs::symlink("target", path).unwrap(), &|path| {
                std::fs::hard_link(&file, path).unwrap();
            }];
        for make in make {
            make(ground.path().join(name));
            let now = SystemTime::now();
            remove_one(&open(), name, ground.path(), now);
            assert_eq!(temporaries(&open()), [name]);
            remove_one(&open(), name, ground.path(), now + Duration::from_secs(120));
            assert_eq!(temporaries(&open()), Vec::<OsString>::new());
        }
        assert!(file.exists());
    }
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn recognises_temporary_names() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_temporary(OsStr::new(name)), expected, "{name}");
        check(".a.uphold-0123456789abcdef", true);
        check(".a.uphold-b.uphold-0123456789abcdef", true);
        check("a.uphold-0123456789abcdef", false);
        check(".uphold-0123456789abcdef", false);
        check("..uphold-0123456789abcdef", false);
        check(".a.uphold-0123456789abcdeF", false);
        check(".a.uphold-0123456789abcde", false);
        check(".a.uphold-0123456789abcdef0", false);
        check(".a.uphold-backup-1", false);
        check("", false);
        for name in ["x", "é", &"x".repeat(255)] {
            assert!(is_temporary(&unguessable(OsStr::new(name))), "{name}");
        }
    }

    #[test]
    fn recognises_names_of_nameless_files() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_nameless(OsStr::new(name)), expected, "{name}");
        check("#84280", true);
        check("#", false);
        check("#1#", false);
        check("1", false);
    }
}
