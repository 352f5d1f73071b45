//! A point in time with its UTC offset.

use jiff::civil::{DateTime, Weekday};
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

// Formatting dates.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Formats `moment`: letters are replaced by its parts; text in single quotes and other characters are literal.
pub(super) fn write(format: &str, moment: Moment) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            rest = quoted(&rest[1..], &mut text)?;
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c| c != first).unwrap_or(rest.len());
            text.push_str(&part(&rest[..end], moment)?);
            rest = &rest[end..];
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(text)
}

/// Reads text up to the closing quote; two quotes are an escaped one, also outside of quotes.
fn quoted<'a>(mut rest: &'a str, text: &mut String) -> Result<&'a str, String> {
    if let Some(after) = rest.strip_prefix('\'')
        && !after.starts_with('\'')
    {
        text.push('\'');
        return Ok(after);
    }
    loop {
        let (before, after) = rest.split_once('\'').ok_or("a single quote in the format is not closed")?;
        text.push_str(before);
        match after.strip_prefix('\'') {
            Some(after) => rest = after,
            None => return Ok(after),
        }
        text.push('\'');
    }
}

fn part(letters: &str, moment: Moment) -> Result<String, String> {
    let local = moment.local();
    let month = MONTHS[usize::from(local.month().unsigned_abs()).clamp(1, 12) - 1];
    let weekday = weekday(local.weekday());
    // Noon and midnight are 12.
    let half = (local.hour() + 11) % 12 + 1;
    let (am, pm) = if letters == "AA" { ("AM", "PM") } else { ("am", "pm") };
    Ok(match letters {
        "YYYY" => format!("{:04}", local.year()),
        "YY" => format!("{:02}", local.year().rem_euclid(100)),
        "MMMM" => month.to_owned(),
        "MMM" => month[..3].to_owned(),
        "MM" => format!("{:02}", local.month()),
        "M" => local.month().to_string(),
        "DD" => format!("{:02}", local.day()),
        "D" => local.day().to_string(),
        "EEEE" => weekday.to_owned(),
        "EEE" => weekday[..3].to_owned(),
        "hh" => format!("{:02}", local.hour()),
        "h" => local.hour().to_string(),
        "HH" => format!("{half:02}"),
        "H" => half.to_string(),
        "AA" | "aa" => if local.hour() < 12 { am } else { pm }.to_owned(),
        "mm" => format!("{:02}", local.minute()),
        "m" => local.minute().to_string(),
        "ss" => format!("{:02}", local.second()),
        "s" => local.second().to_string(),
        "ZZZZZ" => moment.offset_text(":"),
        "ZZZZ" => moment.offset_text(""),
        "ZZZ" if moment.offset.seconds() == 0 => "UTC".to_owned(),
        "ZZZ" => moment.offset_text(""),
        "Z" => moment.zone(),
        _ => {
            return Err(format!(
                "`{letters}` in the format is not a known part; write literal letters as `'{letters}'`"
            ));
        }
    })
}

fn weekday(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
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

#[cfg(test)]
mod date_format_tests {
    use super::*;

    #[test]
    fn every_part_is_written_as_terraform_does() {
        let check = |format: &str, time: &str, expected: &str| {
            let written = Moment::parse(time).and_then(|moment| write(format, moment));
            assert_eq!(written.unwrap_or_else(|message| message), expected, "{format}");
        };
        let afternoon = "2018-01-02T23:12:01Z";
        check("DD MMM YYYY hh:mm ZZZ", afternoon, "02 Jan 2018 23:12 UTC");
        check("EEEE, DD-MMM-YY hh:mm:ss ZZZ", afternoon, "Tuesday, 02-Jan-18 23:12:01 UTC");
        check(
            "EEE, DD MMM YYYY hh:mm:ss ZZZ",
            "2018-01-02T23:12:01-08:00",
            "Tue, 02 Jan 2018 23:12:01 -0800",
        );
        check("MMM DD, YYYY", afternoon, "Jan 02, 2018");
        check("HH:mmaa", afternoon, "11:12pm");
        check("HHAA H", "2018-01-02T00:12:01Z", "12AM 12");
        check("hh'h' 'it''s'", afternoon, "23h it's");
        check("EEE ''YY", afternoon, "Tue '18");
        check("'''a'", afternoon, "'a");
        check("''''", afternoon, "'");
        check("YYYY-MM-DD'T'hh:mm:ssZ", afternoon, "2018-01-02T23:12:01Z");
        check("Z ZZZZ ZZZZZ", "2018-01-02T23:12:01+05:30", "+05:30 +0530 +05:30");
        check("M/D h:m:s MMMM", afternoon, "1/2 23:12:1 January");
        check("é", afternoon, "é");
        check("'", afternoon, "a single quote in the format is not closed");
        check(
            "YYYYY",
            afternoon,
            "`YYYYY` in the format is not a known part; write literal letters as `'YYYYY'`",
        );
    }
}
