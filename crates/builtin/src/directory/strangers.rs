//! What is in a directory and belongs to nobody.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{EntryKind, Error, ErrorKind, Reading, Result, sibling_name};

use super::purge::Inside;

/// Something below the directory that no resource manages.
struct Stranger {
    /// Where it is, below the directory.
    path: PathBuf,
    /// The directory it is in, unless that is the one we began with.
    parent: Option<usize>,
    /// Whether something managed is inside.
    holds_managed: bool,
    is_directory: bool,
}

/// What is below `top` and not managed by another resource, as paths below it, sorted. A whole
/// directory is one entry, unless something managed is inside: then it stays, and what is beside
/// that is listed.
///
/// Costs one look for each thing below, except inside managed directories. Links are not followed.
pub(crate) fn find(top: &Path, host: &Reading<'_>) -> Result<Vec<Inside>> {
    let mut found: Vec<Stranger> = Vec::new();
    let mut ahead = vec![None];
    while let Some(parent) = ahead.pop() {
        let inside = parent.map_or(PathBuf::new(), |at: usize| found[at].path.clone());
        let directory = top.join(&inside);
        let names = list(&directory, host)?;
        for name in &names {
            let path = directory.join(name);
            let holds_managed = host.manages(&path);
            if holds_managed {
                mark(&mut found, parent);
            }
            if is_theirs(&path, holds_managed, host)? || is_ours(&directory, name, &names, host) {
                continue;
            }
            let is_directory = is_directory(&path, host)?;
            if is_directory == Some(true) {
                ahead.push(Some(found.len()));
            }
            let is_directory = is_directory.unwrap_or(true);
            found.push(Stranger { path: inside.join(name), parent, holds_managed, is_directory });
        }
    }
    Ok(outermost(found))
}

/// Whether this is somebody's with all that is inside, rather than a directory on the way to something of theirs.
fn is_theirs(path: &Path, holds_managed: bool, host: &Reading<'_>) -> Result<bool> {
    Ok(holds_managed && (host.manages_contents(path) || is_directory(path, host)? != Some(true)))
}

/// Each directory on the way up holds something managed. Ends where that is known already.
fn mark(found: &mut [Stranger], mut parent: Option<usize>) {
    while let Some(at) = parent.filter(|at| !found[*at].holds_managed) {
        found[at].holds_managed = true;
        parent = found[at].parent;
    }
}

fn outermost(found: Vec<Stranger>) -> Vec<Inside> {
    let stays: Vec<bool> = found.iter().map(|stranger| stranger.holds_managed).collect();
    let goes = |one: &Stranger| !one.holds_managed && one.parent.is_none_or(|parent| stays[parent]);
    let inside = |Stranger { path, is_directory, .. }| Inside { path, is_directory };
    let mut entries: Vec<_> = found.into_iter().filter(goes).map(inside).collect();
    entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    entries
}

/// The names in a directory; none if it has just gone.
fn list(directory: &Path, host: &Reading<'_>) -> Result<Vec<OsString>> {
    match host.files().list(directory) {
        Err(error) if error.kind() == ErrorKind::Missing => Ok(Vec::new()),
        other => other,
    }
}

/// Whether there is a directory to look into; none for what is too deep to be looked at: nothing can be managed there, and
/// it goes with the directory that it is in.
fn is_directory(path: &Path, host: &Reading<'_>) -> Result<Option<bool>> {
    match host.files().look(path) {
        Ok(found) => Ok(Some(found.is_some_and(|entry| entry.kind == EntryKind::Directory))),
        Err(error) if is_too_long(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the system refused a path because of its length.
fn is_too_long(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::InvalidFilename)
}

/// Whether it is what Uphold itself keeps beside a managed file: `.NAME.uphold-backup-1`,
/// `.NAME.uphold-rejected`, or what a download goes on from. Temporary names are not even listed.
fn is_ours(directory: &Path, name: &OsStr, names: &[OsString], host: &Reading<'_>) -> bool {
    const MARK: &[u8] = b".uphold-";
    let Some(rest) = name.as_bytes().strip_prefix(b".") else { return false };
    let Some(at) = rest.windows(MARK.len()).rposition(|window| window == MARK) else { return false };
    let (managed, suffix) = (&rest[..at], &rest[at + MARK.len()..]);
    is_kept(suffix)
        && at > 0
        && (host.manages(&directory.join(OsStr::from_bytes(managed)))
            || is_of_a_long_name(directory, name, suffix, names, host))
}

/// Whether it is kept beside a managed file whose name is too long to be shown in it.
fn is_of_a_long_name(
    directory: &Path,
    name: &OsStr,
    suffix: &[u8],
    names: &[OsString],
    host: &Reading<'_>,
) -> bool {
    const CUT: usize = 255;
    let Some(suffix) = str::from_utf8(suffix).ok().filter(|_| name.len() == CUT) else { return false };
    let is_sibling = |other: &&OsString| sibling_name(other, suffix) == name;
    names.iter().filter(is_sibling).any(|other| host.manages(&directory.join(other)))
}

/// Whether a name ends like something that is kept on purpose.
fn is_kept(ending: &[u8]) -> bool {
    match ending.strip_prefix(b"backup-") {
        Some(number) => !number.is_empty() && number.iter().all(u8::is_ascii_digit),
        None => matches!(ending, b"rejected" | b"partial" | b"origin"),
    }
}
