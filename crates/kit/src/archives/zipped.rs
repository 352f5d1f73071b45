//! Zip archives.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder};
use uphold_resource::{Error, ErrorKind, OpenFile, Result};

use super::{ArchiveEntry, ArchiveEntryKind, Visit, broken};

/// The maximum length of a path on Linux, and so of a link target.
const LONGEST_PATH: u64 = 4096;

/// The maximum number of entries to hold in memory.
const MOST: usize = 1_000_000;

/// An entry in the directory at the end of the archive.
struct Listed {
    item: ArchiveEntry,
    is_link: bool,
    method: CompressionMethod,
    way: ZipArchiveEntryWayfinder,
}

/// Visits each entry. Sizes and checksums are verified.
pub(super) fn walk(archive: Box<dyn OpenFile + '_>, visit: &mut Visit<'_>) -> Result<()> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_seekable(archive, &mut buffer).map_err(broken)?;
    for Listed { mut item, is_link, method, way } in list(&archive, &mut buffer)? {
        let entry = archive.get_entry(way).map_err(broken)?;
        let mut content: Box<dyn Read> = match method {
            CompressionMethod::STORE => Box::new(entry.verifying_reader(entry.reader())),
            CompressionMethod::DEFLATE => {
                Box::new(entry.verifying_reader(DeflateDecoder::new(entry.reader())))
            }
            method => return Err(unknown(method)),
        };
        if is_link {
            item.kind = ArchiveEntryKind::Link(target(&mut content)?);
        }
        visit(item, &mut content)?;
    }
    Ok(())
}

fn list(archive: &ZipArchive<impl ReaderAt>, buffer: &mut [u8]) -> Result<Vec<Listed>> {
    let (mut listed, mut entries) = (Vec::new(), archive.entries(buffer));
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        if listed.len() == MOST {
            return Err(Error::new(ErrorKind::Invalid, format!("the archive has more than {MOST} entries")));
        }
        let mode = entry.mode();
        let kind = if entry.is_dir() {
            ArchiveEntryKind::Directory
        } else if entry.flags().is_encrypted() {
            ArchiveEntryKind::Other("encrypted")
        } else {
            ArchiveEntryKind::File
        };
        let bits = mode.value() & 0o7777;
        let item = ArchiveEntry {
            name: entry.file_path().as_bytes().to_vec(),
            kind,
            mode: (bits != 0).then_some(bits),
            size: entry.uncompressed_size_hint(),
        };
        let (is_link, method, way) = (mode.is_symlink(), entry.compression_method(), entry.wayfinder());
        listed.push(Listed { item, is_link, method, way });
    }
    Ok(listed)
}

/// Reads the target of a link, which is its content.
fn target(content: &mut dyn Read) -> Result<PathBuf> {
    let mut target = Vec::new();
    content.take(LONGEST_PATH).read_to_end(&mut target).map_err(broken)?;
    Ok(PathBuf::from(OsString::from_vec(target)))
}

fn unknown(method: CompressionMethod) -> Error {
    let what = format!("the archive uses the compression method {method:?}, which is not supported");
    Error::new(ErrorKind::Unsupported, what).hint("create the archive with deflate, the default of zip")
}
