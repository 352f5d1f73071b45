//! Tar archives.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use tar::{Entry, EntryType};
use uphold_resource::Result;

use super::{ArchiveEntry, ArchiveEntryKind, Visit, broken};

/// Visits each entry.
pub(super) fn walk(archive: impl Read, visit: &mut Visit<'_>) -> Result<()> {
    let mut archive = tar::Archive::new(archive);
    let mut empty = true;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        empty = false;
        if let Some(item) = item(&entry)? {
            visit(item, &mut entry)?;
        }
    }
    // The data after the end must be valid, too: it may have a checksum.
    let rest = std::io::copy(&mut archive.into_inner(), &mut std::io::sink()).map_err(broken)?;
    if empty && rest == 0 { Err(broken("it is empty")) } else { Ok(()) }
}

/// The entry; none for metadata of the archive.
fn item<R: Read>(entry: &Entry<'_, R>) -> Result<Option<ArchiveEntry>> {
    let link = || entry.link_name_bytes().map(std::borrow::Cow::into_owned).unwrap_or_default();
    let kind = match entry.header().entry_type() {
        EntryType::XGlobalHeader => return Ok(None),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => ArchiveEntryKind::File,
        EntryType::Directory => ArchiveEntryKind::Directory,
        EntryType::Symlink => ArchiveEntryKind::Link(PathBuf::from(OsString::from_vec(link()))),
        EntryType::Link => ArchiveEntryKind::HardLink(link()),
        EntryType::Char => ArchiveEntryKind::Other("a character device"),
        EntryType::Block => ArchiveEntryKind::Other("a block device"),
        EntryType::Fifo => ArchiveEntryKind::Other("a named pipe"),
        _ => ArchiveEntryKind::Other("an entry of an unknown type"),
    };
    let name = entry.path_bytes().into_owned();
    // In old archives, a directory is a file whose name ends in a slash.
    let kind = if kind == ArchiveEntryKind::File && name.ends_with(b"/") {
        ArchiveEntryKind::Directory
    } else {
        kind
    };
    let mode = entry.header().mode().map_err(broken)?;
    Ok(Some(ArchiveEntry { name, kind, mode: Some(mode & 0o7777), size: entry.size() }))
}
