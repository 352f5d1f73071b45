//! A point in time with its UTC offset.

use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

/// A timestamp of RFC 3339, from year 0 to the last second of year 9999.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// The local time at this offset.
    local: DateTime,
    pub(super) offset: Offset,
}

impl Moment {
    /// Parses a timestamp such as `2024-05-01T12:00:00+02:00`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a time such as \"2024-05-01T12:00:00Z\"");
        // The parser accepts more formats than RFC 3339.
        let is_strict = text.len() >= 20
            && text.is_ascii()
            && text.as_bytes()[10] == b'T'
            && text.as_bytes()[16] == b':'
            && text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || b"T:.+-Z".contains(&byte))
            // The parser accepts leap seconds and offsets of more than a day.
            && &text[17..19] != "60"
            && (text.ends_with('Z') || is_offset(&text[text.len() - 6..]));
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
        Ok(Self { local, offset })
    }

    /// A time in UTC.
    pub(super) fn utc(instant: Timestamp) -> Self {
        Self { local: Offset::UTC.to_datetime(instant), offset: Offset::UTC }
    }

    /// The local time at its offset.
    pub(super) fn local(self) -> DateTime {
        self.local
    }

    /// The time since the year 0 in UTC, for comparison.
    pub(super) fn instant(self) -> SignedDuration {
        let offset = SignedDuration::from_secs(i64::from(self.offset.seconds()));
        self.local.duration_since(DateTime::constant(0, 1, 1, 0, 0, 0, 0)) - offset
    }

    /// This many nanoseconds later.
    pub(super) fn plus(self, nanoseconds: i64) -> Option<Self> {
        let local = self.local.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Some(Self { local, ..self }).filter(|moment| moment.local.year() >= 0)
    }

    /// `+02:00` or `+0200`.
    pub(super) fn offset_text(self, separator: &str) -> String {
        let seconds = self.offset.seconds();
        let minutes = seconds.abs() / 60;
        let sign = if seconds < 0 { '-' } else { '+' };
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }

    /// The offset in RFC 3339 format.
    pub(super) fn zone(self) -> String {
        if self.offset == Offset::UTC { "Z".to_owned() } else { self.offset_text(":") }
    }

    /// In RFC 3339 format, in whole seconds.
    pub(super) fn write(self) -> String {
        let local = self.local();
        let (year, month, day) = (local.year(), local.month(), local.day());
        let (hour, minute, second) = (local.hour(), local.minute(), local.second());
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{}", self.zone())
    }
}

/// Whether `text` is an offset such as `+02:00`.
fn is_offset(text: &str) -> bool {
    let (hours, minutes) = (text[1..3].parse::<u8>(), text[4..6].parse::<u8>());
    text[3..4] == *":" && hours.is_ok_and(|hours| hours < 24) && minutes.is_ok_and(|minutes| minutes < 60)
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
        check("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z");
        check("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59");
        check("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z");
        for text in [
            "",
            "2024-05-01",
            "2024-05-01 12:00:00Z",
            "2024-05-01T12:00:00",
            "2024-05-01T12:00:00+0200",
            "2024-05-01T12:00:00Z[UTC]",
            "2024-05-32T12:00:00Z",
            "2024-05-01T25:00:00Z",
            "2024-05-01T23:59:60Z",
            "2024-05-01T12:00:00+24:00",
            "2024-05-01T12:00:00+12:60",
            "2024-05-01T12:00Z",
            "20240501T120000Z....",
            "é024-05-01T12:00:00Z",
        ] {
            check(text, "");
        }
    }
}
