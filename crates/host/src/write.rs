//! Putting a file into place, all at once.

use std::fs::File;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use uphold_resource::{Access, Error, ErrorKind, NewFile, Place, Result, wrong_type};

use crate::attributes::{self, Heritage};
use crate::root::Root;
use crate::spot::{Spot, words};
use crate::temporary::Temporary;
use crate::{access, calls, look};

/// What a file is given that replaces nothing and for which no mode was asked.
const NEW_FILE: u32 = 0o600;

/// Puts `file` at `path`.
///
/// # Flow
/// A temporary file that only we can open; content; owner; attributes; mode; sync; the check; its
/// real name; sync of the directory. Until it has that the old file is whole, after it the new one.
pub(crate) fn write(root: &Root, path: &Path, file: &NewFile<'_>) -> Result<()> {
    let spot = Spot::find(root, path)?;
    check_replaceable(&spot, file.replace_other)?;
    let mut new = Temporary::create(&spot)?;
    new.fill(file.content)?;
    let NewFile { access, verify, replace_other, .. } = *file;
    place(&spot, new, &Place { access, verify, replace_other })
}

/// Puts `file` at `path`, if what is there still contains `old`, or is missing for none. It is not verified.
pub(crate) fn write_over(root: &Root, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
    let spot = Spot::find(root, path)?;
    let there = check_replaceable(&spot, file.replace_other)?;
    let mut new = Temporary::create(&spot)?;
    new.fill(file.content)?;
    let replaced = there.filter(is_file).map(|stat| Old::open(&spot, stat)).transpose()?;
    dress(&spot, &new, &file.access, replaced.as_ref())?;
    new.sync()?;
    // Right before the rename: syncing may take long.
    if !has_content(&spot, old)? {
        return Ok(false);
    }
    put(&spot, new, there.as_ref()).map(|()| true)
}

/// Whether the file at `spot` contains exactly this, or is missing for none.
fn has_content(spot: &Spot<'_>, expected: Option<&[u8]>) -> Result<bool> {
    let (Some(_), Some(expected)) = (spot.stat()?, expected) else {
        return Ok(spot.stat()?.is_none() && expected.is_none());
    };
    let (file, stat) = open_file(spot)?;
    if u64::try_from(stat.st_size) != Ok(expected.len() as u64) {
        return Ok(false);
    }
    let content = look::read_rest(&file.into(), Vec::new(), spot.path, stat.st_size.unsigned_abs());
    Ok(content.is_ok_and(|content| content == expected))
}

/// Puts a file of our own at `path`: a plan, a report. Unlike a managed file it takes nothing from the file that it
/// replaces, nor from its directory: owner, mode and access lists could be anybody's.
///
/// # Guarantees
/// A new file that belongs to us, with mode 0600.
pub(crate) fn write_private(root: &Root, path: &Path, content: &[u8]) -> Result<()> {
    let spot = Spot::find(root, path)?;
    let there = check_replaceable(&spot, false)?;
    let mut new = Temporary::create(&spot)?;
    new.fill(content)?;
    let (uid, gid) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    new.give(&Access { mode: None, uid: Some(uid), gid: Some(gid) })?;
    attributes::forget_lists(new.file()).map_err(|errno| spot.error("set the access of", errno))?;
    new.permit(NEW_FILE)?;
    new.sync()?;
    put(&spot, new, there.as_ref())
}

/// Gives a file that is filled all else, and puts it at `spot`.
pub(crate) fn place(spot: &Spot<'_>, mut new: Temporary<'_>, how: &Place<'_>) -> Result<()> {
    let there = check_replaceable(spot, how.replace_other)?;
    let old = there.filter(is_file).map(|stat| Old::open(spot, stat)).transpose()?;
    dress(spot, &new, &how.access, old.as_ref())?;
    new.sync()?;
    let Some(verify) = how.verify else { return put(spot, new, there.as_ref()) };
    match verify(&new.show()?) {
        Ok(()) => put(spot, new, there.as_ref())?,
        Err(refusal) if refusal.kind() == ErrorKind::Rejected => return Err(keep_aside(spot, new, refusal)),
        Err(error) => return Err(error),
    }
    // Usually nothing was refused before; if it cannot be removed, the file is in place all the same.
    let _ = calls::unlinkat(&spot.directory, &rejected_name(spot), AtFlags::empty());
    Ok(())
}

/// What is at `spot`, unless it may not be replaced.
fn check_replaceable(spot: &Spot<'_>, replace_other: bool) -> Result<Option<Stat>> {
    match spot.stat()? {
        Some(stat) if !is_file(&stat) && !replace_other => {
            Err(wrong_type(spot.path, words(&stat), "a regular file"))
        }
        there => Ok(there),
    }
}

/// What the regular file at `path` contains, at most `limit` bytes, reached as for a write.
pub(crate) fn content(root: &Root, path: &Path, limit: u64) -> Result<Vec<u8>> {
    let spot = Spot::find(root, path)?;
    let (file, _) = open_file(&spot)?;
    look::read_rest(&file.into(), Vec::new(), path, limit)
}

/// Copies the regular file `from` to `to`, with mode, owner and attributes.
pub(crate) fn copy(root: &Root, from: &Path, to: &Path) -> Result<()> {
    let source = Spot::find(root, from)?;
    let (mut file, stat) = open_file(&source)?;
    let spot = Spot::find(root, to)?;
    let old = spot.stat()?;
    if let Some(old) = old.as_ref().filter(|old| !is_file(old)) {
        return Err(wrong_type(to, words(old), "a regular file"));
    }
    let mut new = Temporary::create(&spot)?;
    new.fill_from(&mut file)?;
    new.give(&Access { mode: None, uid: Some(stat.st_uid), gid: Some(stat.st_gid) })?;
    attributes::copy(&file, new.file(), Heritage::All)
        .map_err(|errno| spot.error("copy the attributes to", errno))?;
    new.permit(stat.st_mode & 0o7777)?;
    new.sync()?;
    put(&spot, new, old.as_ref())
}

/// Opens the regular file at `spot`, unless something else is there.
fn open_file(spot: &Spot<'_>) -> Result<(File, Stat)> {
    match spot.stat()?.filter(|stat| !is_file(stat)) {
        Some(stat) => Err(wrong_type(spot.path, words(&stat), "a regular file")),
        None => open_known_file(spot),
    }
}

/// The same, where a regular file was a moment ago. Never waits for whatever else may be there now.
fn open_known_file(spot: &Spot<'_>) -> Result<(File, Stat)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = calls::openat(&spot.directory, spot.name, flags, Mode::empty())
        .map_err(|errno| spot.error("read", errno))?;
    let stat = calls::fstat(&file).map_err(|errno| spot.error("look at", errno))?;
    match is_file(&stat) {
        true => Ok((File::from(file), stat)),
        false => Err(wrong_type(spot.path, words(&stat), "a regular file")),
    }
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// The file that is replaced.
struct Old {
    stat: Stat,
    /// None if we may replace it but not read it, or it has just gone: then its attributes are lost.
    file: Option<File>,
}

impl Old {
    /// Opens the file of which `stat` was seen. What it is taken for and what it hands down are one
    /// file's, whatever is renamed meanwhile.
    fn open(spot: &Spot<'_>, stat: Stat) -> Result<Self> {
        match open_known_file(spot) {
            Ok((file, stat)) => Ok(Self { stat, file: Some(file) }),
            Err(error) if matches!(error.kind(), ErrorKind::Denied | ErrorKind::Missing) => {
                Ok(Self { stat, file: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Owner, attributes and mode: as asked, else as the old file has them. What the old owner allowed
/// does not bind another one.
fn dress(spot: &Spot<'_>, new: &Temporary<'_>, asked: &Access, old: Option<&Old>) -> Result<()> {
    let Some(Old { stat, file }) = old else {
        new.give(asked)?;
        return new.permit(asked.mode.unwrap_or(NEW_FILE));
    };
    let uid = asked.uid.unwrap_or(stat.st_uid);
    new.give(&Access { mode: None, uid: Some(uid), gid: asked.gid.or(Some(stat.st_gid)) })?;
    if let Some(file) = file {
        let heritage = if uid == stat.st_uid { Heritage::All } else { Heritage::Harmless };
        attributes::copy(file, new.file(), heritage)
            .map_err(|errno| spot.error("keep the attributes of", errno))?;
    }
    new.permit(asked.mode.unwrap_or_else(|| access::kept_mode(stat, asked.uid, asked.gid)))
}

/// Gives it its real name, and makes that last.
fn put(spot: &Spot<'_>, new: Temporary<'_>, old: Option<&Stat>) -> Result<()> {
    match old.map(|old| FileType::from_raw_mode(old.st_mode)) {
        Some(FileType::Directory) => new.put_over_directory()?,
        Some(_) => new.put()?,
        None => new.put_new()?,
    }
    spot.sync()
}

/// Keeps what the check refused beside the target, for the user to look at.
fn keep_aside(spot: &Spot<'_>, new: Temporary<'_>, refusal: Error) -> Error {
    let name = rejected_name(spot);
    let kept = new.permit(NEW_FILE).and_then(|()| new.rename(&name));
    let place = spot.path.with_file_name(&name);
    let advice = refusal.advice().map(|advice| format!("{advice}; ")).unwrap_or_default();
    let error = refusal.while_(format!("the check refused the new {}", spot.path.display()));
    match kept {
        Ok(()) => error.hint(format!("{advice}what was refused is kept in {}", place.display())),
        Err(_) => error,
    }
}

fn rejected_name(spot: &Spot<'_>) -> std::ffi::OsString {
    spot.sibling("rejected")
}
