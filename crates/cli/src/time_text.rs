//! Durations and times, for people.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clean;

/// `12ms`, `1.25s`, `2m 5s`.
pub(crate) fn words(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0 => format!("{}ms", span.as_millis()),
        1..60 => format!("{:.2}s", span.as_secs_f64()),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        _ => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// Like [`words`], but more precise for short durations: `0.4ms`.
pub(crate) fn fine(span: Duration) -> String {
    match span.as_millis() {
        0..10 => format!("{:.1}ms", span.as_secs_f64() * 1000.0),
        _ => words(span),
    }
}

/// Whole milliseconds, for programs.
pub(crate) fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// The current time and the time zone of the reader.
pub(crate) struct Now {
    now: SystemTime,
    zone: TimeZone,
}

impl Now {
    pub(crate) fn new(now: SystemTime, zone: TimeZone) -> Self {
        Self { now, zone }
    }

    /// `12:03:04`, with the date if it is not today.
    pub(crate) fn clock(&self, time: SystemTime) -> String {
        let zoned = |time| Timestamp::try_from(time).map(|time: Timestamp| time.to_zoned(self.zone.clone()));
        match (zoned(time), zoned(self.now)) {
            (Ok(time), Ok(now)) if time.date() == now.date() => time.strftime("%H:%M:%S").to_string(),
            (Ok(time), _) => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            (Err(_), _) => "at an invalid time".to_owned(),
        }
    }

    /// `paused until 18:00:00 by ann: a fix is tested`, or `outside the maintenance window: left until Mon 22:00`.
    pub(crate) fn paused(&self, until: SystemTime, by: &str, reason: Option<&str>) -> String {
        if by.is_empty() {
            return format!("outside the maintenance window: left until {}", self.weekday(until));
        }
        format!("paused {}", self.pause(until, by, reason))
    }

    /// `until 18:00:00 by ann: a fix is tested`, or `until Mon 22:00: outside the maintenance window`.
    pub(crate) fn pause(&self, until: SystemTime, by: &str, reason: Option<&str>) -> String {
        if by.is_empty() {
            return format!("until {}: outside the maintenance window", self.weekday(until));
        }
        let reason = reason.map(|reason| format!(": {}", clean(reason))).unwrap_or_default();
        format!("until {} by {}{reason}", self.clock(until), clean(by))
    }

    /// `Mon 22:00`, with the date if that is nearly a week away or more.
    fn weekday(&self, time: SystemTime) -> String {
        const SIX_DAYS: Duration = Duration::from_secs(6 * 86_400);
        let is_near = time.duration_since(self.now).is_ok_and(|left| left < SIX_DAYS);
        let format = if is_near { "%a %H:%M" } else { "%a %Y-%m-%d %H:%M" };
        let time = Timestamp::try_from(time).map(|time| time.to_zoned(self.zone.clone()));
        time.map_or_else(|_| "an invalid time".to_owned(), |time| time.strftime(format).to_string())
    }

    /// The time since then; zero if it is in the future.
    pub(crate) fn since(&self, time: SystemTime) -> String {
        words(self.now.duration_since(time).unwrap_or(Duration::ZERO))
    }

    /// `in 12.00s`, or `now` if it is due.
    pub(crate) fn until(&self, time: SystemTime) -> String {
        match time.duration_since(self.now) {
            Ok(left) if left > Duration::ZERO => format!("in {}", words(left)),
            _ => "now".to_owned(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two hours and three minutes after the first day.
    pub(crate) fn now() -> Now {
        Now::new(at(86_400 + 7_380), TimeZone::UTC)
    }

    pub(crate) fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn formats_times_relative_to_now() {
        let now = now();
        assert_eq!(now.clock(at(86_400)), "00:00:00");
        assert_eq!(now.clock(at(86_399)), "1970-01-01 23:59:59");
        assert_eq!(now.since(at(86_400)), "2h 3m");
        assert_eq!(now.since(at(999_999)), "0ms", "clocks are set back, too");
        assert_eq!(now.until(at(86_400 + 7_380 + 125)), "in 2m 5s");
        assert_eq!(now.until(at(0)), "now");
        assert_eq!(
            now.paused(at(86_400 + 7_500), "ann", Some("a fix")),
            "paused until 02:05:00 by ann: a fix"
        );
        let window = now.paused(at(4 * 86_400 + 79_200), "", Some("outside the maintenance window"));
        assert_eq!(window, "outside the maintenance window: left until Mon 22:00");
        let far = now.paused(at(8 * 86_400), "", None);
        assert_eq!(far, "outside the maintenance window: left until Fri 1970-01-09 00:00");
    }

    #[test]
    fn formats_durations() {
        let check = |millis: u64, expected: &str| assert_eq!(words(Duration::from_millis(millis)), expected);
        check(0, "0ms");
        check(999, "999ms");
        check(1_250, "1.25s");
        check(59_000, "59.00s");
        check(125_000, "2m 5s");
        check(3_600_000, "1h 0m");
        assert_eq!(fine(Duration::from_micros(420)), "0.4ms");
        assert_eq!(fine(Duration::from_millis(12)), "12ms");
    }
}
