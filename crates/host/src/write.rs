//! Putting a file into place, all at once.

use std::fs::File;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use uphold_resource::{Access, Error, ErrorKind, NewFile, Result, wrong_type};

use crate::attributes;
use crate::root::Root;
use crate::spot::{Spot, words};
use crate::temporary::Temporary;

/// What a file is given that replaces nothing and for which no mode was asked.
const NEW_FILE: u32 = 0o600;

/// Puts `file` at `path`.
///
/// # Flow
/// A temporary sibling that only we can open; content; owner; attributes; mode; sync; the check;
/// rename; sync of the directory. Until the rename the old file is whole, after it the new one.
pub(crate) fn write(root: &Root, path: &Path, file: &NewFile<'_>) -> Result<()> {
    let spot = Spot::find(root, path)?;
    let old = spot.stat()?;
    if let Some(stat) = old.as_ref().filter(|stat| !is_file(stat) && !file.replace_other) {
        return Err(wrong_type(path, words(stat), "a regular file"));
    }
    let mut new = Temporary::create(&spot)?;
    new.fill(file.content)?;
    dress(&spot, &new, &file.access, old.as_ref().filter(|stat| is_file(stat)))?;
    new.sync()?;
    let Some(verify) = file.verify else { return put(&spot, new, old.as_ref()) };
    new.stop_writing()?;
    if let Err(refusal) = verify(&new.path()) {
        return Err(keep_aside(&spot, new, refusal));
    }
    put(&spot, new, old.as_ref())?;
    // Usually nothing was refused before; if it cannot be removed, the file is in place all the same.
    let _ = rustix::fs::unlinkat(&spot.directory, rejected_name(&spot), AtFlags::empty());
    Ok(())
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
    attributes::copy(&file, new.file()).map_err(|errno| spot.error("copy the attributes to", errno))?;
    new.permit(stat.st_mode & 0o7777)?;
    new.sync()?;
    put(&spot, new, None)
}

/// Opens the regular file at `spot`, without waiting for whatever else may be there.
fn open_file(spot: &Spot<'_>) -> Result<(File, Stat)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    if let Some(stat) = spot.stat()?.filter(|stat| !is_file(stat)) {
        return Err(wrong_type(spot.path, words(&stat), "a regular file"));
    }
    let file = rustix::fs::openat(&spot.directory, spot.name, flags, Mode::empty())
        .map_err(|errno| spot.error("read", errno))?;
    let stat = rustix::fs::fstat(&file).map_err(|errno| spot.error("look at", errno))?;
    match is_file(&stat) {
        true => Ok((File::from(file), stat)),
        false => Err(wrong_type(spot.path, words(&stat), "a regular file")),
    }
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

/// Owner, attributes and mode: as asked, else as the old file has them.
fn dress(spot: &Spot<'_>, new: &Temporary<'_>, asked: &Access, old: Option<&Stat>) -> Result<()> {
    new.give(&Access {
        mode: None,
        uid: asked.uid.or(old.map(|old| old.st_uid)),
        gid: asked.gid.or(old.map(|old| old.st_gid)),
    })?;
    if old.is_some() {
        keep_attributes(spot, new)?;
    }
    new.permit(asked.mode.or(old.map(|old| old.st_mode & 0o7777)).unwrap_or(NEW_FILE))
}

fn keep_attributes(spot: &Spot<'_>, new: &Temporary<'_>) -> Result<()> {
    let old = match open_file(spot) {
        Ok((old, _)) => old,
        // We may replace it but not read it, or it has just gone: there is nothing to keep.
        Err(error) if matches!(error.kind(), ErrorKind::Denied | ErrorKind::Missing) => return Ok(()),
        Err(error) => return Err(error),
    };
    attributes::copy(&old, new.file()).map_err(|errno| spot.error("keep the attributes of", errno))
}

/// Renames, and makes it last.
fn put(spot: &Spot<'_>, new: Temporary<'_>, old: Option<&Stat>) -> Result<()> {
    match old.map(|old| FileType::from_raw_mode(old.st_mode)) {
        Some(FileType::Directory) => new.put_over_directory()?,
        _ => new.put()?,
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
