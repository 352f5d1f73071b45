//! Zip archives.

use std::collections::BTreeMap;

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceEntry};
use uphold_resource::{Error, ErrorKind, Result};

use super::contents::{Contents, Node};
use super::{Budget, broken};

/// Unpacks a zip archive. Sizes and checksums are verified.
pub(super) fn unpack(archive: &[u8]) -> Result<Contents> {
    let (mut contents, mut budget) = (Contents::new(), Budget::new());
    let archive = ZipArchive::from_slice(archive).map_err(broken)?;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        let path = entry.file_path().as_bytes();
        let node = if entry.is_dir() {
            Node::Directory(BTreeMap::new())
        } else if entry.mode().is_symlink() {
            Node::Other("a link")
        } else if entry.flags().is_encrypted() {
            Node::Other("encrypted")
        } else {
            let found = archive.get_entry(entry.wayfinder()).map_err(broken)?;
            Node::File(content(&found, entry.compression_method(), &mut budget)?.into())
        };
        contents.add(path, node, &mut budget)?;
    }
    Ok(contents)
}

fn content(entry: &ZipSliceEntry<'_>, method: CompressionMethod, budget: &mut Budget) -> Result<Vec<u8>> {
    match method {
        CompressionMethod::STORE => budget.read(entry.verifying_reader(entry.data())),
        CompressionMethod::DEFLATE => budget.read(entry.verifying_reader(DeflateDecoder::new(entry.data()))),
        method => {
            let what = format!("it uses the unknown compression method {method:?}");
            Err(Error::new(ErrorKind::Unsupported, what).hint("pack it with deflate, the default of zip"))
        }
    }
}
