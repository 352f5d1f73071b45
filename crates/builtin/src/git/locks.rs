//! Locks that a killed git left behind.
//!
//! A lock is stale if no git runs in the checkout, and the lock is either of an interrupted change of our own or older than a
//! minute: other programs than git use these locks, too, but only for moments.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use uphold_resource::{Act, EntryKind, Error, ErrorKind, Reading, Result};

use super::checkout;

/// No program but git holds a lock for so long.
const LONGEST: Duration = Duration::from_secs(60);

/// Directories in `.git` with many files and no locks that stop git.
const WITHOUT_LOCKS: [&str; 5] = ["objects", "logs", "hooks", "lfs", "annex"];

/// Removes the stale locks in the checkout at `path`. `ours` is the time when our interrupted change began.
///
/// # Errors
/// If a lock is not stale.
pub(crate) fn clear(path: &Path, ours: Option<SystemTime>, host: &Act<'_>) -> Result<()> {
    let locks = find(&path.join(".git"), host)?;
    let Some((first, _)) = locks.first() else { return Ok(()) };
    if let Some(process) = running(path, host)? {
        let what = format!(
            "git is running in {} (process {process}), and holds {}",
            path.display(),
            first.display()
        );
        return Err(Error::new(ErrorKind::Rejected, what).hint("try again when it has ended"));
    }
    for (lock, made) in locks {
        let is_ours = ours.is_some_and(|begun| made >= begun);
        let age = host.clock().now().duration_since(made).unwrap_or_default();
        if !is_ours && age < LONGEST {
            let what =
                format!("another program may be changing {}: {} is new", path.display(), lock.display());
            let hint = "try again in a minute: a lock that no running git holds is removed then";
            return Err(Error::new(ErrorKind::Rejected, what).hint(hint));
        }
        host.edits().remove_file(&lock)?;
    }
    Ok(())
}

/// The locks in a repository, submodules included, and when each was made.
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

/// The process of a git that works in the checkout, if there is one.
fn running(path: &Path, host: &Reading<'_>) -> Result<Option<String>> {
    let processes = match host.files().list(Path::new("/proc")) {
        Ok(names) => names,
        Err(error) if error.kind() == ErrorKind::Missing => Vec::new(),
        Err(error) => return Err(error),
    };
    // With another root, the kernel shows the working directory with that root in front.
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
