//! Zip archives.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder};
use uphold_resource::{Error, ErrorKind, OpenFile, Result};

use super::item::{Item, Sort};
use super::unpack::{Visit, broken};

/// The longest path that Linux takes: no link can lead farther.
const LONGEST_PATH: u64 = 4096;

/// As many names are held at once, however many an archive claims to have.
const MOST: usize = 1_000_000;

/// An entry as the list at the end of the archive has it.
struct Listed {
    item: Item,
    is_link: bool,
    method: CompressionMethod,
    way: ZipArchiveEntryWayfinder,
}

/// Shows each entry. Sizes and checksums are verified.
pub(super) fn walk(archive: Box<dyn OpenFile>, visit: &mut Visit<'_>) -> Result<()> {
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
            item.sort = Sort::Link(target(&mut content)?);
        }
        visit(item, &mut content)?;
    }
    Ok(())
}

fn list(archive: &ZipArchive<impl ReaderAt>, buffer: &mut [u8]) -> Result<Vec<Listed>> {
    let (mut listed, mut entries) = (Vec::new(), archive.entries(buffer));
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        if listed.len() == MOST {
            return Err(Error::new(ErrorKind::Invalid, format!("it holds more than {MOST} entries")));
        }
        let mode = entry.mode();
        let sort = match entry.is_dir() {
            true => Sort::Directory,
            false if entry.flags().is_encrypted() => Sort::Other("encrypted"),
            false => Sort::File,
        };
        let bits = mode.value() & 0o7777;
        let item = Item {
            name: entry.file_path().as_bytes().to_vec(),
            sort,
            mode: (bits != 0).then_some(bits),
            size: entry.uncompressed_size_hint(),
        };
        let (is_link, method, way) = (mode.is_symlink(), entry.compression_method(), entry.wayfinder());
        listed.push(Listed { item, is_link, method, way });
    }
    Ok(listed)
}

/// Where a link leads is what it contains.
fn target(content: &mut dyn Read) -> Result<PathBuf> {
    let mut target = Vec::new();
    content.take(LONGEST_PATH).read_to_end(&mut target).map_err(broken)?;
    Ok(PathBuf::from(OsString::from_vec(target)))
}

fn unknown(method: CompressionMethod) -> Error {
    let what = format!("it is packed by the method {method:?}, which is not known");
    Error::new(ErrorKind::Unsupported, what).hint("pack it with deflate, as zip does by itself")
}
