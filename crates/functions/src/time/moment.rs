//! A point in time with the offset that it was written in.

use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

/// A time stamp of RFC 3339.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) instant: Timestamp,
    pub(super) offset: Offset,
}

impl Moment {
    /// Reads a time stamp such as `2024-05-01T12:00:00+02:00`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a time such as \"2024-05-01T12:00:00Z\"");
        // The parser knows more formats than the one that is promised here.
        let is_strict = text.len() >= 20
            && text.is_ascii()
            && text.as_bytes()[10] == b'T'
            && text.as_bytes()[16] == b':'
            && text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || b"T:.+-Z".contains(&byte))
            && (text.ends_with('Z') || text.as_bytes()[text.len() - 3] == b':');
        if !is_strict {
            return Err(wrong());
        }
        let pieces = Pieces::parse(text).map_err(|_| wrong())?;
        let offset = match pieces.offset() {
            Some(PiecesOffset::Zulu) => Offset::UTC,
            Some(PiecesOffset::Numeric(numeric)) => numeric.offset(),
            _ => return Err(wrong()),
        };
        let local = pieces.date().to_datetime(pieces.time().ok_or_else(wrong)?);
        Ok(Self { instant: offset.to_timestamp(local).map_err(|_| wrong())?, offset })
    }

    /// What a clock with this offset shows.
    pub(super) fn local(self) -> DateTime {
        self.offset.to_datetime(self.instant)
    }

    /// So many nanoseconds later.
    pub(super) fn plus(self, nanoseconds: i64) -> Option<Self> {
        let instant = self.instant.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Some(Self { instant, ..self })
    }

    /// `+02:00` or `+0200`.
    pub(super) fn offset_text(self, separator: &str) -> String {
        let seconds = self.offset.seconds();
        let minutes = seconds.abs() / 60;
        let sign = if seconds < 0 { '-' } else { '+' };
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }

    /// The offset as RFC 3339 writes it.
    pub(super) fn zone(self) -> String {
        if self.offset == Offset::UTC { "Z".to_owned() } else { self.offset_text(":") }
    }

    /// As RFC 3339, in whole seconds.
    pub(super) fn write(self) -> String {
        let local = self.local();
        let (year, month, day) = (local.year(), local.month(), local.day());
        let (hour, minute, second) = (local.hour(), local.minute(), local.second());
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{}", self.zone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rfc_3339_is_read() {
        let check = |text: &str, expected: &str| {
            let read = Moment::parse(text).map(Moment::write);
            assert_eq!(read.unwrap_or_default(), expected, "{text}");
        };
        check("2024-05-01T12:00:00Z", "2024-05-01T12:00:00Z");
        check("2024-05-01T12:00:00.999+02:00", "2024-05-01T12:00:00+02:00");
        check("2024-05-01T12:00:00-00:30", "2024-05-01T12:00:00-00:30");
        for text in [
            "",
            "2024-05-01",
            "2024-05-01 12:00:00Z",
            "2024-05-01T12:00:00",
            "2024-05-01T12:00:00+0200",
            "2024-05-01T12:00:00Z[UTC]",
            "2024-05-32T12:00:00Z",
            "2024-05-01T25:00:00Z",
            "2024-05-01T12:00Z",
            "20240501T120000Z....",
            "é024-05-01T12:00:00Z",
        ] {
            check(text, "");
        }
    }
}
