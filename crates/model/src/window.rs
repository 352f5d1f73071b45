//! Maintenance windows: recurring times of the week.

use std::str::FromStr;

/// A maintenance window: it is open during any of its spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The spans; at least one.
    pub spans: Vec<WindowSpan>,
}

/// A span of time on some days of the week, such as `mon-fri 22:00-04:00`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowSpan {
    /// The days on which it starts, from Monday on.
    pub days: [bool; 7],
    /// Its start, in minutes after midnight.
    pub start: u16,
    /// Its end, in minutes after the midnight at the beginning of the start day: on the next day if it is over 1440.
    pub end: u16,
    /// Whether its times are UTC instead of local time.
    pub utc: bool,
}

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

const MINUTES_OF_DAY: u16 = 24 * 60;

/// Parses `mon-fri 22:00-04:00 UTC`, of which days or times can be left out, and `UTC`.
impl FromStr for WindowSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut days, mut times, mut utc) = (None, None, false);
        for word in text.split_whitespace() {
            if word.eq_ignore_ascii_case("utc") {
                utc = true;
            } else if word.contains(':') {
                expect_first(times.replace(times_of(word)?).is_none(), "times")?;
            } else {
                expect_first(days.replace(days_of(word)?).is_none(), "lists of days")?;
            }
        }
        if days.is_none() && times.is_none() {
            return Err("it has neither days nor times".to_owned());
        }
        let (start, end) = times.unwrap_or((0, MINUTES_OF_DAY));
        Ok(Self { days: days.unwrap_or([true; 7]), start, end, utc })
    }
}

fn expect_first(is_first: bool, what: &str) -> Result<(), String> {
    if is_first { Ok(()) } else { Err(format!("it has two {what}")) }
}

/// `mon`, `mon-fri`, `sat,sun` or `fri-mon,wed`.
fn days_of(word: &str) -> Result<[bool; 7], String> {
    let mut days = [false; 7];
    for part in word.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (mut day, last) = (day_of(first)?, day_of(last)?);
        days[day] = true;
        while day != last {
            day = (day + 1) % 7;
            days[day] = true;
        }
    }
    Ok(days)
}

fn day_of(word: &str) -> Result<usize, String> {
    let found = DAYS.iter().position(|day| day.eq_ignore_ascii_case(word));
    found.ok_or_else(|| format!("`{word}` is neither a day, a time nor UTC"))
}

/// `22:00-04:00`.
fn times_of(word: &str) -> Result<(u16, u16), String> {
    let (start, end) = word.split_once('-').ok_or_else(|| format!("`{word}` has no end"))?;
    let (start, end) = (time_of(start)?, time_of(end)?);
    match () {
        () if start == MINUTES_OF_DAY => Err("it starts at 24:00, which is 00:00 of the next day".to_owned()),
        () if start == end => Err(format!("`{word}` is empty; without times, it is open all day")),
        () if end < start => Ok((start, end + MINUTES_OF_DAY)),
        () => Ok((start, end)),
    }
}

/// Minutes after midnight.
fn time_of(word: &str) -> Result<u16, String> {
    let number = |digits: &str, most: u16| {
        let is_plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u16>().ok().filter(|number| is_plain && *number <= most)
    };
    let parts = word.split_once(':');
    let time = parts.and_then(|(hours, minutes)| Some(number(hours, 24)? * 60 + number(minutes, 59)?));
    time.filter(|time| *time <= MINUTES_OF_DAY).ok_or_else(|| format!("`{word}` is not a time of day"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_days_and_times() {
        let check = |text: &str, days: &str, start: u16, end: u16, utc: bool| {
            let days = std::array::from_fn(|day| days.as_bytes()[day] == b'x');
            assert_eq!(text.parse(), Ok(WindowSpan { days, start, end, utc }), "{text}");
        };
        check("mon-fri 22:00-04:00", "xxxxx--", 1320, 1680, false);
        check("sat,sun", "-----xx", 0, 1440, false);
        check("02:00-04:30 UTC", "xxxxxxx", 120, 270, true);
        check("Fri-Mon,wed 00:00-24:00", "x-x-xxx", 0, 1440, false);
        check("  sun  9:05-9:06  utc ", "------x", 545, 546, true);
        check("sat 22:00-00:00", "-----x-", 1320, 1440, false);
    }

    #[test]
    fn invalid_spans_are_explained() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<WindowSpan>(), Err(expected.to_owned()), "{text}");
        };
        check("", "it has neither days nor times");
        check("UTC", "it has neither days nor times");
        check("funday", "`funday` is neither a day, a time nor UTC");
        check("mon CET", "`CET` is neither a day, a time nor UTC");
        check("mon tue", "it has two lists of days");
        check("1:00-2:00 3:00-4:00", "it has two times");
        check("mon 22:00", "`22:00` has no end");
        check("25:00-26:00", "`25:00` is not a time of day");
        check("1:60-2:00", "`1:60` is not a time of day");
        check("+1:00-2:00", "`+1:00` is not a time of day");
        check("24:01-2:00", "`24:01` is not a time of day");
        check("4:00-4:00", "`4:00-4:00` is empty; without times, it is open all day");
        check("24:00-02:00", "it starts at 24:00, which is 00:00 of the next day");
    }
}
