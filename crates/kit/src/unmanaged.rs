//! Unmanaged content of a directory.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{EntryKind, Error, ErrorKind, Reading, Result, sibling_name};

/// A path below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathInside {
    /// The path relative to the directory.
    pub path: PathBuf,
    /// Whether it is a directory, which is removed with its content.
    pub is_directory: bool,
}

/// The path, with `/` after that of a directory: a plan shows it, so that a directory in place of a file is a different
/// change than the planned one.
impl fmt::Display for PathInside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.is_directory { "/" } else { "" };
        write!(f, "{}{slash}", self.path.to_string_lossy())
    }
}

/// A path below the directory that no resource manages.
struct Unmanaged {
    /// The path relative to the directory.
    path: PathBuf,
    /// The index of its parent; none at the top.
    parent: Option<usize>,
    /// Whether it contains managed paths, or paths to keep.
    holds_managed: bool,
    is_directory: bool,
}

/// Unmanaged paths below `top`, relative to it and sorted. A whole directory is one entry, unless it contains
/// managed paths or `kept` ones, which are relative to `top`: then it stays, and its other content is listed.
///
/// Costs one `lstat` for each path, except inside managed directories. Symbolic links are not followed.
pub fn find(top: &Path, kept: &HashSet<&Path>, host: &Reading<'_>) -> Result<Vec<PathInside>> {
    let mut found: Vec<Unmanaged> = Vec::new();
    let mut ahead = vec![None];
    while let Some(parent) = ahead.pop() {
        let inside = parent.map_or(PathBuf::new(), |at: usize| found[at].path.clone());
        let directory = top.join(&inside);
        let names = list(&directory, host)?;
        for name in &names {
            let (path, relative) = (directory.join(name), inside.join(name));
            let holds_managed = host.manages(&path);
            if holds_managed || kept.contains(&*relative) {
                mark(&mut found, parent);
            }
            if is_managed_whole(&path, holds_managed, host)? || is_side_file(&directory, name, &names, host) {
                continue;
            }
            let is_directory = is_directory(&path, host)?;
            if is_directory == Some(true) {
                ahead.push(Some(found.len()));
            }
            let is_directory = is_directory.unwrap_or(true);
            found.push(Unmanaged { path: relative, parent, holds_managed, is_directory });
        }
    }
    Ok(outermost(found))
}

/// Whether another resource manages this with its whole content, rather than only a path inside.
fn is_managed_whole(path: &Path, holds_managed: bool, host: &Reading<'_>) -> Result<bool> {
    Ok(holds_managed && (host.manages_contents(path) || is_directory(path, host)? != Some(true)))
}

/// Marks all parents as containing managed paths, up to one that is already marked.
fn mark(found: &mut [Unmanaged], mut parent: Option<usize>) {
    while let Some(at) = parent.filter(|at| !found[*at].holds_managed) {
        found[at].holds_managed = true;
        parent = found[at].parent;
    }
}

fn outermost(found: Vec<Unmanaged>) -> Vec<PathInside> {
    let stays: Vec<bool> = found.iter().map(|entry| entry.holds_managed).collect();
    let goes = |one: &Unmanaged| !one.holds_managed && one.parent.is_none_or(|parent| stays[parent]);
    let inside = |Unmanaged { path, is_directory, .. }| PathInside { path, is_directory };
    let mut entries: Vec<_> = found.into_iter().filter(goes).map(inside).collect();
    entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    entries
}

/// The names in a directory; none if it was just removed.
fn list(directory: &Path, host: &Reading<'_>) -> Result<Vec<OsString>> {
    match host.files().list(directory) {
        Err(error) if error.kind() == ErrorKind::Missing => Ok(Vec::new()),
        other => other,
    }
}

/// Whether this is a directory; none for a path that is too long for the system: no resource can manage it, and it
/// is removed with its parent.
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

/// Whether it is a file that Uphold keeps next to a managed file: `.NAME.uphold-backup-1`, `.NAME.uphold-rejected`,
/// or a partial download. Temporary files are not listed at all.
fn is_side_file(directory: &Path, name: &OsStr, names: &[OsString], host: &Reading<'_>) -> bool {
    const MARK: &[u8] = b".uphold-";
    let Some(rest) = name.as_bytes().strip_prefix(b".") else { return false };
    let Some(at) = rest.windows(MARK.len()).rposition(|window| window == MARK) else { return false };
    let (managed, suffix) = (&rest[..at], &rest[at + MARK.len()..]);
    is_kept(suffix)
        && at > 0
        && (host.manages(&directory.join(OsStr::from_bytes(managed)))
            || is_of_a_long_name(directory, name, suffix, names, host))
}

/// Whether it is kept next to a managed file whose name had to be cut off.
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

/// Whether a file with this suffix is kept on purpose.
fn is_kept(ending: &[u8]) -> bool {
    match ending.strip_prefix(b"backup-") {
        Some(number) => !number.is_empty() && number.iter().all(u8::is_ascii_digit),
        None => matches!(ending, b"rejected" | b"partial" | b"origin"),
    }
}
