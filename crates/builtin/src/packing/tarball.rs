//! Tar archives.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use tar::{Entry, EntryType};
use uphold_resource::Result;

use super::item::{Item, ItemKind};
use super::unpack::{Visit, broken};

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
fn item<R: Read>(entry: &Entry<'_, R>) -> Result<Option<Item>> {
    let link = || entry.link_name_bytes().map(std::borrow::Cow::into_owned).unwrap_or_default();
    let kind = match entry.header().entry_type() {
        EntryType::XGlobalHeader => return Ok(None),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => ItemKind::File,
        EntryType::Directory => ItemKind::Directory,
        EntryType::Symlink => ItemKind::Link(PathBuf::from(OsString::from_vec(link()))),
        EntryType::Link => ItemKind::HardLink(link()),
        EntryType::Char => ItemKind::Other("a character device"),
        EntryType::Block => ItemKind::Other("a block device"),
        EntryType::Fifo => ItemKind::Other("a named pipe"),
        _ => ItemKind::Other("an entry of an unknown type"),
    };
    let name = entry.path_bytes().into_owned();
    // In old archives, a directory is a file whose name ends in a slash.
    let kind = if kind == ItemKind::File && name.ends_with(b"/") { ItemKind::Directory } else { kind };
    let mode = entry.header().mode().map_err(broken)?;
    Ok(Some(Item { name, kind, mode: Some(mode & 0o7777), size: entry.size() }))
}
