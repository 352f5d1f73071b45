//! Tar archives.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use tar::{Entry, EntryType};
use uphold_resource::Result;

use super::item::{Item, Sort};
use super::unpack::{Visit, broken};

/// Shows each entry.
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
    // What follows the end still has to be whole: a checksum may be there.
    let rest = std::io::copy(&mut archive.into_inner(), &mut std::io::sink()).map_err(broken)?;
    match empty && rest == 0 {
        true => Err(broken("there is nothing in it, not even an end")),
        false => Ok(()),
    }
}

/// None for what says something about the archive, and is nothing in it.
fn item<R: Read>(entry: &Entry<'_, R>) -> Result<Option<Item>> {
    let link = || entry.link_name_bytes().map(std::borrow::Cow::into_owned).unwrap_or_default();
    let sort = match entry.header().entry_type() {
        EntryType::XGlobalHeader => return Ok(None),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => Sort::File,
        EntryType::Directory => Sort::Directory,
        EntryType::Symlink => Sort::Link(PathBuf::from(OsString::from_vec(link()))),
        EntryType::Link => Sort::HardLink(link()),
        EntryType::Char => Sort::Other("a character device"),
        EntryType::Block => Sort::Other("a block device"),
        EntryType::Fifo => Sort::Other("a named pipe"),
        _ => Sort::Other("something of an unknown type"),
    };
    let name = entry.path_bytes().into_owned();
    // Old archives have directories that are files whose names end in a slash.
    let sort = if sort == Sort::File && name.ends_with(b"/") { Sort::Directory } else { sort };
    let mode = entry.header().mode().map_err(broken)?;
    Ok(Some(Item { name, sort, mode: Some(mode & 0o7777), size: entry.size() }))
}
