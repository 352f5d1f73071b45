//! Limits of a script: its time, and what it declares and writes.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// Most calls and loop iterations of a script until it returns: about a second.
const STEPS: u64 = 10_000_000;

/// Most processor time of a script, since a single call can take long: `string.rep`. It does not count while other
/// processes run, or while the script waits for the machine.
const TIME: Duration = Duration::from_secs(5);

/// Steps for cleaning up after a script that has reached a limit.
const RESERVE: u64 = 100_000;

/// Steps that an access to the machine counts for: it takes about as long, and its time is not counted.
const STEPS_OF_AN_ACCESS: u64 = 50;

/// Most resources that a script can declare until it returns, with those that are nested in them.
const RESOURCES: u64 = 10_000;

/// Most bytes of strings that a script can declare and write until it returns. A plan keeps them in memory.
const BYTES: u64 = 256 << 20;

/// Message of a script that has used up its steps or its time.
pub(crate) const OUT_OF_FUEL: &str =
    "the script runs for too long: the limit is 10 million iterations and calls, and 5 seconds";

/// Message of a script that declares too many resources.
const MANY_RESOURCES: &str = "the script declares more than 10000 resources";

/// Message of a script that declares or writes too much.
const LARGE_RESOURCES: &str = "the script declares and writes more than 256 MiB";

/// The messages of all limits. A script cannot catch them.
pub(crate) const LIMITS: [&str; 3] = [OUT_OF_FUEL, MANY_RESOURCES, LARGE_RESOURCES];

/// The hint for a script that reached a limit.
pub(crate) fn limit_advice(message: &str) -> Option<&'static str> {
    if message.contains(OUT_OF_FUEL) {
        Some("look for a loop without an end; leave heavy work to a program: run, query")
    } else if message.contains(MANY_RESOURCES) || message.contains(LARGE_RESOURCES) {
        Some("look for a loop without an end, or divide the work between several resources")
    } else {
        None
    }
}

/// The cost of one operation that reaches the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    /// Resources that it declares.
    pub(crate) resources: u64,
    /// Bytes of the strings that it declares or writes.
    pub(crate) bytes: u64,
}

/// The remaining steps, time, resources and bytes of a script.
pub(crate) struct Fuel {
    steps: Cell<u64>,
    resources: Cell<u64>,
    bytes: Cell<u64>,
    time: Cell<Duration>,
    /// When `time` was set.
    since: Cell<Clocks>,
    /// Message of the limit that was reached.
    reached: Cell<&'static str>,
    /// The line of the script that reached the limit.
    place: RefCell<Option<String>>,
}

impl Fuel {
    pub(crate) fn new() -> Self {
        Self {
            steps: Cell::new(STEPS),
            resources: Cell::new(RESOURCES),
            bytes: Cell::new(BYTES),
            time: Cell::new(TIME),
            since: Cell::new(Clocks::now()),
            reached: Cell::new(OUT_OF_FUEL),
            place: RefCell::default(),
        }
    }

    /// Restores all limits, for a script that no other script has started.
    pub(crate) fn fill(&self) {
        self.steps.set(STEPS);
        self.resources.set(RESOURCES);
        self.bytes.set(BYTES);
        self.time.set(TIME);
        self.reached.set(OUT_OF_FUEL);
        self.place.take();
        self.resume();
    }

    /// The message of the limit that was reached, at the line that reached it first.
    pub(crate) fn limit_message(&self, place: impl FnOnce() -> String) -> String {
        format!("{}{}", self.place.borrow_mut().get_or_insert_with(place), self.reached.get())
    }

    /// Starts to count the time: the script runs.
    pub(crate) fn resume(&self) {
        self.since.set(Clocks::now());
    }

    /// Stops counting the time: Rust runs on behalf of the script.
    pub(crate) fn pause(&self) {
        let now = Clocks::now();
        self.time.set(self.time.get().saturating_sub(now.processor - self.since.get().processor));
        self.since.set(now);
    }

    /// Whether the time is used up. The wall clock, which takes about 20 ns, is read first: a thread cannot have used
    /// more processor time than it shows.
    fn is_out_of_time(&self) -> bool {
        if wall() - self.since.get().wall <= self.time.get() {
            return false;
        }
        self.pause();
        self.time.get().is_zero()
    }

    /// Counts a step; false if no step or no time is left.
    pub(crate) fn burn(&self) -> bool {
        let Some(left) = self.steps.get().checked_sub(1) else { return false };
        // A single step can take long, so the clock is read at each.
        let is_out_of_time = self.is_out_of_time();
        self.steps.set(if is_out_of_time { 0 } else { left });
        !is_out_of_time
    }

    /// Counts an access to the machine; false if it exceeds a limit, which ends the script.
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
            () if !pays(&self.steps, STEPS_OF_AN_ACCESS) => OUT_OF_FUEL,
            () => return true,
        };
        self.steps.set(0);
        self.reached.set(reached);
        false
    }

    /// Counts the work of a call that cannot be interrupted; false if the steps do not suffice, which ends the script.
    pub(crate) fn pay_steps(&self, steps: u64) -> bool {
        let left = self.steps.get().checked_sub(steps);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Runs Luau code that must run even if a limit was reached.
    pub(crate) fn on_reserve<T>(&self, run: impl FnOnce() -> T) -> T {
        let left = (self.steps.replace(RESERVE), self.time.replace(TIME), self.since.replace(Clocks::now()));
        let done = run();
        self.steps.set(left.0);
        self.time.set(left.1);
        self.since.set(left.2);
        done
    }
}

/// One reading of two clocks.
#[derive(Clone, Copy)]
struct Clocks {
    wall: Instant,
    /// Processor time of this thread.
    processor: Duration,
}

impl Clocks {
    fn now() -> Self {
        Self { wall: wall(), processor: processor() }
    }
}

#[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
fn wall() -> Instant {
    Instant::now()
}

/// Not through the clock of a machine: scripts are also loaded without one.
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many times this access is allowed, and the message of the limit.
    fn paid(access: Access) -> (u64, String) {
        let fuel = Fuel::new();
        let times = (0..).take_while(|_| fuel.pay(access)).count() as u64;
        assert!(!fuel.burn(), "a limit ends the script");
        (times, fuel.limit_message(String::new))
    }

    #[test]
    fn each_limit_ends_a_script_with_its_message() {
        let one = Access { resources: 1, bytes: 10 };
        assert_eq!(paid(one), (RESOURCES, MANY_RESOURCES.to_owned()));
        assert_eq!(paid(Access { resources: 5_000, ..one }), (2, MANY_RESOURCES.to_owned()));
        assert_eq!(paid(Access { resources: 1, bytes: 64 << 20 }), (4, LARGE_RESOURCES.to_owned()));
        assert_eq!(paid(Access::default()), (STEPS / STEPS_OF_AN_ACCESS, OUT_OF_FUEL.to_owned()));
        let (resources, mib) = (format!(" {RESOURCES} "), format!(" {} MiB", BYTES >> 20));
        assert!(MANY_RESOURCES.contains(&resources) && LARGE_RESOURCES.contains(&mib));
        let fuel =
            format!(" {} million iterations and calls, and {} seconds", STEPS / 1_000_000, TIME.as_secs());
        assert!(OUT_OF_FUEL.ends_with(&fuel), "{fuel}");
        assert!(LIMITS.iter().all(|limit| limit_advice(limit).is_some()));
    }

    #[test]
    fn counts_only_processor_time_of_the_script() {
        let fuel = Fuel::new();
        let long_ago = Clocks { wall: wall().checked_sub(TIME * 2).expect("a time"), ..Clocks::now() };
        fuel.since.set(long_ago);
        assert!(fuel.burn(), "the thread has not computed that long");
        fuel.time.set(Duration::from_nanos(1));
        assert!((0..1000).any(|_| !fuel.burn()), "now it has");
    }

    #[test]
    fn fill_restores_all_limits() {
        let fuel = Fuel::new();
        assert!(!fuel.pay(Access { resources: RESOURCES + 1, bytes: 0 }));
        fuel.fill();
        assert!(fuel.burn() && fuel.pay(Access { resources: RESOURCES, bytes: BYTES }));
    }
}
