//! How long a script may run.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How many calls and turns of loops a script may take until it returns: about a second.
const TURNS: u64 = 10_000_000;

/// How long it may compute, since a single call can take long: `string.rep`. What it waits for does not count.
const TIME: Duration = Duration::from_secs(5);

/// What is left for tidying up when a script has used up everything.
const RESERVE: u64 = 100_000;

/// What a script that used up its fuel is told.
pub(crate) const OUT_OF_FUEL: &str = "it has run for too long: is there a loop without an end?";

/// What is left of the turns and of the time.
pub(crate) struct Fuel {
    turns: Cell<u64>,
    time: Cell<Duration>,
    since: Cell<Instant>,
    /// Where it ran out.
    place: RefCell<Option<String>>,
}

impl Fuel {
    pub(crate) fn new() -> Self {
        Self {
            turns: Cell::new(TURNS),
            time: Cell::new(TIME),
            since: Cell::new(now()),
            place: RefCell::default(),
        }
    }

    /// For a script that nobody around has begun.
    pub(crate) fn fill(&self) {
        self.turns.set(TURNS);
        self.time.set(TIME);
        self.place.take();
        self.go();
    }

    /// What is told when it has run out: where that was first, however often it is told.
    pub(crate) fn last_words(&self, place: impl FnOnce() -> String) -> String {
        format!("{}{OUT_OF_FUEL}", self.place.borrow_mut().get_or_insert_with(place))
    }

    /// From here on a script computes.
    pub(crate) fn go(&self) {
        self.since.set(now());
    }

    /// From here on somebody else does.
    pub(crate) fn halt(&self) {
        self.time.set(self.time.get().saturating_sub(now() - self.since.get()));
    }

    /// Takes a turn; false if there is none left.
    pub(crate) fn burn(&self) -> bool {
        let Some(left) = self.turns.get().checked_sub(1) else { return false };
        // A single turn can take long, so the clock is read at each: about 20 ns.
        let is_late = now() - self.since.get() > self.time.get();
        self.turns.set(if is_late { 0 } else { left });
        !is_late
    }

    /// Does something that has to be done even if nothing is left.
    pub(crate) fn on_reserve<T>(&self, run: impl FnOnce() -> T) -> T {
        let left = (self.turns.replace(RESERVE), self.time.replace(TIME), self.since.replace(now()));
        let done = run();
        self.turns.set(left.0);
        self.time.set(left.1);
        self.since.set(left.2);
        done
    }
}

#[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}
