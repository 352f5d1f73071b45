//! Locks that a killed git left behind.
//!
//! A lock is stale if no git runs in the checkout, and the lock is either from an interrupted change of Uphold or
//! older than a minute. Other programs use these locks, too, but only briefly.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use uphold_resource::{Act, EntryKind, Error, ErrorKind, Reading, Result};

use super::checkout;

/// The maximum time that a program other than git keeps a lock.
const LONGEST: Duration = Duration::from_secs(60);

/// Directories in `.git` with many files and without locks that block git.
const WITHOUT_LOCKS: [&str; 5] = ["objects", "logs", "hooks", "lfs", "annex"];

/// Removes stale locks in the checkout at `path`. `ours` is the start of an interrupted change of Uphold.
///
/// # Errors
/// If a lock is not stale.
pub(crate) fn clear(path: &Path, ours: Option<SystemTime>, host: &Act<'_>) -> Result<()> {
    let locks = find(&path.join(".git"), host)?;
    let Some((first, _)) = locks.first() else { return Ok(()) };
    if let Some(process) = running(path, host)? {
        let what = format!(
            "git is running in {} (process {process}) and holds the lock {}",
            path.display(),
            first.display()
        );
        return Err(
            Error::new(ErrorKind::Rejected, what).hint("run Uphold again after that process has ended")
        );
    }
    for (lock, made) in locks {
        let is_ours = ours.is_some_and(|begun| made >= begun);
        let age = host.clock().now().duration_since(made).unwrap_or_default();
        if !is_ours && age < LONGEST {
            let what = format!(
                "another program may be changing {}: the lock {} is less than a minute old",
                path.display(),
                lock.display()
            );
            let hint = "run Uphold again in a minute; a stale lock is removed then";
            return Err(Error::new(ErrorKind::Rejected, what).hint(hint));
        }
        host.edits().remove_file(&lock)?;
    }
    Ok(())
}

/// The locks in a repository, including submodules, with their modification times.
fn find(repository: &Path, host: &Reading<'_>) -> Result<Vec<(PathBuf, SystemTime)>> {
    let (mut locks, mut ahead) = (Vec::new(), vec![repository.to_owned()]);
    while let Some(directory) = ahead.pop() {
        for name in host.files().list(&directory)? {
            let path = directory.join(&name);
            let is_lock = path.extension().is_some_and(|extension| extension == "lock");
            if WITHOUT_LOCKS.iter().any(|skipped| name == *skipped) {
                continue;
            }
            match host.files().look(&path)? {
                Some(entry) if entry.kind == EntryKind::Directory => ahead.push(path),
                Some(entry) if is_lock => locks.push((path, entry.modified)),
                _ => {}
            }
        }
    }
    Ok(locks)
}

/// The process ID of a git that runs in the checkout, if any.
fn running(path: &Path, host: &Reading<'_>) -> Result<Option<String>> {
    let processes = match host.files().list(Path::new("/proc")) {
        Ok(names) => names,
        Err(error) if error.kind() == ErrorKind::Missing => Vec::new(),
        Err(error) => return Err(error),
    };
    // With another root, the kernel shows the working directory with that root as prefix.
    let inside = path.strip_prefix("/").unwrap_or(path);
    let works_here = |process: &Path| {
        let entry = host.files().look(&process.join("cwd")).ok().flatten();
        let place = entry.and_then(|entry| match entry.kind {
            EntryKind::Link(place) => Some(place),
            _ => None,
        });
        let name = || checkout::text(&process.join("comm"), host).ok().flatten().unwrap_or_default();
        place.is_some_and(|place| place.ancestors().any(|place| place.ends_with(inside)))
            && name().starts_with("git")
    };
    let numbers =
        processes.iter().filter_map(|name| name.to_str()).filter(|name| name.parse::<u32>().is_ok());
    Ok(numbers.map(str::to_owned).find(|number| works_here(&Path::new("/proc").join(number))))
}
