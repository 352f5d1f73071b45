//! Lines for everybody who follows. A slow reader holds up nobody: it falls behind, and is told so.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How much waits for one reader. A burst of ten thousand events is less, and all readers share one copy of it.
const WAITING: usize = 8 << 20;

/// Tells every follower the same lines. Clones tell the same followers.
#[derive(Clone, Debug, Default)]
pub struct Broadcast(Arc<Channel>);

#[derive(Debug, Default)]
struct Channel {
    followers: Mutex<Vec<Arc<Queue>>>,
    count: AtomicUsize,
}

impl Broadcast {
    /// Whether anybody would hear: without a follower, nobody has to make lines.
    pub fn has_followers(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) > 0
    }

    /// Tells a line, with or without its end. Never waits for a reader; costs a few hundred nanoseconds for each.
    pub fn tell(&self, line: &str) {
        if !self.has_followers() {
            return;
        }
        let line: Arc<str> = line.trim_end_matches('\n').into();
        self.followers().iter().for_each(|queue| queue.push(line.clone()));
    }

    /// From now on, everything that is told.
    pub(crate) fn follow(&self) -> Follower {
        let queue = Arc::new(Queue::default());
        let mut followers = self.followers();
        followers.push(queue.clone());
        self.0.count.store(followers.len(), Ordering::Relaxed);
        drop(followers);
        Follower { queue, broadcast: self.clone() }
    }

    /// Nothing more is told to those who follow now.
    pub(crate) fn end(&self) {
        self.followers().iter().for_each(|queue| queue.end());
    }

    fn followers(&self) -> MutexGuard<'_, Vec<Arc<Queue>>> {
        self.0.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One who follows, until it is dropped.
pub(crate) struct Follower {
    queue: Arc<Queue>,
    broadcast: Broadcast,
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut followers = self.broadcast.followers();
        followers.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
        self.broadcast.0.count.store(followers.len(), Ordering::Relaxed);
    }
}

impl Follower {
    /// Waits for lines, for this long at most.
    pub(crate) fn next(&self, patience: Duration) -> Heard {
        let quiet = |waiting: &mut Waiting| waiting.lines.is_empty() && waiting.until == Until::Open;
        let lock = self.queue.waiting();
        let waited = self.queue.changed.wait_timeout_while(lock, patience, quiet);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.bytes = 0;
        match (waiting.lines.is_empty(), waiting.until) {
            (_, Until::Behind) => Heard::TooMuch,
            (true, Until::Ended) => Heard::End,
            _ => Heard::Lines(std::mem::take(&mut waiting.lines)),
        }
    }
}

/// What a follower gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// These; none if nothing was told for as long as it waited.
    Lines(VecDeque<Arc<str>>),
    /// More was told than waits for anybody: the rest is lost.
    TooMuch,
    /// There will be no more.
    End,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<Arc<str>>,
    bytes: usize,
    until: Until,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Until {
    #[default]
    Open,
    Behind,
    Ended,
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: Arc<str>) {
        let mut waiting = self.waiting();
        if waiting.until != Until::Open {
            return;
        }
        waiting.bytes += line.len();
        match waiting.bytes > WAITING {
            true => *waiting = Waiting { until: Until::Behind, ..Waiting::default() },
            false => waiting.lines.push_back(line),
        }
        self.changed.notify_one();
    }

    fn end(&self) {
        let mut waiting = self.waiting();
        if waiting.until == Until::Open {
            waiting.until = Until::Ended;
        }
        self.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(follower: &Follower) -> Heard {
        follower.next(Duration::ZERO)
    }

    #[test]
    fn everybody_hears_what_is_told_while_they_follow() {
        let broadcast = Broadcast::default();
        broadcast.tell("nobody hears this");
        let one = broadcast.follow();
        broadcast.tell("a\n");
        let other = broadcast.follow();
        broadcast.tell("b");
        broadcast.end();
        assert_eq!(lines(&one), Heard::Lines(["a".into(), "b".into()].into()));
        assert_eq!(lines(&other), Heard::Lines(["b".into()].into()));
        assert_eq!(lines(&one), Heard::End);
        drop((one, other));
        assert!(!broadcast.has_followers());
    }

    #[test]
    fn who_does_not_read_falls_behind_and_takes_no_more_memory() {
        let broadcast = Broadcast::default();
        let slow = broadcast.follow();
        let line = "x".repeat(WAITING / 4);
        (0..9).for_each(|_| broadcast.tell(&line));
        assert_eq!(slow.queue.waiting().lines.len(), 0);
        assert_eq!(lines(&slow), Heard::TooMuch);
        assert_eq!(lines(&slow), Heard::TooMuch, "it stays so, since lines are missing");
    }

    #[test]
    fn who_waits_in_vain_gets_nothing() {
        let follower = Broadcast::default().follow();
        assert_eq!(lines(&follower), Heard::Lines(VecDeque::new()));
    }
}
