//! Getting a file from a server.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{
    Act, Error, ErrorKind, Flow, Level, Place, Receiver, Request, Response, Result, Size, Url,
};

use super::checksum::{Checksum, Hasher, Sort};
use super::connection::{Connection, unexpected};
use super::origin::{self, Origin};

/// Whoever waits longer than this is told how it went.
const LONG: Duration = Duration::from_secs(1);

/// What is less than this is got anew.
const WORTHWHILE: u64 = 256 * 1024;

/// What to get, and where to put it.
pub(crate) struct Transfer<'a> {
    pub(crate) path: &'a Path,
    pub(crate) connection: &'a Connection,
    pub(crate) checksum: Option<&'a Checksum>,
    pub(crate) max_size: Option<Size>,
    pub(crate) place: Place<'a>,
}

/// A file that is on its way.
struct Arrival<'a> {
    receiver: Box<dyn Receiver + 'a>,
    hasher: Hasher,
    sort: Sort,
    /// Whether it began with what an earlier run had left.
    resumed: bool,
    /// Whether it is larger than allowed: no later run can go on from it.
    too_large: bool,
}

impl Transfer<'_> {
    /// Gets it from the first of these that has it.
    ///
    /// # Errors
    /// If none has it: as the last one failed. What came of it is kept, to go on from.
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
        Err(Error::new(ErrorKind::Invalid, "there is no URL to get it from").hint("set `url`"))
    }

    fn get_from(&self, url: &Url, host: &Act<'_>) -> Result<()> {
        let begun = host.clock().elapsed();
        let known = Origin::read(self.path, host)?.filter(|known| known.is_partial() && known.is_from(url));
        let mut arrival = self.begin(known.as_ref(), host)?;
        let origin = match self.get(url, known.as_ref(), &mut arrival, host) {
            Err(error) if arrival.too_large => {
                arrival.receiver.discard()?;
                origin::forget(self.path, host)?;
                return Err(error);
            }
            got => got?,
        };
        let took = host.clock().elapsed().saturating_sub(begun);
        if took > LONG {
            host.report(Level::Info, &pace(arrival.receiver.length(), took));
        }
        match self.check(arrival.hasher.clone().finish()) {
            Ok(found) => self.put(arrival, origin, &found, host),
            // The beginning was of another version, which no server could have told.
            Err(_) if arrival.resumed => {
                arrival.receiver.discard()?;
                origin::forget(self.path, host)?;
                self.get_from(url, host)
            }
            Err(error) => {
                arrival.receiver.discard()?;
                origin::forget(self.path, host)?;
                Err(error)
            }
        }
    }

    /// Goes on with what is there if it can be told that the rest will fit.
    fn begin<'a>(&'a self, known: Option<&Origin>, host: &'a Act<'a>) -> Result<Arrival<'a>> {
        let mut receiver = host.edits().receive(self.path)?;
        let sort = self.checksum.map_or(Sort::Sha256, Checksum::sort);
        let mut hasher = Hasher::new(sort);
        let fits = known.is_some_and(|known| known.proof().is_some() || self.checksum.is_some());
        let resumed = fits && receiver.length() > 0;
        match resumed {
            true => receiver.review(&mut |piece| {
                hasher.update(piece);
                Ok(())
            })?,
            false => receiver.restart()?,
        }
        Ok(Arrival { receiver, hasher, sort, resumed, too_large: false })
    }

    /// Asks for all of it, or for the rest, and takes in what comes.
    fn get(
        &self,
        url: &Url,
        known: Option<&Origin>,
        arrival: &mut Arrival<'_>,
        host: &Act<'_>,
    ) -> Result<Origin> {
        let request = self.request(url, known, arrival, host)?;
        let mut origin = None;
        host.send(&request, &mut |head, piece| {
            if origin.is_none() {
                if arrival.is_misfit(head) {
                    return Ok(Flow::Enough);
                }
                arrival.accept(url, head)?;
                let whole = announced(head).map(|rest| arrival.receiver.length().saturating_add(rest));
                self.check_size(whole, arrival)?;
                origin = Some(Origin::new(url, head));
            }
            let before = arrival.receiver.length();
            arrival.take(piece)?;
            self.check_size(Some(arrival.receiver.length()), arrival)?;
            if let Some(origin) = origin.as_ref().filter(|_| arrival.becomes_worthwhile(before)) {
                origin.write(self.path, host)?;
            }
            Ok(Flow::More)
        })?;
        match origin {
            Some(origin) => Ok(origin),
            // What was left is all, or of another version. It is got anew.
            None => {
                arrival.restart()?;
                self.get(url, None, arrival, host)
            }
        }
    }

    fn request(
        &self,
        url: &Url,
        known: Option<&Origin>,
        arrival: &Arrival<'_>,
        host: &Act<'_>,
    ) -> Result<Request> {
        let request = self.connection.request("GET", url, host)?;
        if !arrival.resumed {
            return Ok(request);
        }
        let request = request.with("Range", format!("bytes={}-", arrival.receiver.length()));
        Ok(match known.and_then(Origin::proof) {
            Some(proof) => request.with("If-Range", proof),
            None => request,
        })
    }

    fn check_size(&self, size: Option<u64>, arrival: &mut Arrival<'_>) -> Result<()> {
        match (self.max_size, size) {
            (Some(most), Some(size)) if size > most.0 => {
                arrival.too_large = true;
                let what =
                    format!("what is to be put at {} has more than {} bytes", self.path.display(), most.0);
                Err(Error::new(ErrorKind::Rejected, what).hint("raise `max_size` if that is right"))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, found: Checksum) -> Result<Checksum> {
        match self.checksum {
            Some(wanted) if *wanted != found => {
                let what = format!("what was got for {} has the checksum {found}", self.path.display());
                let hint = format!("`checksum` demands {wanted}; nothing was put in place");
                Err(Error::new(ErrorKind::Rejected, what).hint(hint))
            }
            _ => Ok(found),
        }
    }

    /// Puts it in place, and keeps where it came from.
    fn put(&self, arrival: Arrival<'_>, origin: Origin, found: &Checksum, host: &Act<'_>) -> Result<()> {
        arrival.receiver.put(&self.place)?;
        origin.complete(found).write(self.path, host)
    }
}

impl Arrival<'_> {
    /// Whether the server has no rest that fits what is there.
    fn is_misfit(&self, head: &Response) -> bool {
        let misfit = head.status == 206 && starts_at(head) != Some(self.receiver.length());
        self.resumed && (misfit || head.status == 416)
    }

    /// Looks at the head of an answer. All of it instead of the rest means to begin anew.
    fn accept(&mut self, url: &Url, head: &Response) -> Result<()> {
        match head.status {
            206 if self.resumed => Ok(()),
            200 | 203 => self.restart(),
            _ => Err(unexpected(url, head)),
        }
    }

    /// Whether the last piece made it worth going on from. Until then nothing is known of it.
    fn becomes_worthwhile(&self, before: u64) -> bool {
        before < WORTHWHILE && self.receiver.length() >= WORTHWHILE
    }

    fn take(&mut self, piece: &[u8]) -> Result<()> {
        self.hasher.update(piece);
        self.receiver.append(piece)
    }

    fn restart(&mut self) -> Result<()> {
        self.hasher = Hasher::new(self.sort);
        self.resumed = false;
        self.receiver.restart()
    }
}

/// How many bytes follow, if the server says so.
fn announced(head: &Response) -> Option<u64> {
    head.header("content-length")?.trim().parse().ok()
}

/// Where a part begins: `bytes 5-9/10`.
fn starts_at(head: &Response) -> Option<u64> {
    let span = head.header("content-range")?.trim().strip_prefix("bytes")?.trim_start();
    span.split_once('-')?.0.parse().ok()
}

/// `12.0 MiB in 4.0 s`.
fn pace(bytes: u64, took: Duration) -> String {
    const MIB: f64 = 1024.0 * 1024.0;
    format!("got {:.1} MiB in {:.1} s", bytes as f64 / MIB, took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
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
