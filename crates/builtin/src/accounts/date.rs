//! A calendar day, counted in days since 1970-01-01 as in `/etc/shadow`.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A date from 1970-01-01 to 9999-12-31, written as in `"2027-01-31"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    days: u32,
}

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: u32 = 719_468;
/// 9999-12-31.
const LAST: u32 = 2_932_896;
/// Days in the 400-year cycle of the calendar.
const ERA: u32 = 146_097;

impl Date {
    /// The day this many days after 1970-01-01, at most 9999-12-31.
    pub(crate) fn from_days(days: u32) -> Self {
        Self { days: days.min(LAST) }
    }

    /// The given date; none if it does not exist in the calendar.
    fn of(year: u32, month: u32, day: u32) -> Option<Self> {
        let known = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        if !known {
            return None;
        }
        // Count years from March, so that the leap day comes last.
        let (year_, month_) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, of_era) = (year_ / 400, year_ % 400);
        let of_year = (153 * month_ + 2) / 5 + day - 1;
        let days = era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH;
        let date = Self { days };
        (date.parts() == (year, month, day)).then_some(date)
    }

    /// Year, month and day.
    fn parts(self) -> (u32, u32, u32) {
        let shifted = self.days + EPOCH;
        let (era, of_era) = (shifted / ERA, shifted % ERA);
        let years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * years + years / 4 - years / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        (era * 400 + years + next, month, day)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse::<u32>().ok()).flatten()
        });
        let date = Self::of(parts.next()??, parts.next()??, parts.next()??)?;
        parts.next().is_none().then_some(date)
    }
}

impl Property for Date {
    const TYPE: &'static Type =
        &Type::Named { name: "date", doc: "a day: year, month and day", example: "\"2027-01-31\"" };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let date = match value {
            Value::Text(text) => Self::parse(text),
            _ => None,
        };
        date.ok_or_else(|| {
            Problem::new(Some(value), "is not a date", "write year, month and day: \"2027-01-31\"")
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates() {
        let check = |text: &str, days: Option<u32>| {
            let date = Date::parse(text);
            assert_eq!(date.map(|date| date.days), days, "{text}");
            assert!(date.is_none_or(|date| date.to_string() == text), "{text}");
        };
        check("1970-01-01", Some(0));
        check("1970-03-01", Some(59));
        check("2000-02-29", Some(11_016));
        check("2030-01-02", Some(21_916));
        check("2100-03-01", Some(47_541));
        check("9999-12-31", Some(2_932_896));
        check("2030-02-29", None);
        check("2100-02-29", None);
        check("2030-13-01", None);
        check("2030-00-01", None);
        check("2030-01-32", None);
        check("1969-12-31", None);
        check("10000-01-01", None);
        check("2030-01", None);
        check("2030-01-01-01", None);
        check("2030-01-+1", None);
        check("tomorrow", None);
    }

    #[test]
    fn dates_round_trip() {
        for days in (0..LAST).step_by(13).chain([LAST, u32::MAX]) {
            let date = Date::from_days(days);
            assert_eq!(Date::parse(&date.to_string()), Some(date));
        }
    }
}
