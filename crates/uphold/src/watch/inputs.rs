//! Noticing that a configuration has to be read again.

use std::sync::Arc;
use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{Clock, News, Token};

use super::ledger::Ledger;
use super::occasion::Occasion;
use super::reader::Generation;
use super::source::ConfigurationSource;
use super::stage::Stage;
use super::steering::Steering;
use crate::input_log::{Input, InputLog};
use crate::rejected::Rejected;

/// A save is often several changes: it is over when nothing came for this long.
const QUIET: Duration = Duration::from_millis(50);

/// Whoever writes without a pause is not waited for longer than this.
const LONGEST: Duration = Duration::from_millis(500);

/// All inputs together: whatever changes, all of it is read again.
const TOKEN: Token = 0;

/// Watches what a configuration is read from, and reads it again.
pub(super) struct InputWatch<'a> {
    source: &'a ConfigurationSource,
    stage: &'a Stage<'a>,
    steering: &'a Steering,
    /// How often values are asked for that nobody reports.
    refresh: Duration,
    host: LocalHost,
    ledger: Ledger,
    /// What the configuration that is held has read, and how much of that is in the ledger.
    held: Arc<InputLog>,
    entered: usize,
    is_blind: bool,
    /// What differed when it had just been read.
    hasty: Option<Input>,
    /// The last refusal, so that a value that stays bad is told once.
    refusal: Option<String>,
}

impl<'a> InputWatch<'a> {
    pub(super) fn new(
        source: &'a ConfigurationSource,
        stage: &'a Stage<'a>,
        steering: &'a Steering,
        (refresh, held): (Duration, Arc<InputLog>),
    ) -> Self {
        Self {
            source,
            stage,
            steering,
            refresh,
            host: LocalHost::new(),
            ledger: Ledger::default(),
            held,
            entered: 0,
            is_blind: false,
            hasty: None,
            refusal: None,
        }
    }

    /// Goes on until the watch ends.
    ///
    /// # Guarantees
    /// What is looked at was armed before, and all reports up to then were taken in: whatever changes after the look is
    /// reported later.
    pub(super) fn run(&mut self) {
        self.accept(&self.held.clone());
        let mut unsure = true;
        let mut due = self.clock().elapsed() + self.refresh;
        while !self.steering.is_ended() {
            let more = self.enter_late_ones();
            let reported = self.collect();
            if reported {
                self.settle();
            }
            let occasion = self.occasion(reported, unsure || more, &mut due);
            unsure = occasion.is_some();
            match occasion {
                // The wait for quiet has taken the nudge that comes with the end.
                _ if self.steering.is_ended() => return,
                Some(occasion) => self.reload(&occasion),
                None => self.wait(due),
            }
        }
    }

    /// Why the configuration must be read again, if it must.
    fn occasion(&mut self, reported: bool, unsure: bool, due: &mut Duration) -> Option<Occasion> {
        if self.steering.take_reload() {
            return Some(Occasion::Asked);
        }
        if (reported || unsure)
            && let Some(input) = self.changed()
        {
            let again = !reported && self.hasty.as_ref() == Some(&input);
            self.hasty = (!reported).then(|| input.clone());
            if !again {
                return Some(Occasion::changed(&input));
            }
            self.ledger.distrust(input);
        }
        let now = self.clock().elapsed();
        if now < *due {
            return None;
        }
        *due = now + self.refresh;
        let surroundings = self.source.surroundings().ok()?;
        self.ledger.changed_unreported(&surroundings, self.is_blind).map(|input| Occasion::live(&input))
    }

    fn changed(&mut self) -> Option<Input> {
        // Without surroundings nothing could be read either.
        let surroundings = self.source.surroundings().ok()?;
        self.ledger.changed(&surroundings)
    }

    fn reload(&mut self, occasion: &Occasion) {
        self.stage.tell(|reader| reader.reading(occasion));
        let notes = Arc::<InputLog>::default();
        match self.source.check(&notes) {
            Err(error) => {
                if self.is_news(occasion, error.chain()) {
                    self.stage.tell(|reader| reader.unreadable(occasion, &error));
                }
                self.note(&notes);
            }
            Ok(Err(Rejected { diagnostics, sources })) => {
                if self.is_news(occasion, format!("{diagnostics:?}")) {
                    self.stage.tell(|reader| reader.checked(occasion, &diagnostics, &sources));
                }
                tracing::warn!("configuration refused, the previous one stays in force");
                self.note(&notes);
            }
            Ok(Ok(checked)) => {
                if self.is_news(occasion, String::new()) {
                    self.stage.tell(|reader| reader.checked(occasion, checked.warnings(), checked.sources()));
                }
                self.stage.swap(self.steering.control(), Generation::new(checked));
                self.accept(&notes);
            }
        }
    }

    /// Whether it has to be told: a value that stays bad is told once.
    fn is_news(&mut self, occasion: &Occasion, refusal: String) -> bool {
        let same = self.refusal.as_ref() == Some(&refusal);
        self.refusal = Some(refusal);
        occasion.is_awaited() || !same
    }

    /// This is held: what it has read counts, and nothing else.
    fn accept(&mut self, notes: &Arc<InputLog>) {
        let watcher = self.steering.watcher().clone();
        notes.on_more(move || watcher.nudge());
        self.held = notes.clone();
        let read = notes.all();
        self.entered = read.len();
        self.ledger.replace(read);
        self.arm();
    }

    /// This is not held. Whatever mends it is in what it has read, or in what was read before.
    fn note(&mut self, notes: &InputLog) {
        self.ledger.add(notes.all());
        self.arm();
    }

    /// Enters what was read since it is held; whether there was something.
    fn enter_late_ones(&mut self) -> bool {
        let more = self.held.len() > self.entered;
        if more {
            let read = self.held.all();
            self.entered = read.len();
            self.ledger.add_new(read);
            self.arm();
        }
        more
    }

    fn arm(&mut self) {
        let watcher = self.steering.watcher();
        let armed = self.ledger.interests().and_then(|interests| watcher.arm(TOKEN, &interests));
        match armed {
            Ok(()) => self.is_blind = false,
            Err(error) => self.go_blind(&error.chain()),
        }
    }

    fn go_blind(&mut self, because: &str) {
        if !self.is_blind {
            self.stage.tell(|reader| reader.blind(because));
        }
        self.is_blind = true;
    }

    /// Takes in all reports; whether there was one.
    fn collect(&mut self) -> bool {
        let (mut reported, mut blind) = (false, None);
        self.steering.watcher().collect(&mut |news| {
            reported = true;
            if let News::Blind { because, .. } = news {
                blind = Some(because);
            }
        });
        blind.into_iter().for_each(|because| self.go_blind(&because));
        reported
    }

    /// Waits until it is quiet. A wish does not end the wait, because what is written may be half written.
    fn settle(&mut self) {
        let began = self.clock().elapsed();
        let mut last = began;
        loop {
            let now = self.clock().elapsed();
            let quiet = now.saturating_sub(last);
            if quiet >= QUIET || now.saturating_sub(began) >= LONGEST || self.steering.is_ended() {
                return;
            }
            self.steering.watcher().wait(Some(QUIET - quiet));
            if self.collect() {
                last = self.clock().elapsed();
            }
        }
    }

    /// Waits for a report, a wish, or the time to ask for what nobody reports.
    fn wait(&self, due: Duration) {
        let asks = self.is_blind || self.ledger.has_unreported();
        let span = asks.then(|| due.saturating_sub(self.clock().elapsed()));
        self.steering.watcher().wait(span);
    }

    fn clock(&self) -> &dyn Clock {
        &self.host
    }
}
