//! Trying again: after a failure, and until something is ready.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Handling, Retry};
use uphold_resource::ErrorKind;

use crate::failure::Failure;
use crate::seed::Seed;
use crate::turn::Turn;

/// How long something may stay not ready, unless it has a `timeout`.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was tried so far.
#[derive(Default)]
pub(crate) struct Tries {
    of_turns: FxHashMap<Turn, Tried>,
}

struct Tried {
    times: u32,
    since: Duration,
}

impl Tries {
    /// How long to wait before the next try, and how many there were; none if this was the last.
    pub(crate) fn after_failure(
        &mut self,
        turn: Turn,
        retry: &Retry,
        failure: &Failure,
        now: Duration,
    ) -> Option<(Duration, u32)> {
        let tried = self.tried(turn, now);
        if tried.times >= retry.times || !counts(retry, failure.kind) {
            return None;
        }
        tried.times += 1;
        Some((delay(retry, tried.times, now), tried.times))
    }

    /// How long to wait before the next look; none if it took too long.
    pub(crate) fn until_ready(
        &mut self,
        turn: Turn,
        handling: Option<&Handling>,
        after: Duration,
        now: Duration,
    ) -> Result<Duration, Duration> {
        let patience = handling.and_then(|handling| handling.timeout).unwrap_or(PATIENCE);
        let waited = now.saturating_sub(self.tried(turn, now).since);
        match patience.checked_sub(waited).filter(|left| !left.is_zero()) {
            Some(left) => Ok(after.clamp(Duration::from_millis(1), left.max(Duration::from_millis(1)))),
            None => Err(patience),
        }
    }

    /// A turn is over for good: the next one of the same node begins anew.
    pub(crate) fn forget(&mut self, turn: Turn) {
        self.of_turns.remove(&Turn { again: false, ..turn });
    }

    fn tried(&mut self, turn: Turn, now: Duration) -> &mut Tried {
        let key = Turn { again: false, ..turn };
        self.of_turns.entry(key).or_insert(Tried { times: 0, since: now })
    }
}

/// Neither a value that breaks a rule nor a defect of the kind mends itself.
fn counts(retry: &Retry, kind: ErrorKind) -> bool {
    match retry.on.is_empty() {
        true => !matches!(kind, ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Defect),
        false => retry.on.iter().any(|word| **word == *kind.word()),
    }
}

pub(crate) fn delay(retry: &Retry, times: u32, now: Duration) -> Duration {
    let longest = retry.longest.max(retry.delay);
    let exponent = i32::try_from(times - 1).unwrap_or(i32::MAX);
    let seconds = (retry.delay.as_secs_f64() * retry.backoff.powi(exponent)).min(longest.as_secs_f64());
    // Many machines fail at one time; their clocks differ, and so do their waits.
    let seed = u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default();
    let random = (Seed::new(seed).next() >> 11) as f64 / (1u64 << 53) as f64;
    let jittered = seconds * (1.0 + retry.jitter * (2.0 * random - 1.0));
    Duration::try_from_secs_f64(jittered).unwrap_or(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_longest() {
        let retry = Retry {
            delay: Duration::from_secs(2),
            backoff: 3.0,
            longest: Duration::from_secs(20),
            ..Retry::times(9)
        };
        let waits: Vec<u64> = (1..=4).map(|times| delay(&retry, times, Duration::ZERO).as_secs()).collect();
        assert_eq!(waits, [2, 6, 18, 20]);
    }

    #[test]
    fn jitter_stays_in_its_part() {
        let retry = Retry { delay: Duration::from_secs(100), jitter: 0.1, ..Retry::times(1) };
        for nanos in 0..1000 {
            let wait = delay(&retry, 1, Duration::from_nanos(nanos)).as_secs_f64();
            assert!((90.0..=110.0).contains(&wait), "{wait}");
        }
    }
}
