//! Broadcasts lines to followers. A slow follower does not block the others: it overflows.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// The largest queue of a follower in bytes: more than ten thousand events, whose text all followers share.
const QUEUE_LIMIT: usize = 8 << 20;

/// Sends lines to all followers. Clones have the same followers.
#[derive(Clone, Debug, Default)]
pub struct Broadcast(Arc<Mutex<Vec<Weak<Follower>>>>);

impl Broadcast {
    /// Whether there are followers: otherwise lines need not be built.
    pub fn has_followers(&self) -> bool {
        !self.followers().is_empty()
    }

    /// Sends a line, with or without its end. Never waits for a follower; takes a few hundred nanoseconds for each.
    pub fn tell(&self, line: &str) {
        let followers = self.followers();
        if !followers.is_empty() {
            let line: Arc<str> = line.trim_end_matches('\n').into();
            followers.iter().for_each(|follower| follower.push(line.clone()));
        }
    }

    /// Receives the lines from now on, until the follower is dropped.
    pub(crate) fn follow(&self) -> Arc<Follower> {
        let follower = Arc::new(Follower::default());
        self.lock().push(Arc::downgrade(&follower));
        follower
    }

    /// Ends the current followers.
    pub(crate) fn end(&self) {
        self.followers().iter().for_each(|follower| follower.end());
    }

    fn followers(&self) -> Vec<Arc<Follower>> {
        let mut all = self.lock();
        all.retain(|follower| follower.strong_count() > 0);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Follower>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of waiting for lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// New lines; none at the timeout.
    Lines(VecDeque<Arc<str>>),
    /// The queue overflowed, and lines were lost.
    Overflow,
    /// There are no more lines.
    End,
}

/// The queue of a follower.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    pending: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Pending {
    lines: VecDeque<Arc<str>>,
    bytes: usize,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Open,
    Overflowed,
    Ended,
}

impl Follower {
    /// Waits for lines, at most this long.
    pub(crate) fn next(&self, timeout: Duration) -> Received {
        let idle = |pending: &mut Pending| pending.lines.is_empty() && pending.phase == Phase::Open;
        let waited = self.changed.wait_timeout_while(self.pending(), timeout, idle);
        let (mut pending, _) = waited.unwrap_or_else(PoisonError::into_inner);
        pending.bytes = 0;
        match (pending.lines.is_empty(), pending.phase) {
            (_, Phase::Overflowed) => Received::Overflow,
            (true, Phase::Ended) => Received::End,
            _ => Received::Lines(std::mem::take(&mut pending.lines)),
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: Arc<str>) {
        let mut pending = self.pending();
        if pending.phase != Phase::Open {
            return;
        }
        pending.bytes += line.len();
        if pending.bytes > QUEUE_LIMIT {
            *pending = Pending { phase: Phase::Overflowed, ..Pending::default() };
        } else {
            pending.lines.push_back(line);
        }
        self.changed.notify_one();
    }

    fn end(&self) {
        let mut pending = self.pending();
        if pending.phase == Phase::Open {
            pending.phase = Phase::Ended;
        }
        self.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(follower: &Follower) -> Received {
        follower.next(Duration::ZERO)
    }

    #[test]
    fn followers_receive_the_lines_since_they_followed() {
        let broadcast = Broadcast::default();
        broadcast.tell("before anyone follows");
        let one = broadcast.follow();
        broadcast.tell("a\n");
        let other = broadcast.follow();
        broadcast.tell("b");
        broadcast.end();
        assert_eq!(lines(&one), Received::Lines(["a".into(), "b".into()].into()));
        assert_eq!(lines(&other), Received::Lines(["b".into()].into()));
        assert_eq!(lines(&one), Received::End);
        drop((one, other));
        assert!(!broadcast.has_followers());
    }

    #[test]
    fn a_slow_follower_overflows_and_frees_its_memory() {
        let broadcast = Broadcast::default();
        let slow = broadcast.follow();
        let line = "x".repeat(QUEUE_LIMIT / 4);
        (0..9).for_each(|_| broadcast.tell(&line));
        assert_eq!(slow.pending().lines.len(), 0);
        assert_eq!(lines(&slow), Received::Overflow);
        assert_eq!(lines(&slow), Received::Overflow, "it stays overflowed, since lines are missing");
    }

    #[test]
    fn a_timeout_returns_no_lines() {
        let follower = Broadcast::default().follow();
        assert_eq!(lines(&follower), Received::Lines(VecDeque::new()));
    }
}
