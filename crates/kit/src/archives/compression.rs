//! Compression and decompression.

use std::io;
use std::io::{BufRead, BufReader, Read, Write};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression as Level, GzBuilder};
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use uphold_resource::Property;

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
///
/// # Errors
/// If it cannot be read.
pub fn decoder<'a>(file: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
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
#[derive(Debug)]
pub enum Packer<W: Write> {
    /// Passes everything on.
    Plain(W),
    /// Compresses with gzip.
    Gzip(Box<GzEncoder<W>>),
}

impl<W: Write> Packer<W> {
    /// A writer that compresses with this level, from 0 to 9.
    pub fn new(compression: Compression, level: u32, to: W) -> Self {
        match compression {
            Compression::None => Packer::Plain(to),
            Compression::Gzip => {
                Packer::Gzip(Box::new(GzBuilder::new().mtime(0).write(to, Level::new(level))))
            }
        }
    }

    /// Writes the remaining data.
    ///
    /// # Errors
    /// Of the writer.
    pub fn finish(self) -> io::Result<W> {
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

// Zstandard decompression.

/// A reader of all frames of a Zstandard file, with verification of checksums.
pub(crate) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// Whether a frame has started and not ended.
    inside: bool,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), inside: false }
    }

    /// Starts the next frame; false if there is none. Skippable frames are skipped.
    fn enter(&mut self) -> io::Result<bool> {
        while !self.inside && !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => self.inside = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => skip(&mut self.source, u64::from(length))?,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(self.inside)
    }

    fn decode(&mut self, wanted: usize) -> io::Result<()> {
        while self.decoder.can_collect() < wanted && !self.decoder.is_finished() {
            let missing = wanted - self.decoder.can_collect();
            let strategy = BlockDecodingStrategy::UptoBytes(missing);
            self.decoder.decode_blocks(&mut self.source, strategy).map_err(io::Error::other)?;
        }
        Ok(())
    }

    /// Verifies the checksum of a frame, if it has one, because the decoder does not.
    fn leave(&mut self) -> io::Result<()> {
        self.inside = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(expected), Some(found)) if expected != found => {
                Err(io::Error::other("its checksum is wrong"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.enter()? {
            self.decode(buffer.len())?;
            match self.decoder.read(buffer)? {
                0 => self.leave()?,
                read => return Ok(read),
            }
        }
        Ok(0)
    }
}

fn skip(source: &mut impl Read, length: u64) -> io::Result<()> {
    match io::copy(&mut source.take(length), &mut io::sink())? {
        skipped if skipped == length => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
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

#[cfg(test)]
mod zstandard_tests {
    use super::*;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    #[test]
    fn reads_several_frames() {
        let long: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let frame = |text: &[u8]| compress_to_vec(text, CompressionLevel::Fastest);
        let file = [frame(b"first"), skipped.to_vec(), frame(&long)].concat();
        let mut text = Vec::new();
        Frames::new(file.as_slice()).read_to_end(&mut text).expect("complete");
        assert_eq!(text, [b"first".as_slice(), &long].concat());
        for wrong in [&file[..file.len() - 9], &file[..file.len() - frame(&long).len() - 1]] {
            assert!(Frames::new(wrong).read_to_end(&mut Vec::new()).is_err());
        }
    }
}
