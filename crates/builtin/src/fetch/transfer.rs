//! Downloading a file, with resume.

use std::path::Path;
use std::time::Duration;

use uphold_kit::checksum::{Algorithm, Checksum, Hasher};
use uphold_resource::{
    Act, Error, ErrorKind, Flow, Level, Place, Receiver, Request, Response, Result, Size, Url,
};

use super::connection::{Connection, unexpected};
use super::origin::{self, Origin};

/// A download that takes longer than this is reported.
const LONG: Duration = Duration::from_secs(1);

/// A smaller part is not resumed, but downloaded again.
const RESUMABLE: u64 = 256 * 1024;

/// A file to download, and its destination.
pub(crate) struct Transfer<'a> {
    pub(crate) path: &'a Path,
    pub(crate) connection: &'a Connection,
    pub(crate) checksum: Option<&'a Checksum>,
    pub(crate) max_size: Option<Size>,
    pub(crate) place: Place<'a>,
}

/// A download in progress.
struct Incoming<'a> {
    receiver: Box<dyn Receiver + 'a>,
    hasher: Hasher,
    algorithm: Algorithm,
    /// Whether it began with a part that an earlier run left.
    resumed: bool,
    /// Whether it exceeds the maximum size, so that it cannot be resumed.
    too_large: bool,
}

impl Transfer<'_> {
    /// Downloads the file from the first URL that works.
    ///
    /// # Errors
    /// The failure of the last URL. The received part is kept for the next run.
    pub(crate) fn get_from_any<'u>(&self, urls: impl Iterator<Item = &'u Url>, host: &Act<'_>) -> Result<()> {
        let mut urls = urls.peekable();
        while let Some(url) = urls.next() {
            match self.get_from(url, host) {
                Err(error) if error.kind() != ErrorKind::Unpredictable && urls.peek().is_some() => {
                    host.report(Level::Warning, &format!("{}; trying the next mirror", error.chain()));
                }
                done => return done,
            }
        }
        Err(Error::new(ErrorKind::Invalid, "the download has no URL").hint("set `url`"))
    }

    fn get_from(&self, url: &Url, host: &Act<'_>) -> Result<()> {
        let begun = host.clock().elapsed();
        let known = Origin::read(self.path, host)?.filter(|known| known.is_partial() && known.is_from(url));
        let mut incoming = self.begin(known.as_ref(), host)?;
        let origin = match self.get(url, known.as_ref(), &mut incoming, host) {
            Err(error) if incoming.too_large => {
                incoming.receiver.discard()?;
                origin::forget(self.path, host)?;
                return Err(error);
            }
            got => got?,
        };
        let took = host.clock().elapsed().saturating_sub(begun);
        if took > LONG {
            host.report(Level::Info, &pace(incoming.receiver.length(), took));
        }
        match self.check(incoming.hasher.clone().finish()) {
            Ok(found) => self.put(incoming, origin, &found, host),
            // The resumed part belonged to another version, which the server could not detect.
            Err(_) if incoming.resumed => {
                incoming.receiver.discard()?;
                origin::forget(self.path, host)?;
                self.get_from(url, host)
            }
            Err(error) => {
                incoming.receiver.discard()?;
                origin::forget(self.path, host)?;
                Err(error)
            }
        }
    }

    /// Resumes an existing part if the result can be validated.
    fn begin<'a>(&'a self, known: Option<&Origin>, host: &'a Act<'a>) -> Result<Incoming<'a>> {
        let mut receiver = host.edits().receive(self.path)?;
        let algorithm = self.checksum.map_or(Algorithm::Sha256, Checksum::algorithm);
        let mut hasher = Hasher::new(algorithm);
        let fits = known.is_some_and(|known| known.validator().is_some() || self.checksum.is_some());
        let resumed = fits && receiver.length() > 0;
        if resumed {
            receiver.review(&mut |piece| {
                hasher.update(piece);
                Ok(())
            })?;
        } else {
            receiver.restart()?;
        }
        Ok(Incoming { receiver, hasher, algorithm, resumed, too_large: false })
    }

    /// Requests the whole file or the rest, and receives it.
    fn get(
        &self,
        url: &Url,
        known: Option<&Origin>,
        incoming: &mut Incoming<'_>,
        host: &Act<'_>,
    ) -> Result<Origin> {
        let request = self.request(url, known, incoming, host)?;
        let mut origin = None;
        host.send(&request, &mut |head, piece| {
            if origin.is_none() {
                if incoming.is_mismatch(head) {
                    return Ok(Flow::Enough);
                }
                incoming.accept(url, head)?;
                let whole = announced(head).map(|rest| incoming.receiver.length().saturating_add(rest));
                self.check_size(whole, incoming)?;
                origin = Some(Origin::new(url, head));
            }
            let before = incoming.receiver.length();
            incoming.take(piece)?;
            self.check_size(Some(incoming.receiver.length()), incoming)?;
            if let Some(origin) = origin.as_ref().filter(|_| incoming.becomes_resumable(before)) {
                origin.write(self.path, host)?;
            }
            Ok(Flow::More)
        })?;
        match origin {
            Some(origin) => Ok(origin),
            // The existing part is complete, or of another version. Download everything again.
            None => {
                incoming.restart()?;
                self.get(url, None, incoming, host)
            }
        }
    }

    fn request(
        &self,
        url: &Url,
        known: Option<&Origin>,
        incoming: &Incoming<'_>,
        host: &Act<'_>,
    ) -> Result<Request> {
        let request = self.connection.request("GET", url, host)?;
        if !incoming.resumed {
            return Ok(request);
        }
        let request = request.with("Range", format!("bytes={}-", incoming.receiver.length()));
        Ok(match known.and_then(Origin::validator) {
            Some(validator) => request.with("If-Range", validator),
            None => request,
        })
    }

    fn check_size(&self, size: Option<u64>, incoming: &mut Incoming<'_>) -> Result<()> {
        match (self.max_size, size) {
            (Some(most), Some(size)) if size > most.0 => {
                incoming.too_large = true;
                let what = format!(
                    "the download of {} is larger than `max_size`, {} bytes",
                    self.path.display(),
                    most.0
                );
                Err(Error::new(ErrorKind::Rejected, what).hint("raise `max_size` if that size is right"))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, found: Checksum) -> Result<Checksum> {
        match self.checksum {
            Some(wanted) if *wanted != found => {
                let what = format!("the download of {} has the wrong checksum {found}", self.path.display());
                let hint =
                    format!("`checksum` is {wanted}; nothing was changed. Check the URL and the checksum");
                Err(Error::new(ErrorKind::Rejected, what).hint(hint))
            }
            _ => Ok(found),
        }
    }

    /// Puts the file in place, and stores its origin.
    fn put(&self, incoming: Incoming<'_>, origin: Origin, found: &Checksum, host: &Act<'_>) -> Result<()> {
        incoming.receiver.put(&self.place)?;
        origin.complete(found).write(self.path, host)
    }
}

impl Incoming<'_> {
    /// Whether the server's response does not continue the existing part.
    fn is_mismatch(&self, head: &Response) -> bool {
        let mismatch = head.status == 206 && starts_at(head) != Some(self.receiver.length());
        self.resumed && (mismatch || head.status == 416)
    }

    /// Checks the head of a response. The whole file instead of the rest means to start again.
    fn accept(&mut self, url: &Url, head: &Response) -> Result<()> {
        match head.status {
            206 if self.resumed => Ok(()),
            200 | 203 => self.restart(),
            _ => Err(unexpected(url, head)),
        }
    }

    /// Whether the last piece made the part large enough to resume. Nothing is stored before that.
    fn becomes_resumable(&self, before: u64) -> bool {
        before < RESUMABLE && self.receiver.length() >= RESUMABLE
    }

    fn take(&mut self, piece: &[u8]) -> Result<()> {
        self.hasher.update(piece);
        self.receiver.append(piece)
    }

    fn restart(&mut self) -> Result<()> {
        self.hasher = Hasher::new(self.algorithm);
        self.resumed = false;
        self.receiver.restart()
    }
}

/// The number of bytes that follow, if the server sends it.
fn announced(head: &Response) -> Option<u64> {
    head.header("content-length")?.trim().parse().ok()
}

/// The start of a range: `bytes 5-9/10`.
fn starts_at(head: &Response) -> Option<u64> {
    let span = head.header("content-range")?.trim().strip_prefix("bytes")?.trim_start();
    span.split_once('-')?.0.parse().ok()
}

/// Formats size and time, as in `downloaded 12.0 MiB in 4.0 s`.
fn pace(bytes: u64, took: Duration) -> String {
    const MIB: f64 = 1024.0 * 1024.0;
    format!("downloaded {:.1} MiB in {:.1} s", bytes as f64 / MIB, took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_ranges() {
        let check = |range: &str, expected: Option<u64>| {
            let head = Response { status: 206, headers: vec![("content-range".into(), range.into())] };
            assert_eq!(starts_at(&head), expected, "{range}");
        };
        check("bytes 5-9/10", Some(5));
        check("bytes 0-9/*", Some(0));
        check("bytes */10", None);
        check("lines 5-9/10", None);
    }
}
