//! One reading of all unit files for all who ask at one time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use uphold_resource::Result;

/// Who asks while a reading goes on shares the next one with all others who do.
#[derive(Default)]
pub(super) struct Reloading {
    turns: Mutex<Turns>,
    ended: Condvar,
}

/// Readings are counted by who asked last.
#[derive(Default)]
struct Turns {
    asked: u64,
    done: u64,
    is_busy: bool,
}

impl Reloading {
    /// Returns when a `reload` that began after this was called has ended well, or when its own has failed.
    pub(super) fn share(&self, reload: impl Fn() -> Result<()>) -> Result<()> {
        let mut turns = self.turns();
        turns.asked += 1;
        let mine = turns.asked;
        loop {
            if turns.done >= mine {
                return Ok(());
            }
            if !turns.is_busy {
                break;
            }
            turns = self.ended.wait(turns).unwrap_or_else(PoisonError::into_inner);
        }
        turns.is_busy = true;
        let covered = turns.asked;
        drop(turns);
        let result = reload();
        let mut turns = self.turns();
        turns.is_busy = false;
        if result.is_ok() {
            turns.done = covered;
        }
        self.ended.notify_all();
        result
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use uphold_resource::Error;

    use super::*;

    #[test]
    fn those_who_wait_share() {
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
        assert!(count.load(Ordering::Relaxed) >= 2, "one who comes later gets a new one");
    }

    #[test]
    fn a_failure_is_told_and_does_not_block() {
        let reloading = Reloading::default();
        assert!(reloading.share(|| Err(Error::failed("no"))).is_err());
        assert!(reloading.share(|| Ok(())).is_ok());
    }
}
