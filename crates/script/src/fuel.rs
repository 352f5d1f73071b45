//! How long a script may run, and how much it may ask of the machine.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How many calls and turns of loops a script may take until it returns: about a second.
const TURNS: u64 = 10_000_000;

/// How much processor time it may take, since a single call can take long: `string.rep`. A busy machine, and what the
/// script waits for, do not count.
const TIME: Duration = Duration::from_secs(5);

/// What is left for tidying up when a script has used up everything.
const RESERVE: u64 = 100_000;

/// Turns that an access to the machine counts for: it takes about as long, and its time is not counted.
const TURNS_OF_AN_ACCESS: u64 = 50;

/// How many resources a script may declare until it returns, with those that are nested in them.
const RESOURCES: u64 = 10_000;

/// Bytes of the strings that a script may declare and write until it returns. A plan keeps them in memory.
const BYTES: u64 = 256 << 20;

/// Message of a script that used up its turns or its time.
pub(crate) const OUT_OF_FUEL: &str = "it has run for too long: is there a loop without an end?";

/// Message of a script that declares too many resources.
const MANY_RESOURCES: &str = "it declares more than 10000 resources: is there a loop without an end?";

/// Message of a script that declares or writes too much.
const LARGE_RESOURCES: &str = "it declares and writes more than 256 MiB: is there a loop without an end?";

/// The messages of all limits. No script can catch them.
pub(crate) const LIMITS: [&str; 3] = [OUT_OF_FUEL, MANY_RESOURCES, LARGE_RESOURCES];

/// Something that a script asks of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    /// Resources that it declares.
    pub(crate) resources: u64,
    /// Bytes of the strings that it declares or writes.
    pub(crate) bytes: u64,
}

/// What is left of the turns, of the time, and of what can be asked of the machine.
pub(crate) struct Fuel {
    turns: Cell<u64>,
    resources: Cell<u64>,
    bytes: Cell<u64>,
    time: Cell<Duration>,
    /// When the time that is left was set.
    since: Cell<Moment>,
    /// Message of the limit that was reached.
    reached: Cell<&'static str>,
    /// Where it ran out.
    place: RefCell<Option<String>>,
}

impl Fuel {
    pub(crate) fn new() -> Self {
        Self {
            turns: Cell::new(TURNS),
            resources: Cell::new(RESOURCES),
            bytes: Cell::new(BYTES),
            time: Cell::new(TIME),
            since: Cell::new(Moment::now()),
            reached: Cell::new(OUT_OF_FUEL),
            place: RefCell::default(),
        }
    }

    /// For a script that nobody around has begun.
    pub(crate) fn fill(&self) {
        self.turns.set(TURNS);
        self.resources.set(RESOURCES);
        self.bytes.set(BYTES);
        self.time.set(TIME);
        self.reached.set(OUT_OF_FUEL);
        self.place.take();
        self.go();
    }

    /// What is told when it has run out: where that was first, however often it is told.
    pub(crate) fn last_words(&self, place: impl FnOnce() -> String) -> String {
        format!("{}{}", self.place.borrow_mut().get_or_insert_with(place), self.reached.get())
    }

    /// From here on a script computes.
    pub(crate) fn go(&self) {
        self.since.set(Moment::now());
    }

    /// From here on somebody else does.
    pub(crate) fn halt(&self) {
        let now = Moment::now();
        self.time.set(self.time.get().saturating_sub(now.processor - self.since.get().processor));
        self.since.set(now);
    }

    /// Whether the time is used up. The wall clock, which takes about 20 ns, is asked first: no thread computes for
    /// longer than it shows.
    fn is_late(&self) -> bool {
        if wall() - self.since.get().wall <= self.time.get() {
            return false;
        }
        self.halt();
        self.time.get().is_zero()
    }

    /// Takes a turn; false if there is none left.
    pub(crate) fn burn(&self) -> bool {
        let Some(left) = self.turns.get().checked_sub(1) else { return false };
        // A single turn can take long, so the clock is read at each.
        let is_late = self.is_late();
        self.turns.set(if is_late { 0 } else { left });
        !is_late
    }

    /// Pays for an access to the machine; false if that is more than is left. Then the script has come to its end.
    pub(crate) fn pay(&self, access: Access) -> bool {
        let pays = |left: &Cell<u64>, price: u64| match left.get().checked_sub(price) {
            Some(rest) => {
                left.set(rest);
                true
            }
            None => false,
        };
        let reached = match () {
            () if !pays(&self.resources, access.resources) => MANY_RESOURCES,
            () if !pays(&self.bytes, access.bytes) => LARGE_RESOURCES,
            () if !pays(&self.turns, TURNS_OF_AN_ACCESS) => OUT_OF_FUEL,
            () => return true,
        };
        self.turns.set(0);
        self.reached.set(reached);
        false
    }

    /// Does something that has to be done even if nothing is left.
    pub(crate) fn on_reserve<T>(&self, run: impl FnOnce() -> T) -> T {
        let left = (self.turns.replace(RESERVE), self.time.replace(TIME), self.since.replace(Moment::now()));
        let done = run();
        self.turns.set(left.0);
        self.time.set(left.1);
        self.since.set(left.2);
        done
    }
}

/// A moment by two clocks.
#[derive(Clone, Copy)]
struct Moment {
    wall: Instant,
    /// Processor time of this thread.
    processor: Duration,
}

impl Moment {
    fn now() -> Self {
        Self { wall: wall(), processor: processor() }
    }
}

#[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
fn wall() -> Instant {
    Instant::now()
}

/// Not through the clock of a host: scripts are also loaded where there is none.
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often this can be paid for, and the message when it cannot.
    fn paid(access: Access) -> (u64, String) {
        let fuel = Fuel::new();
        let times = (0..).take_while(|_| fuel.pay(access)).count() as u64;
        assert!(!fuel.burn(), "a limit ends the script");
        (times, fuel.last_words(String::new))
    }

    #[test]
    fn each_limit_ends_a_script_with_its_message() {
        let one = Access { resources: 1, bytes: 10 };
        assert_eq!(paid(one), (RESOURCES, MANY_RESOURCES.to_owned()));
        assert_eq!(paid(Access { resources: 5_000, ..one }), (2, MANY_RESOURCES.to_owned()));
        assert_eq!(paid(Access { resources: 1, bytes: 64 << 20 }), (4, LARGE_RESOURCES.to_owned()));
        assert_eq!(paid(Access::default()), (TURNS / TURNS_OF_AN_ACCESS, OUT_OF_FUEL.to_owned()));
        let (resources, mib) = (format!(" {RESOURCES} "), format!(" {} MiB", BYTES >> 20));
        assert!(MANY_RESOURCES.contains(&resources) && LARGE_RESOURCES.contains(&mib));
    }

    #[test]
    fn time_that_others_take_does_not_count() {
        let fuel = Fuel::new();
        let long_ago = Moment { wall: wall().checked_sub(TIME * 2).expect("a time"), ..Moment::now() };
        fuel.since.set(long_ago);
        assert!(fuel.burn(), "the thread has not computed that long");
        fuel.time.set(Duration::from_nanos(1));
        assert!((0..1000).any(|_| !fuel.burn()), "now it has");
    }

    #[test]
    fn the_next_script_has_everything_again() {
        let fuel = Fuel::new();
        assert!(!fuel.pay(Access { resources: RESOURCES + 1, bytes: 0 }));
        fuel.fill();
        assert!(fuel.burn() && fuel.pay(Access { resources: RESOURCES, bytes: BYTES }));
    }
}
