//! Ending a run early.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const REQUESTED: u8 = 1;
const URGENT: u8 = 2;

/// The wish to end a run early and kindly: nothing new is started, and commands that run are
/// asked to end. If it becomes urgent, they are killed. Clones are one wish; engine and host are given the same.
#[derive(Clone, Default)]
pub struct Stop(Arc<Wish>);

#[derive(Default)]
struct Wish {
    level: AtomicU8,
    bells: Mutex<Vec<Bell>>,
}

/// Wakes somebody who sleeps.
type Bell = Box<dyn Fn() + Send>;

impl Stop {
    /// Wishes it.
    pub fn request(&self) {
        self.raise(REQUESTED);
    }

    /// Wishes it at once: what runs gets no time to end.
    pub fn urge(&self) {
        self.raise(URGENT);
    }

    /// Whether it was wished.
    pub fn is_requested(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) >= REQUESTED
    }

    /// Whether there is no time left.
    pub fn is_urgent(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) >= URGENT
    }

    /// Calls this, too, each time that it is wished: for those who sleep and do not look.
    pub fn wake(&self, bell: impl Fn() + Send + 'static) {
        self.bells().push(Box::new(bell));
    }

    fn raise(&self, level: u8) {
        self.0.level.fetch_max(level, Ordering::Relaxed);
        self.bells().iter().for_each(|bell| bell());
    }

    fn bells(&self) -> std::sync::MutexGuard<'_, Vec<Bell>> {
        self.0.bells.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn who_sleeps_is_woken() {
        let stop = Stop::default();
        let woken = Arc::new(AtomicU8::new(0));
        let counter = woken.clone();
        stop.wake(move || _ = counter.fetch_add(1, Ordering::Relaxed));
        assert_eq!(woken.load(Ordering::Relaxed), 0);
        stop.clone().request();
        assert_eq!(woken.load(Ordering::Relaxed), 1);
    }
}
