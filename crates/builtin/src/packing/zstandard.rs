//! Zstandard decompression.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// A reader of all frames of a Zstandard file, with verification of checksums.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// Whether a frame has started and not ended.
    inside: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> Self {
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
