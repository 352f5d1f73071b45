//! A machine and its journal, whose runs can lose power.

use std::sync::{Arc, LazyLock};

use uphold::journal::{MemoryStorage, NewRun, Records, RunJournal, time};
use uphold::resource::Registry;
use uphold::{Checked, Configuration, Engine, EventKind, Mode, Summary, Verdict};
use uphold_memory::MemoryHost;

use super::Dice;
use super::crashing_storage::CrashingStorage;

/// The kinds, which are the same for every seed.
pub(crate) static KINDS: LazyLock<Registry> = LazyLock::new(uphold::kinds);

/// A machine and its journal.
pub(crate) struct Site {
    pub(crate) host: Arc<MemoryHost>,
    pub(crate) disk: MemoryStorage,
    /// Whether a crash only kills the process, so that the disk keeps all writes.
    pub(crate) is_only_killed: bool,
}

/// A run.
pub(crate) struct Ran {
    /// Its number, which another run gets if its file did not survive.
    pub(crate) number: u64,
    /// None if the power failed.
    pub(crate) summary: Option<Summary>,
    /// The addresses of the resources that failed, or were skipped.
    pub(crate) failed: Vec<String>,
}

impl Site {
    pub(crate) fn new(host: MemoryHost) -> Self {
        Self { host: Arc::new(host), disk: MemoryStorage::default(), is_only_killed: false }
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::on(self.host.machine().clone()).kinds(KINDS.clone()).build()
    }

    /// Applies a configuration. If the power fails at write number `crash` of the journal, machine and journal are those of
    /// that moment.
    pub(crate) fn apply(&mut self, text: &str, crash: Option<usize>, dice: &mut Dice) -> Ran {
        let configuration = Configuration::from_text(&self.engine(), "site.hcl", text.to_owned());
        self.run("apply", configuration.expect("it is read"), crash, dice)
    }

    /// The same for a configuration that was read.
    pub(crate) fn run(
        &mut self,
        mode: &str,
        configuration: Configuration,
        crash: Option<usize>,
        dice: &mut Dice,
    ) -> Ran {
        let checked: Checked = configuration.check().unwrap_or_else(|rejected| panic!("{rejected}"));
        let fate = (!self.is_only_killed).then(|| dice.roll(u64::MAX));
        let storage = CrashingStorage::new(self.disk.clone(), crash, fate, self.host.clone());
        let records = Records::on(Arc::new(storage.clone()));
        let new = NewRun { mode: mode.to_owned(), ..NewRun::default() };
        let clock = self.host.machine().clock.clone();
        self.disk.set_time(time(clock.now()));
        let (journal, _) = RunJournal::begin_in(records, clock, "site".to_owned(), new).expect("it begins");
        let journal = Arc::new(journal);
        let mut failed = Vec::new();
        let summary = checked.run_recorded(journal.clone(), Mode::Apply, &mut |event| {
            if let EventKind::Finished {
                resource, verdict: Verdict::Failed(_) | Verdict::Skipped(_), ..
            } = &event.kind
            {
                failed.push(resource.to_string());
            }
            journal.event(event);
        });
        journal.end(&summary, || None);
        let number = journal.number().expect("it is recorded");
        let Some((machine, left)) = storage.crashed() else {
            return Ran { number, summary: Some(summary), failed };
        };
        self.host.restore(&machine);
        self.disk = left;
        Ran { number, summary: None, failed }
    }
}
