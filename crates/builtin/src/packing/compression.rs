//! Compressed files.

use std::io::{self, BufRead, BufReader, Read, Write};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression as Level, GzBuilder};
use lzma_rust2::XzReader;
use uphold_resource::Property;

use super::zstandard::Frames;

/// What a good xz file needs to be unpacked, and a bad one may not exceed: 256 MiB, in KiB.
const XZ_MEMORY: u32 = 256 * 1024;

/// How what is written is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Compression {
    /// Not at all.
    None,
    /// As `gzip` does.
    Gzip,
}

/// What the first bytes of a file say about how it is compressed.
const SIGNS: &[(&[u8], Sign)] = &[
    (&[0x1f, 0x8b], Sign::Gzip),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], Sign::Xz),
    (&[0x28, 0xb5, 0x2f, 0xfd], Sign::Zstandard),
    (b"BZh", Sign::Bzip2),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Gzip,
    Xz,
    Zstandard,
    Bzip2,
}

/// What is in a file that may be compressed: by gzip, xz, Zstandard or bzip2. Its first bytes tell, not its name.
pub(crate) fn decoder<'a>(file: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut file = BufReader::with_capacity(64 * 1024, file);
    let begin = file.fill_buf()?;
    let sign = SIGNS.iter().find(|(bytes, _)| begin.starts_with(bytes)).map(|(_, sign)| *sign);
    Ok(match sign {
        None => Box::new(file),
        Some(Sign::Gzip) => Box::new(MultiGzDecoder::new(file)),
        Some(Sign::Xz) => Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY)),
        Some(Sign::Zstandard) => Box::new(Frames::new(file)),
        Some(Sign::Bzip2) => Box::new(MultiBzDecoder::new(file)),
    })
}

/// Compresses what is written to it. The same bytes always give the same bytes: no name and no time is noted.
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

    /// Writes what is still to be written.
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
        packer.write_all(text).expect("memory takes everything");
        packer.finish().expect("memory takes everything")
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        decoder(bytes)?.read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        for compression in [Compression::None, Compression::Gzip] {
            let bytes = packed(compression, b"some text");
            assert_eq!(bytes, packed(compression, b"some text"));
            assert_eq!(unpacked(&bytes).expect("it is whole"), b"some text", "{compression:?}");
        }
        let twice = [packed(Compression::Gzip, b"a"), packed(Compression::Gzip, b"b")].concat();
        assert_eq!(unpacked(&twice).expect("it is whole"), b"ab");
    }

    #[test]
    fn what_is_cut_off_is_no_shorter_text() {
        let bytes = packed(Compression::Gzip, b"some text");
        assert!(unpacked(&bytes[..bytes.len() - 1]).is_err());
    }
}
