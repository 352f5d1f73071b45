//! Backoff: how soon a node may be visited again after a failure, or when it is woken too often.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Limit, Retry};

use crate::graph::NodeIndex;
use crate::schedule::delay;

/// No report brings a visit forward to less than this after a failure, or after a change during a repair.
pub(crate) const PAUSE: Duration = Duration::from_millis(200);
/// The limit of reported visits in [`SPAN`]; a repair counts as ten of them.
const OFTEN: u32 = 100;
const REPAIR: u32 = 10;
const SPAN: Duration = Duration::from_secs(10);
/// After this long without too many visits, earlier ones are forgotten.
const PEACE: Duration = Duration::from_secs(60);
/// How often a resource is repaired once more at once, if it was changed meanwhile.
const INSISTENCE: u32 = 3;

/// The failures and visits of all nodes so far.
#[derive(Default)]
pub(crate) struct Backoff {
    failures: FxHashMap<NodeIndex, Failures>,
    /// When nodes with a `limit` were visited.
    visits: FxHashMap<NodeIndex, Vec<Duration>>,
    strains: FxHashMap<NodeIndex, Strain>,
    /// How often nodes were repaired once more because they were changed meanwhile.
    insisted: FxHashMap<NodeIndex, u32>,
}

#[derive(Clone, Copy)]
struct Failures {
    times: u32,
    last: Duration,
}

#[derive(Default)]
struct Strain {
    /// Visits since `since`; a repair counts as ten.
    weight: u32,
    since: Duration,
    last: Duration,
    /// How often in a row there were too many.
    fights: u32,
    not_before: Duration,
}

impl Backoff {
    /// A node failed: how often in a row, and how long until it is tried again.
    pub(crate) fn failed(&mut self, node: NodeIndex, now: Duration) -> (u32, Duration) {
        let failures = self.failures.entry(node).or_insert(Failures { times: 0, last: now });
        failures.times = failures.times.saturating_add(1);
        failures.last = now;
        (failures.times, delay(&back_off(), failures.times, now))
    }

    /// A node did not fail.
    pub(crate) fn succeeded(&mut self, node: NodeIndex) {
        self.failures.remove(&node);
        self.insisted.remove(&node);
    }

    /// Whether a node failed the last time.
    pub(crate) fn is_failing(&self, node: NodeIndex) -> bool {
        self.failures.contains_key(&node)
    }

    /// Whether a resource that was changed while it was repaired is repaired once more at once. Limited, so that a kind
    /// that never converges still fails.
    pub(crate) fn may_insist(&mut self, node: NodeIndex) -> bool {
        let times = self.insisted.entry(node).or_default();
        *times += 1;
        *times <= INSISTENCE
    }

    /// A node was visited because of a report, and perhaps repaired. If that happened too often, how long it is not
    /// visited now.
    pub(crate) fn strained(&mut self, node: NodeIndex, repaired: bool, now: Duration) -> Option<Duration> {
        let Strain { weight, since, last, fights, not_before } = self.strains.entry(node).or_default();
        if now.saturating_sub(*last) > PEACE {
            *fights = 0;
        }
        if now.saturating_sub(*since) > SPAN {
            (*weight, *since) = (0, now);
        }
        *last = now;
        *weight += if repaired { REPAIR } else { 1 };
        if *weight <= OFTEN {
            return None;
        }
        *fights = fights.saturating_add(1);
        (*weight, *since) = (0, now);
        let retry = Retry { longest: Duration::from_secs(30), ..back_off() };
        let pause = delay(&retry, *fights, now);
        *not_before = now.saturating_add(pause);
        Some(pause)
    }

    /// When a node may be visited that is woken now; none if at once.
    pub(crate) fn not_before(
        &mut self,
        node: NodeIndex,
        limit: Option<&Limit>,
        now: Duration,
    ) -> Option<Duration> {
        let failed = self.failures.get(&node).map(|failures| failures.last.saturating_add(PAUSE));
        let fought = self.strains.get(&node).map(|strain| strain.not_before);
        let limited = limit.and_then(|limit| self.limited(node, limit, now));
        failed.into_iter().chain(fought).chain(limited).max().filter(|at| *at > now)
    }

    /// A node with a limit is visited.
    pub(crate) fn visited(&mut self, node: NodeIndex, limit: &Limit, now: Duration) {
        let visits = self.visits.entry(node).or_default();
        visits.retain(|time| now.saturating_sub(*time) < limit.per);
        visits.push(now);
    }

    fn limited(&mut self, node: NodeIndex, limit: &Limit, now: Duration) -> Option<Duration> {
        let visits = self.visits.get_mut(&node)?;
        visits.retain(|time| now.saturating_sub(*time) < limit.per);
        let most = usize::try_from(limit.times.max(1)).unwrap_or(usize::MAX);
        let full = visits.len().checked_sub(most)?;
        visits.get(full).map(|first| first.saturating_add(limit.per))
    }
}

/// Longer each time, up to five minutes, with jitter: machines that fail together do not retry together.
fn back_off() -> Retry {
    Retry { delay: Duration::from_secs(1), backoff: 2.0, longest: longest(), jitter: 0.25, ..Retry::times(0) }
}

const fn longest() -> Duration {
    Duration::from_secs(300)
}
