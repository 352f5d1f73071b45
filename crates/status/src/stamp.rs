//! A moment in few bytes.

use std::time::{Duration, SystemTime};

/// Milliseconds since the epoch: half of what a [`SystemTime`] takes, and as much as anybody wants to know. What was
/// before the epoch is the epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp(u64);

impl From<SystemTime> for Stamp {
    fn from(time: SystemTime) -> Self {
        let span = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(span.as_millis()).unwrap_or(u64::MAX))
    }
}

impl From<Stamp> for SystemTime {
    fn from(stamp: Stamp) -> Self {
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(stamp.0)).unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// The moment after a span, or now if there is no such moment.
pub(crate) fn after(now: SystemTime, span: Duration) -> SystemTime {
    now.checked_add(span).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_survives_to_the_millisecond() {
        let check = |time: SystemTime, expected: SystemTime| {
            assert_eq!(SystemTime::from(Stamp::from(time)), expected);
        };
        let epoch = SystemTime::UNIX_EPOCH;
        check(epoch + Duration::from_micros(1_999), epoch + Duration::from_millis(1));
        check(epoch - Duration::from_secs(9), epoch);
        assert_eq!(after(epoch, Duration::MAX), epoch);
    }
}
