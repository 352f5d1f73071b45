//! Tar archives, plain or compressed.

use std::collections::BTreeMap;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use tar::EntryType;
use uphold_resource::Result;

use super::contents::{Contents, Node};
use super::{Budget, broken};

/// Unpacks all members of a gzip file.
pub(super) fn gunzip(packed: &[u8]) -> Result<Vec<u8>> {
    Budget::new().read(MultiGzDecoder::new(packed))
}

/// Unpacks all frames of a Zstandard file.
pub(super) fn unzstd(mut packed: &[u8]) -> Result<Vec<u8>> {
    let (mut budget, mut content) = (Budget::new(), Vec::new());
    while !packed.is_empty() {
        match StreamingDecoder::new(&mut packed) {
            Ok(mut decoder) => {
                content.append(&mut budget.read(&mut decoder)?);
                verify(&decoder.decoder)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                packed = packed.get(length..).ok_or_else(|| broken("its last frame is cut off"))?;
            }
            Err(error) => return Err(broken(error)),
        }
    }
    Ok(content)
}

/// Compares the checksum of a frame, if it has one. The decoder leaves that to its caller.
fn verify(frame: &FrameDecoder) -> Result<()> {
    match (frame.get_checksum_from_data(), frame.get_calculated_checksum()) {
        (Some(expected), Some(found)) if expected != found => Err(broken("its checksum is wrong")),
        _ => Ok(()),
    }
}

/// Unpacks a tar archive.
pub(super) fn unpack(archive: &[u8]) -> Result<Contents> {
    let (mut contents, mut budget) = (Contents::new(), Budget::new());
    let mut archive = tar::Archive::new(archive);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let path = entry.path_bytes().into_owned();
        let node = match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => Node::File(budget.read(&mut entry)?.into()),
            EntryType::Directory => Node::Directory(BTreeMap::new()),
            // Metadata of the archive itself.
            EntryType::XGlobalHeader => continue,
            EntryType::Link => match entry.link_name_bytes().and_then(|name| contents.file(&name)) {
                Some(content) => Node::File(content),
                None => Node::Other("a link"),
            },
            EntryType::Symlink => Node::Other("a link"),
            _ => Node::Other("not a regular file"),
        };
        contents.add(&path, node, &mut budget)?;
    }
    Ok(contents)
}
