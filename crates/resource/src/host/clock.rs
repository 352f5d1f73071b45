//! The time.

use std::time::{Duration, SystemTime};

/// Tells the time; a test can set it.
pub trait Clock: Send + Sync {
    /// The time of day.
    fn now(&self) -> SystemTime;
    /// Time since some fixed moment; never goes back.
    fn elapsed(&self) -> Duration;

    /// Lets a simulated time pass at once, and says that it did. A real clock cannot: whoever waits
    /// has to wait.
    fn skip(&self, span: Duration) -> bool {
        let _ = span;
        false
    }
}
