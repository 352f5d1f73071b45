//! Time.

use std::time::{Duration, SystemTime};

/// A clock. Tests use a simulated one.
pub trait Clock: Send + Sync {
    /// The time of day.
    fn now(&self) -> SystemTime;
    /// The time since some fixed moment. It never goes backwards.
    fn elapsed(&self) -> Duration;

    /// Advances a simulated clock by `span` at once and returns true. A real clock returns false: the caller has to wait.
    fn skip(&self, span: Duration) -> bool {
        let _ = span;
        false
    }
}
