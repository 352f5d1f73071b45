//! Shared reloads of unit files.

use std::sync::{Condvar, MutexGuard, PoisonError};

use uphold_resource::{Mutex, Result};

/// Shares reloads: callers that arrive during a reload share the next one.
#[derive(Default)]
pub(super) struct Reloading {
    requests: Mutex<Requests>,
    ended: Condvar,
}

/// Counts of requests.
#[derive(Default)]
struct Requests {
    received: u64,
    /// The last request that a successful reload covered.
    done: u64,
    is_busy: bool,
}

impl Reloading {
    /// Returns when a `reload` that began after this call has succeeded, or when its own has failed.
    pub(super) fn share(&self, reload: impl Fn() -> Result<()>) -> Result<()> {
        let mut requests = self.requests();
        requests.received += 1;
        let mine = requests.received;
        loop {
            if requests.done >= mine {
                return Ok(());
            }
            if !requests.is_busy {
                break;
            }
            requests = self.ended.wait(requests).unwrap_or_else(PoisonError::into_inner);
        }
        requests.is_busy = true;
        let covered = requests.received;
        drop(requests);
        let result = reload();
        let mut requests = self.requests();
        requests.is_busy = false;
        if result.is_ok() {
            requests.done = covered;
        }
        self.ended.notify_all();
        result
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use uphold_resource::Error;

    use super::*;

    #[test]
    fn waiting_callers_share_a_reload() {
        let (reloading, count) = (Reloading::default(), AtomicUsize::new(0));
        let reload = || {
            count.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(50));
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|| reloading.share(reload).unwrap());
            }
        });
        assert!((1..=3).contains(&count.load(Ordering::Relaxed)), "{count:?}");
        reloading.share(reload).unwrap();
        assert!(count.load(Ordering::Relaxed) >= 2, "a later caller gets a new one");
    }

    #[test]
    fn a_failure_is_returned_and_does_not_block() {
        let reloading = Reloading::default();
        assert!(reloading.share(|| Err(Error::failed("no"))).is_err());
        assert!(reloading.share(|| Ok(())).is_ok());
    }
}
