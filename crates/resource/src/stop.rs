//! Ending a run early.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, MutexGuard};

use uphold_model::Mutex;

const REQUESTED: u8 = 1;
const URGENT: u8 = 2;

/// A request to end a run early and gracefully: nothing new is started, and running commands are asked to end. An urgent
/// request kills them. Clones share one request; engine and host get the same.
#[derive(Clone, Default)]
pub struct Stop(Arc<Request>);

#[derive(Default)]
struct Request {
    level: AtomicU8,
    wakers: Mutex<Vec<Waker>>,
}

/// Wakes a thread that sleeps.
type Waker = Box<dyn Fn() + Send>;

impl Stop {
    /// Requests a graceful end.
    pub fn request(&self) {
        self.raise(REQUESTED);
    }

    /// Requests an immediate end: running commands are killed.
    pub fn urge(&self) {
        self.raise(URGENT);
    }

    /// Whether an end was requested.
    pub fn is_requested(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) >= REQUESTED
    }

    /// Whether an immediate end was requested.
    pub fn is_urgent(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) >= URGENT
    }

    /// Registers a function that is called at each request, for threads that sleep instead of polling.
    pub fn wake(&self, waker: impl Fn() + Send + 'static) {
        self.wakers().push(Box::new(waker));
    }

    fn raise(&self, level: u8) {
        self.0.level.fetch_max(level, Ordering::Relaxed);
        self.wakers().iter().for_each(|wake| wake());
    }

    fn wakers(&self) -> MutexGuard<'_, Vec<Waker>> {
        self.0.wakers.lock()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.0.level).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_urgent_request_stays_urgent() {
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

    #[test]
    fn a_request_calls_the_wakers() {
        let stop = Stop::default();
        let woken = Arc::new(AtomicU8::new(0));
        let counter = woken.clone();
        stop.wake(move || _ = counter.fetch_add(1, Ordering::Relaxed));
        assert_eq!(woken.load(Ordering::Relaxed), 0);
        stop.clone().request();
        assert_eq!(woken.load(Ordering::Relaxed), 1);
    }
}
