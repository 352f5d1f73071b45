//! Ending a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const REQUESTED: u8 = 1;
const URGENT: u8 = 2;

/// The wish to end a run early and kindly: nothing new is started, and commands that run are
/// asked to end. If it becomes urgent, they are killed. Clones are one wish; engine and host are given the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Wishes it.
    pub fn request(&self) {
        self.0.fetch_max(REQUESTED, Ordering::Relaxed);
    }

    /// Wishes it at once: what runs gets no time to end.
    pub fn urge(&self) {
        self.0.fetch_max(URGENT, Ordering::Relaxed);
    }

    /// Whether it was wished.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= REQUESTED
    }

    /// Whether there is no time left.
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= URGENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_urgent_is_wished_and_stays_so() {
        let stop = Stop::default();
        let seen = || (stop.is_requested(), stop.is_urgent());
        assert_eq!(seen(), (false, false));
        stop.request();
        assert_eq!(seen(), (true, false));
        stop.clone().urge();
        assert_eq!(seen(), (true, true));
        stop.request();
        assert_eq!(seen(), (true, true));
    }
}
