//! Points in time, as the journal stores them.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970 (UTC). The caller passes the time in; this crate reads no clock for records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 86_400_000;

impl Time {
    /// The time this many days earlier.
    #[must_use]
    pub fn days_before(self, days: u32) -> Self {
        Self(self.0.saturating_sub(DAY.saturating_mul(i64::from(days))))
    }

    /// The date and time for the name of a file: `20261117-170211`.
    pub(crate) fn for_file_name(self) -> String {
        self.timestamp().strftime("%Y%m%d-%H%M%S").to_string()
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_millisecond(self.0).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.timestamp().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_as_a_date_in_file_names() {
        let time = Time(1_794_934_931_000);
        assert_eq!(time.for_file_name(), "20261117-170211");
        assert_eq!(time.to_string(), "2026-11-17T17:02:11Z");
        assert_eq!(time.days_before(1).for_file_name(), "20261116-170211");
    }
}
