//! Times relative to now, for people.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::report::span;

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
    pub(super) fn clock(&self, time: SystemTime) -> String {
        let zoned = |time| Timestamp::try_from(time).map(|time: Timestamp| time.to_zoned(self.zone.clone()));
        match (zoned(time), zoned(self.now)) {
            (Ok(time), Ok(now)) if time.date() == now.date() => time.strftime("%H:%M:%S").to_string(),
            (Ok(time), _) => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            (Err(_), _) => "at an invalid time".to_owned(),
        }
    }

    /// The time since then; zero if it is in the future.
    pub(super) fn since(&self, time: SystemTime) -> String {
        span::words(self.now.duration_since(time).unwrap_or(Duration::ZERO))
    }

    /// `in 12.00s`, or `now` if it is due.
    pub(super) fn until(&self, time: SystemTime) -> String {
        match time.duration_since(self.now) {
            Ok(left) if left > Duration::ZERO => format!("in {}", span::words(left)),
            _ => "now".to_owned(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Two hours and three minutes after the first day.
    pub(in crate::status) fn now() -> Now {
        Now::new(at(86_400 + 7_380), TimeZone::UTC)
    }

    pub(in crate::status) fn at(seconds: u64) -> SystemTime {
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
    }
}
