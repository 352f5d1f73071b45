//! Small things that are written and read in one way.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use uphold_engine::ChangeKind;

use crate::tally::CHANGES;

/// RFC 3339, in UTC. A clock outside of what that can say is no reason to say nothing.
pub(super) fn time(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// The reverse of [`time`].
pub(super) fn read_time(text: &str) -> Option<SystemTime> {
    text.parse::<Timestamp>().ok().map(Into::into)
}

/// Milliseconds with their fraction: a visit takes less than one.
pub(super) fn milliseconds(span: Duration) -> f64 {
    span.as_secs_f64() * 1_000.0
}

/// The reverse of [`milliseconds`].
pub(super) fn read_milliseconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number / 1_000.0).ok()
}

/// The name of a sort of change.
pub(super) fn change(kind: ChangeKind) -> &'static str {
    CHANGES.iter().find(|(known, _)| *known == kind).map_or("run", |(_, word)| word)
}

/// The reverse of [`change`].
pub(super) fn read_change(word: &str) -> Option<ChangeKind> {
    CHANGES.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
}
