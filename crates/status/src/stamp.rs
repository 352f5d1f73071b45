//! A moment in few bytes.

use std::num::NonZeroU64;
use std::time::{Duration, SystemTime};

/// Milliseconds since the epoch: half of what a [`SystemTime`] takes, and as much as anybody wants to know. What was
/// before the epoch is the epoch. One more is kept, so that no moment takes no room of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp(NonZeroU64);

impl Default for Stamp {
    fn default() -> Self {
        Self(NonZeroU64::MIN)
    }
}

impl From<SystemTime> for Stamp {
    fn from(time: SystemTime) -> Self {
        let span = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let milliseconds = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        Self(NonZeroU64::MIN.saturating_add(milliseconds))
    }
}

impl From<Stamp> for SystemTime {
    fn from(stamp: Stamp) -> Self {
        SystemTime::UNIX_EPOCH
            .checked_add(Duration::from_millis(stamp.0.get() - 1))
            .unwrap_or(SystemTime::UNIX_EPOCH)
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
