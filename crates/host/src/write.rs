//! Writes of files in one step.

use std::fs::File;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use uphold_resource::{Access, Error, ErrorKind, NewFile, Place, Result, wrong_type};

use crate::attributes::{self, Inherited};
use crate::dir_entry::{DirEntry, words};
use crate::root::Root;
use crate::temporary::Temporary;
use crate::{access, calls, look};

/// The mode of a new file without a requested mode.
const NEW_FILE: u32 = 0o600;

/// Writes `file` to `path`.
///
/// # Flow
/// A private temporary file; content; owner; attributes; mode; sync; verification; rename; sync of the directory. Until the
/// rename the old file is complete, after it the new one.
pub(crate) fn write(root: &Root, path: &Path, file: &NewFile<'_>) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    check_replaceable(&entry, file.replace_other)?;
    let mut new = Temporary::create(&entry)?;
    new.fill(file.content)?;
    let NewFile { access, verify, replace_other, .. } = *file;
    place(&entry, new, &Place { access, verify, replace_other })?;
    remove_rejected(&entry, file);
    Ok(())
}

/// Writes `file` to `path`, if the file there still contains `old`, or is missing for `None`.
pub(crate) fn write_over(root: &Root, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
    let entry = DirEntry::find(root, path)?;
    check_replaceable(&entry, file.replace_other)?;
    let mut new = Temporary::create(&entry)?;
    new.fill(file.content)?;
    let NewFile { access, verify, replace_other, .. } = *file;
    let place = Place { access, verify, replace_other };
    let is_due = || has_content(&entry, old);
    let is_put = place_if(&entry, new, &place, is_due)?;
    if is_put {
        remove_rejected(&entry, file);
    }
    Ok(is_put)
}

/// Whether the file at `entry` has exactly this content, or is missing for `None`.
fn has_content(entry: &DirEntry<'_>, expected: Option<&[u8]>) -> Result<bool> {
    let (Some(_), Some(expected)) = (entry.stat()?, expected) else {
        return Ok(entry.stat()?.is_none() && expected.is_none());
    };
    let (file, stat) = open_file(entry)?;
    if u64::try_from(stat.st_size) != Ok(expected.len() as u64) {
        return Ok(false);
    }
    let content = look::read_rest(&file.into(), Vec::new(), entry.path, stat.st_size.unsigned_abs());
    Ok(content.is_ok_and(|content| content == expected))
}

/// Writes a file of our own to `path`, such as a plan or a report. Unlike a managed file it inherits nothing from the
/// replaced file or its directory: owner, mode and access lists could be another user's choice.
///
/// # Guarantees
/// The file is new, belongs to us, and has mode 0600.
pub(crate) fn write_private(root: &Root, path: &Path, content: &[u8]) -> Result<()> {
    let entry = DirEntry::find(root, path)?;
    let existing = check_replaceable(&entry, false)?;
    let mut new = Temporary::create(&entry)?;
    new.fill(content)?;
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    new.give(&Access { mode: None, uid: Some(uid), gid: Some(gid) })?;
    attributes::remove_access_list(new.file())
        .map_err(|errno| entry.error("set the permissions of", errno))?;
    new.permit(NEW_FILE)?;
    new.sync()?;
    put(&entry, new, existing.as_ref())
}

/// Completes a file that has its content, and puts it at `entry`.
pub(crate) fn place(entry: &DirEntry<'_>, new: Temporary<'_>, how: &Place<'_>) -> Result<()> {
    place_if(entry, new, how, || Ok(true)).map(drop)
}

/// The same, if `is_due` right before the rename, because syncing and verification may take long.
fn place_if(
    entry: &DirEntry<'_>,
    mut new: Temporary<'_>,
    how: &Place<'_>,
    is_due: impl FnOnce() -> Result<bool>,
) -> Result<bool> {
    let existing = set_attributes(entry, &new, &how.access, how.replace_other)?;
    new.sync()?;
    if let Some(verify) = how.verify {
        match verify(&new.show()?) {
            Err(error) if error.kind() == ErrorKind::Rejected => {
                return Err(keep_rejected(entry, new, error));
            }
            verified => verified?,
        }
    }
    if !is_due()? {
        return Ok(false);
    }
    put(entry, new, existing.as_ref()).map(|()| true)
}

/// The entry at `entry`; fails if it may not be replaced.
fn check_replaceable(entry: &DirEntry<'_>, replace_other: bool) -> Result<Option<Stat>> {
    match entry.stat()? {
        Some(stat) if !is_file(&stat) && !replace_other => {
            Err(wrong_type(entry.path, words(&stat), "a regular file"))
        }
        existing => Ok(existing),
    }
}

/// The content of the regular file at `path`, at most `limit` bytes. The path is resolved as for a write.
pub(crate) fn content(root: &Root, path: &Path, limit: u64) -> Result<Vec<u8>> {
    let entry = DirEntry::find(root, path)?;
    let (file, _) = open_file(&entry)?;
    look::read_rest(&file.into(), Vec::new(), path, limit)
}

/// Copies the regular file `from` to `to`, with mode, owner and attributes.
pub(crate) fn copy(root: &Root, from: &Path, to: &Path) -> Result<()> {
    let source = DirEntry::find(root, from)?;
    let (mut file, stat) = open_file(&source)?;
    let entry = DirEntry::find(root, to)?;
    let old = entry.stat()?;
    if let Some(old) = old.as_ref().filter(|old| !is_file(old)) {
        return Err(wrong_type(to, words(old), "a regular file"));
    }
    let mut new = Temporary::create(&entry)?;
    new.fill_from(&mut file)?;
    new.give(&Access { mode: None, uid: Some(stat.st_uid), gid: Some(stat.st_gid) })?;
    attributes::copy(&file, new.file(), Inherited::All)
        .map_err(|errno| entry.error("copy the attributes to", errno))?;
    new.permit(stat.st_mode & 0o7777)?;
    new.sync()?;
    put(&entry, new, old.as_ref())
}

/// Opens the regular file at `entry`; fails for anything else.
fn open_file(entry: &DirEntry<'_>) -> Result<(File, Stat)> {
    match entry.stat()?.filter(|stat| !is_file(stat)) {
        Some(stat) => Err(wrong_type(entry.path, words(&stat), "a regular file")),
        None => open_known_file(entry),
    }
}

/// Opens `entry`, which was a regular file a moment ago. Never waits for anything else that may be there now.
fn open_known_file(entry: &DirEntry<'_>) -> Result<(File, Stat)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = calls::openat(&entry.directory, entry.name, flags, Mode::empty())
        .map_err(|errno| entry.error("read", errno))?;
    let stat = calls::fstat(&file).map_err(|errno| entry.error("read the attributes of", errno))?;
    if is_file(&stat) {
        Ok((File::from(file), stat))
    } else {
        Err(wrong_type(entry.path, words(&stat), "a regular file"))
    }
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// The file that is replaced.
struct Old {
    stat: Stat,
    /// `None` if we may replace it but not read it, or it was just removed: then its attributes are lost.
    file: Option<File>,
}

impl Old {
    /// Opens the file whose attributes are `stat`. Attributes and content are of the same file, whatever is renamed meanwhile.
    fn open(entry: &DirEntry<'_>, stat: Stat) -> Result<Self> {
        match open_known_file(entry) {
            Ok((file, stat)) => Ok(Self { stat, file: Some(file) }),
            Err(error) if matches!(error.kind(), ErrorKind::Denied | ErrorKind::Missing) => {
                Ok(Self { stat, file: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Sets owner, attributes and mode of a new file, and returns the attributes of the entry that it replaces. Fails if that may
/// not be replaced.
pub(crate) fn set_attributes(
    entry: &DirEntry<'_>,
    new: &Temporary<'_>,
    requested: &Access,
    replace_other: bool,
) -> Result<Option<Stat>> {
    let existing = check_replaceable(entry, replace_other)?;
    let old = existing.filter(is_file).map(|stat| Old::open(entry, stat)).transpose()?;
    inherit(entry, new, requested, old.as_ref())?;
    Ok(existing)
}

/// Sets owner, attributes and mode: as requested, else those of the old file. Permissions that the old owner granted are not
/// kept for another one.
fn inherit(entry: &DirEntry<'_>, new: &Temporary<'_>, requested: &Access, old: Option<&Old>) -> Result<()> {
    let Some(Old { stat, file }) = old else {
        new.give(requested)?;
        return new.permit(requested.mode.unwrap_or(NEW_FILE));
    };
    let uid = requested.uid.unwrap_or(stat.st_uid);
    new.give(&Access { mode: None, uid: Some(uid), gid: requested.gid.or(Some(stat.st_gid)) })?;
    if let Some(file) = file {
        let inherited = if uid == stat.st_uid { Inherited::All } else { Inherited::Harmless };
        attributes::copy(file, new.file(), inherited)
            .map_err(|errno| entry.error("keep the attributes of", errno))?;
    }
    new.permit(requested.mode.unwrap_or_else(|| access::kept_mode(stat, requested.uid, requested.gid)))
}

/// Puts it at its final name, and syncs the directory.
fn put(entry: &DirEntry<'_>, new: Temporary<'_>, old: Option<&Stat>) -> Result<()> {
    match old.map(|old| FileType::from_raw_mode(old.st_mode)) {
        Some(FileType::Directory) => new.put_over_directory()?,
        Some(_) => new.put()?,
        None => new.put_new()?,
    }
    entry.sync()
}

/// Keeps a rejected file beside the target, for the user to inspect.
fn keep_rejected(entry: &DirEntry<'_>, new: Temporary<'_>, rejection: Error) -> Error {
    let name = rejected_name(entry);
    let kept = new.permit(NEW_FILE).and_then(|()| new.rename(&name));
    let place = entry.path.with_file_name(&name);
    let advice = rejection.advice().map(|advice| format!("{advice}; ")).unwrap_or_default();
    let error = rejection.while_(format!("verification of the new {} failed", entry.path.display()));
    match kept {
        Ok(()) => error.hint(format!("{advice}the rejected file is kept as {}", place.display())),
        Err(_) => error,
    }
}

/// Removes content that an earlier run rejected. Usually there is none; if it cannot be removed, the new file is in place
/// all the same.
fn remove_rejected(entry: &DirEntry<'_>, file: &NewFile<'_>) {
    if file.verify.is_some() && !file.keeps_rejected {
        let _ = calls::unlinkat(&entry.directory, &rejected_name(entry), AtFlags::empty());
    }
}

fn rejected_name(entry: &DirEntry<'_>) -> std::ffi::OsString {
    entry.sibling("rejected")
}
