//! The reports of inotify: decoding, and the batch of one collection.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::inotify::ReadFlags;
use uphold_resource::{Interest, Token, WatchEvent};

/// The reports of one collection. Each token gets one report of a change, however many there are.
#[derive(Default)]
pub(super) struct ChangeBatch {
    reports: Vec<WatchEvent>,
    changed: HashSet<Token>,
    blind: HashSet<Token>,
    lost: bool,
}

impl ChangeBatch {
    /// Reports that an interest of `token` may have changed.
    pub(super) fn changed(&mut self, token: Token, what: impl FnOnce() -> Interest) {
        if self.changed.insert(token) {
            self.reports.push(WatchEvent::Changed { token, what: what() });
        }
    }

    /// Reports a changed path to many tokens.
    pub(super) fn path_changed(
        &mut self,
        tokens: impl IntoIterator<Item = Token>,
        path: impl Fn() -> PathBuf,
    ) {
        for token in tokens {
            self.changed(token, || Interest::Path(path()));
        }
    }

    /// Reports that an interest of `token` cannot be watched any more.
    pub(super) fn blind(&mut self, token: Token, because: &str) {
        if self.blind.insert(token) {
            self.reports.push(WatchEvent::Blind { token, because: because.to_owned() });
        }
    }

    /// Reports that anything may have changed.
    pub(super) fn lost(&mut self) {
        if !std::mem::replace(&mut self.lost, true) {
            self.reports.push(WatchEvent::Lost);
        }
    }

    /// Whether everything has to be checked anyway.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// The tokens that became blind.
    pub(super) fn blinded(&self) -> impl Iterator<Item = Token> {
        self.blind.iter().copied()
    }

    /// All reports, in their order.
    pub(super) fn into_reports(self) -> Vec<WatchEvent> {
        self.reports
    }
}

/// The length of the fields before the name: watch, mask, cookie and the length of the name.
const HEADER: usize = 16;

/// An event in a directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report<'a> {
    /// The watch.
    pub(super) watch: i32,
    /// The event.
    pub(super) what: ReadFlags,
    /// The name in the directory; empty for the directory itself.
    pub(super) name: &'a OsStr,
}

/// The reports in the data of the kernel. Ends at invalid data.
pub(super) fn reports(mut bytes: &[u8]) -> impl Iterator<Item = Report<'_>> {
    std::iter::from_fn(move || next(&mut bytes))
}

fn next<'a>(bytes: &mut &'a [u8]) -> Option<Report<'a>> {
    let word = |at: usize| bytes.get(at..)?.first_chunk().copied();
    let watch = i32::from_ne_bytes(word(0)?);
    let what = ReadFlags::from_bits_retain(u32::from_ne_bytes(word(4)?));
    let end = HEADER.checked_add(usize::try_from(u32::from_ne_bytes(word(12)?)).ok()?)?;
    let padded = bytes.get(HEADER..end)?;
    let length = padded.iter().position(|byte| *byte == 0).unwrap_or(padded.len());
    *bytes = &bytes[end..];
    Some(Report { watch, what, name: OsStr::from_bytes(&padded[..length]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_once_to_each_token() {
        let mut batch = ChangeBatch::default();
        batch.path_changed([1, 2, 1], || "/a".into());
        batch.path_changed([1], || "/b".into());
        batch.blind(1, "because");
        batch.blind(1, "because");
        batch.lost();
        batch.lost();
        assert_eq!(batch.blinded().collect::<Vec<_>>(), [1]);
        let changed = |token| WatchEvent::Changed { token, what: Interest::Path("/a".into()) };
        let blind = WatchEvent::Blind { token: 1, because: "because".to_owned() };
        assert_eq!(batch.into_reports(), [changed(1), changed(2), blind, WatchEvent::Lost]);
    }

    fn bytes(watch: i32, what: ReadFlags, name: &[u8]) -> Vec<u8> {
        let words = [watch.cast_unsigned(), what.bits(), 0, u32::try_from(name.len()).unwrap()];
        words.iter().flat_map(|word| word.to_ne_bytes()).chain(name.iter().copied()).collect()
    }

    #[test]
    fn reads_several_reports() {
        let all =
            [bytes(1, ReadFlags::CREATE, b"a\0\0\0"), bytes(-1, ReadFlags::QUEUE_OVERFLOW, b"")].concat();
        let read: Vec<_> = reports(&all).collect();
        let expected = [
            Report { watch: 1, what: ReadFlags::CREATE, name: OsStr::new("a") },
            Report { watch: -1, what: ReadFlags::QUEUE_OVERFLOW, name: OsStr::new("") },
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn incomplete_reports_are_ignored() {
        let whole = bytes(1, ReadFlags::CREATE, b"abcd");
        for length in 0..whole.len() {
            assert_eq!(reports(&whole[..length]).count(), 0, "{length}");
        }
        assert_eq!(reports(&whole).count(), 1);
    }
}
