//! Attempts and deadlines: when a visit is repeated after a failure, or until its resource is ready.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Handling, Retry};
use uphold_resource::ErrorKind;

use super::queues::Seed;
use super::visit::{Visit, VisitCause};
use crate::failure::Failure;
use crate::graph::NodeIndex;

/// How long a resource may stay not ready, unless it has a `timeout`.
const DEADLINE: Duration = Duration::from_secs(300);

/// The attempts of all visits that are not over.
#[derive(Default)]
pub(crate) struct Retries {
    of_visits: FxHashMap<(NodeIndex, VisitCause), Attempts>,
}

struct Attempts {
    times: u32,
    since: Duration,
}

impl Retries {
    /// How long to wait before the next attempt, and how many there were; none if this was the last.
    pub(crate) fn after_failure(
        &mut self,
        visit: Visit,
        retry: &Retry,
        failure: &Failure,
        now: Duration,
    ) -> Option<(Duration, u32)> {
        let attempts = self.attempts(visit, now);
        if attempts.times >= retry.times || !counts(retry, failure.kind) {
            return None;
        }
        attempts.times += 1;
        Some((delay(retry, attempts.times, now), attempts.times))
    }

    /// How long to wait before the next load; an error with the deadline if that has passed.
    pub(crate) fn until_ready(
        &mut self,
        visit: Visit,
        handling: Option<&Handling>,
        after: Duration,
        now: Duration,
    ) -> Result<Duration, Duration> {
        let deadline = handling.and_then(|handling| handling.timeout).unwrap_or(DEADLINE);
        let waited = now.saturating_sub(self.attempts(visit, now).since);
        match deadline.checked_sub(waited).filter(|left| !left.is_zero()) {
            Some(left) => Ok(after.clamp(Duration::from_millis(1), left.max(Duration::from_millis(1)))),
            None => Err(deadline),
        }
    }

    /// A visit is over: the next one of the same node starts with no attempts.
    pub(crate) fn forget(&mut self, visit: Visit) {
        self.of_visits.remove(&(visit.node, visit.cause));
    }

    fn attempts(&mut self, visit: Visit, now: Duration) -> &mut Attempts {
        let key = (visit.node, visit.cause);
        self.of_visits.entry(key).or_insert(Attempts { times: 0, since: now })
    }
}

/// Neither an invalid value nor a defect of the kind goes away by itself.
fn counts(retry: &Retry, kind: ErrorKind) -> bool {
    if retry.on.is_empty() {
        !matches!(kind, ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Defect)
    } else {
        retry.on.iter().any(|word| **word == *kind.word())
    }
}

/// The wait before an attempt, with its backoff and jitter.
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
