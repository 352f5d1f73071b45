//! The machine, and its faults.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uphold_engine::{Control, Engine};
use uphold_resource::{Clock, Output, Stop};
use uphold_testkit::{Call, MemoryHost, Trouble};

use super::mischief::Breakage;
use super::plot::{LAMP, Plot};
use super::referee::Referee;
use crate::simulation::dice::Dice;

/// The interval of checks of everything, where events can be lost without a notice.
pub(crate) const RECHECK: Duration = Duration::from_secs(60);
/// The time after the last fault: twice the longest backoff, and some checks of everything.
const PEACE: Duration = Duration::from_secs(2 * 300 + 5 * 60);
/// More waits than any plot has.
const WAITS: usize = 20_000;

/// The state of the test, shared by the programs and the waits of the machine.
pub(crate) struct Shared {
    pub(crate) dice: Dice,
    pub(crate) plot: Plot,
    pub(crate) referee: Referee,
    pub(crate) broken: BTreeMap<String, Breakage>,
    pub(crate) colour: String,
    pub(crate) trouble: Trouble,
    /// Whether all losses of events are announced: then no regular checks are needed.
    pub(crate) honest: bool,
    /// The number of remaining faults.
    left: usize,
    /// When all faults had ended.
    healed: Option<Duration>,
    waits: usize,
    /// The number of events at the last wait, and the number of consecutive waits without one.
    idle: (usize, usize),
    /// The number of events after half of the recovery time: no change may follow.
    pub(crate) calm_since: Option<usize>,
    pub(crate) transcript: Vec<String>,
    /// How many times a kind asked something.
    asked: usize,
}

#[derive(Clone)]
pub(crate) struct Stage {
    shared: Arc<Mutex<Shared>>,
    /// Never notified: a wait for it is a sleep.
    sleep: Arc<Condvar>,
    /// Whether visits run in parallel: then other visits may go on while one waits.
    crowded: bool,
}

/// Time without any activity after which all threads are taken to be waiting.
const QUIET: Duration = Duration::from_millis(1);

impl Stage {
    pub(crate) fn new(mut dice: Dice, plot: Plot, jobs: usize) -> Self {
        let (left, honest) = (3 + dice.roll(25), dice.once_in(2));
        let mut referee = Referee::default();
        referee.plots.insert(0, plot.clone());
        let shared = Shared {
            dice,
            plot,
            referee,
            broken: BTreeMap::new(),
            colour: "red".to_owned(),
            trouble: Trouble::default(),
            honest,
            left,
            healed: None,
            waits: 0,
            idle: (0, 0),
            calm_since: None,
            transcript: Vec::new(),
            asked: 0,
        };
        Self { shared: Arc::new(Mutex::new(shared)), sleep: Arc::default(), crowded: jobs > 1 }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is no activity.
    fn wait_for_others(&self) {
        if !self.crowded {
            return;
        }
        let mut shared = self.lock();
        loop {
            let before = (shared.asked, shared.referee.count);
            shared = self.sleep.wait_timeout(shared, QUIET).unwrap_or_else(PoisonError::into_inner).0;
            if before == (shared.asked, shared.referee.count) {
                return;
            }
        }
    }

    /// The machine with the programs that kinds call.
    pub(crate) fn machine(&self) -> MemoryHost {
        let host = MemoryHost::new().directory("/d", 0o755);
        ["look", "looked", "write", "wrote", "shout"].into_iter().fold(host, |host, word| {
            let stage = self.clone();
            host.program(word, move |call| {
                let name = call.command.args.first().cloned().unwrap_or_default();
                stage.answer(call, word, &name)
            })
        })
    }

    fn answer(&self, call: &Call<'_>, word: &'static str, name: &str) -> Output {
        let mut shared = self.lock();
        shared.asked += 1;
        if word == "look"
            && name.starts_with('/')
            && shared.trouble.refused == 0
            && !call.host.is_watched(name)
        {
            shared.referee.complaints.push(format!("{name} is looked at before it is watched"));
        }
        // Another process changes the file each time before the check.
        if shared.healed.is_none() && shared.dice.once_in(25) {
            shared.tamper(call.host);
        }
        match shared.broken.get(name) {
            Some(Breakage::Load) if word == "look" => call.fail(2, "cannot look"),
            Some(Breakage::Late) if word == "look" => call.fail(75, ""),
            Some(Breakage::Apply) if word == "write" || word == "shout" => call.fail(2, "cannot change"),
            Some(Breakage::Panic) if word == "look" => {
                drop(shared);
                panic!("broken")
            }
            _ if (word, name) == ("look", LAMP) => call.succeed(&shared.colour),
            _ => call.succeed(""),
        }
    }

    /// A wait of the engine: the time passes, and faults happen.
    pub(crate) fn play(&self, host: &MemoryHost, engine: Engine, control: Control, stop: Stop) {
        let stage = self.clone();
        host.on_wait(move |host, span| {
            stage.wait_for_others();
            let mut shared = stage.lock();
            shared.waits += 1;
            if shared.waits == WAITS {
                shared.referee.complaints.push("it never comes to rest".to_owned());
                stop.request();
            }
            assert!(shared.waits < 2 * WAITS, "nothing stops it");
            shared.watch_idling(span);
            match shared.healed {
                Some(healed) => shared.keep_peace(host, span, healed, &stop, stage.crowded),
                None if shared.left == 0 => shared.heal(host),
                None => {
                    shared.left -= 1;
                    shared.act(host, span, &engine, &control);
                }
            }
        });
    }
}

impl Shared {
    pub(crate) fn note(&mut self, what: &str) {
        self.transcript.push(format!("-- {what}"));
    }

    /// Repeated waits of zero length without an event are a busy loop.
    fn watch_idling(&mut self, span: Option<Duration>) {
        let now = (self.referee.count, self.asked);
        let idle = span.is_some_and(|span| span < Duration::from_millis(1)) && self.idle.0 == now.0 + now.1;
        self.idle = (now.0 + now.1, if idle { self.idle.1 + 1 } else { 0 });
        if self.idle.1 == 50 {
            self.referee.complaints.push("it waits for no time, over and over".to_owned());
        }
    }

    /// Ends all faults.
    fn heal(&mut self, host: &MemoryHost) {
        self.note("all trouble is over");
        self.broken.clear();
        host.suffer(0, Trouble::default());
        self.healed = Some(host.elapsed());
    }

    /// Advances the time until everything could recover. With parallel visits, time passes although the real machine may
    /// delay one of them: then it ends when everything is as declared, or after a timeout.
    fn keep_peace(
        &mut self,
        host: &MemoryHost,
        span: Option<Duration>,
        healed: Duration,
        stop: &Stop,
        crowded: bool,
    ) {
        let peace = host.elapsed().saturating_sub(healed);
        if self.calm_since.is_none() && peace >= PEACE / 2 {
            self.calm_since = Some(self.referee.count);
        }
        if peace >= PEACE && (!crowded || self.waits > WAITS / 2 || self.check(host).is_ok()) {
            return stop.request();
        }
        host.advance(span.unwrap_or(RECHECK));
    }
}
