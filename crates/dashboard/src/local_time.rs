//! Formats points in time.

use std::time::SystemTime;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Formats times in a time zone.
#[derive(Clone, Debug)]
pub(crate) struct LocalTime {
    zone: TimeZone,
}

impl LocalTime {
    /// The time zone of this machine.
    pub(crate) fn of_this_machine() -> Self {
        Self { zone: TimeZone::system() }
    }

    /// `12:03:04`, or `16 Nov` if that was not today; eight columns.
    pub(crate) fn short(&self, at: SystemTime, now: SystemTime) -> String {
        match (self.zoned(at), self.zoned(now)) {
            (Some(at), Some(now)) if at.date() == now.date() => at.strftime("%H:%M:%S").to_string(),
            (Some(at), _) => format!("{:<8}", at.strftime("%d %b").to_string()),
            (None, _) => " ".repeat(8),
        }
    }

    /// `12:03:04`, with the day if that was not today.
    pub(crate) fn long(&self, at: SystemTime, now: SystemTime) -> String {
        match (self.zoned(at), self.zoned(now)) {
            (Some(at), Some(now)) if at.date() == now.date() => at.strftime("%H:%M:%S").to_string(),
            (Some(at), _) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            (None, _) => "unknown time".to_owned(),
        }
    }

    fn zoned(&self, at: SystemTime) -> Option<Zoned> {
        Timestamp::try_from(at).ok().map(|at| at.to_zoned(self.zone.clone()))
    }
}

#[cfg(test)]
impl LocalTime {
    /// UTC, for reproducible tests.
    pub(crate) fn utc() -> Self {
        Self { zone: TimeZone::UTC }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn shows_the_day_if_it_is_not_today() {
        let at = |hours: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(1_794_787_200 + hours * 3600);
        let check = |now, short: &str, long: &str| {
            let time = LocalTime::utc();
            assert_eq!((&*time.short(at(3), now), &*time.long(at(3), now)), (short, long));
        };
        check(at(4), "03:00:00", "03:00:00");
        check(at(27), "16 Nov  ", "2026-11-16 03:00:00");
    }
}
