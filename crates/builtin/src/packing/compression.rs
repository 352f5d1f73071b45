//! Compression and decompression.

use std::io::{self, BufRead, BufReader, Read, Write};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression as Level, GzBuilder};
use lzma_rust2::XzReader;
use uphold_resource::Property;

use super::zstandard::Frames;

/// The memory limit for decompressing an xz file, in KiB: enough for regular files.
const XZ_MEMORY: u32 = 256 * 1024;

/// The compression of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Compression {
    /// Uncompressed.
    None,
    /// Compressed with gzip.
    Gzip,
}

/// The first bytes of each compression format.
const SIGNATURES: &[(&[u8], Format)] = &[
    (&[0x1f, 0x8b], Format::Gzip),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], Format::Xz),
    (&[0x28, 0xb5, 0x2f, 0xfd], Format::Zstandard),
    (b"BZh", Format::Bzip2),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gzip,
    Xz,
    Zstandard,
    Bzip2,
}

/// Decompresses a file that may be compressed with gzip, xz, Zstandard or bzip2, detected by its first bytes.
pub(crate) fn decoder<'a>(file: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut file = BufReader::with_capacity(64 * 1024, file);
    let begin = file.fill_buf()?;
    let format = SIGNATURES.iter().find(|(bytes, _)| begin.starts_with(bytes)).map(|(_, format)| *format);
    Ok(match format {
        None => Box::new(file),
        Some(Format::Gzip) => Box::new(MultiGzDecoder::new(file)),
        Some(Format::Xz) => Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY)),
        Some(Format::Zstandard) => Box::new(Frames::new(file)),
        Some(Format::Bzip2) => Box::new(MultiBzDecoder::new(file)),
    })
}

/// A compressing writer. The same input always gives the same output: no name and no time is stored.
pub(crate) enum Packer<W: Write> {
    Plain(W),
    Gzip(Box<GzEncoder<W>>),
}

impl<W: Write> Packer<W> {
    pub(crate) fn new(compression: Compression, level: u32, to: W) -> Self {
        match compression {
            Compression::None => Packer::Plain(to),
            Compression::Gzip => {
                Packer::Gzip(Box::new(GzBuilder::new().mtime(0).write(to, Level::new(level))))
            }
        }
    }

    /// Writes the remaining data.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Packer::Plain(to) => Ok(to),
            Packer::Gzip(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(to) => to.write(bytes),
            Packer::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(to) => to.flush(),
            Packer::Gzip(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(compression: Compression, text: &[u8]) -> Vec<u8> {
        let mut packer = Packer::new(compression, 6, Vec::new());
        packer.write_all(text).expect("writing to memory");
        packer.finish().expect("writing to memory")
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        decoder(bytes)?.read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn compression_round_trips() {
        for compression in [Compression::None, Compression::Gzip] {
            let bytes = packed(compression, b"some text");
            assert_eq!(bytes, packed(compression, b"some text"));
            assert_eq!(unpacked(&bytes).expect("complete"), b"some text", "{compression:?}");
        }
        let twice = [packed(Compression::Gzip, b"a"), packed(Compression::Gzip, b"b")].concat();
        assert_eq!(unpacked(&twice).expect("complete"), b"ab");
    }

    #[test]
    fn truncated_data_is_an_error() {
        let bytes = packed(Compression::Gzip, b"some text");
        assert!(unpacked(&bytes[..bytes.len() - 1]).is_err());
    }
}
