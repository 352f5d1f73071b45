//! The pauses of the managed machine.

use std::path::PathBuf;
use std::time::SystemTime;

use uphold::journal::{Failure, Pause as StoredPause, PauseFile};
use uphold::model::{Mutex, ResourceId};
use uphold::resource::Clock as _;
use uphold::{LocalHost, Pause, Pauses};

use super::lock::{stored_time, system_time};
use super::who::who;
use crate::address_pattern::AddressPattern;
use crate::{CliError, Session, Ui};

/// The file of pauses.
pub(crate) struct StoredPauses {
    file: PauseFile,
    directory: PathBuf,
}

impl StoredPauses {
    /// The file of the managed machine, which may not exist yet. None if a newer version wrote it: a run warns of that.
    ///
    /// # Errors
    /// If the state directory cannot be used.
    pub(crate) fn find(session: &Session) -> Result<Option<Self>, CliError> {
        let journal = session.journal()?;
        let directory = journal.location().path();
        Ok(journal.records().map(|records| Self { file: records.pauses(), directory }))
    }

    /// The same, for commands that change it.
    ///
    /// # Errors
    /// If the state directory cannot be used, or a newer version wrote it.
    pub(crate) fn open(session: &Session) -> Result<Self, CliError> {
        let newer = CliError::new("a newer version of Uphold wrote the pauses of this machine");
        Self::find(session)?.ok_or_else(|| newer.hint("use that version"))
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.join(PauseFile::NAME)
    }

    /// The pauses that have not expired.
    ///
    /// # Errors
    /// If they cannot be read: then it is not known what must not be changed.
    pub(crate) fn list(&self, ui: &mut Ui) -> Result<Vec<StoredPause>, CliError> {
        let pauses = self.file.read(stored_time(LocalHost::new().now()));
        let pauses = pauses.map_err(|failure| self.failed("read", &failure))?;
        if let Some(damage) = pauses.damage {
            ui.talk(format_args!("warning: {damage}\n"));
        }
        Ok(pauses.list)
    }

    /// The same, for a run.
    ///
    /// # Errors
    /// As of [`StoredPauses::list`].
    pub(crate) fn read(&self, ui: &mut Ui) -> Result<MachinePauses, CliError> {
        Ok(MachinePauses(Mutex::new(covered(&self.list(ui)?))))
    }

    /// Reads them again during a run: whether they differ. If they cannot be read, the previous ones stay in force.
    pub(crate) fn update(&self, pauses: &MachinePauses) -> bool {
        let now = stored_time(LocalHost::new().now());
        let Ok(read) = self.file.read(now) else { return false };
        let list = covered(&read.list);
        let mut known = pauses.0.lock();
        let differs = *known != list;
        *known = list;
        differs
    }

    /// Adds a pause.
    ///
    /// # Errors
    /// If the state directory cannot be written.
    pub(crate) fn add(
        &self,
        patterns: &[AddressPattern],
        until: SystemTime,
        reason: Option<String>,
    ) -> Result<(), CliError> {
        let now = stored_time(LocalHost::new().now());
        let addresses = patterns.iter().map(ToString::to_string).collect();
        let pause =
            StoredPause { addresses, user: who().user, reason, since: now, until: stored_time(until) };
        self.file.add(pause, now).map_err(|failure| self.failed("write", &failure))
    }

    /// Removes pauses that one of these patterns includes, or all. Returns what it removed.
    ///
    /// # Errors
    /// If the state directory cannot be written.
    pub(crate) fn remove(&self, patterns: &[AddressPattern]) -> Result<Vec<StoredPause>, CliError> {
        let now = stored_time(LocalHost::new().now());
        let is_named = |text: &str| {
            text.parse()
                .is_ok_and(|paused: AddressPattern| patterns.iter().any(|named| named.includes(&paused)))
        };
        let removed =
            if patterns.is_empty() { self.file.clear(now) } else { self.file.remove(is_named, now) };
        removed.map_err(|failure| self.failed("write", &failure))
    }

    fn failed(&self, action: &str, failure: &Failure) -> CliError {
        CliError::new(format!("cannot {action} the pauses in {}", self.directory.display()))
            .because(failure)
            .hint("run it as the user who applies the configuration, or choose another directory with --state DIR")
    }
}

/// The pauses of the managed machine, as the engine asks for them. They can be replaced while a watch runs.
#[derive(Debug)]
pub(crate) struct MachinePauses(Mutex<Vec<(Vec<AddressPattern>, Pause)>>);

impl Pauses for MachinePauses {
    /// The one that lasts longest.
    fn of(&self, resource: &ResourceId) -> Option<Pause> {
        let all = self.0.lock();
        let is_covered = |patterns: &[AddressPattern]| {
            patterns.is_empty() || patterns.iter().any(|pattern| pattern.covers(resource))
        };
        let covering = all.iter().filter(|(patterns, _)| is_covered(patterns));
        covering.map(|(_, pause)| pause).max_by_key(|pause| pause.until).cloned()
    }
}

/// The patterns of each pause; none of them for a pause of everything. A pattern that this version cannot read covers nothing.
fn covered(list: &[StoredPause]) -> Vec<(Vec<AddressPattern>, Pause)> {
    let parsed = list.iter().map(|pause| {
        let patterns: Vec<AddressPattern> =
            pause.addresses.iter().filter_map(|text| text.parse().ok()).collect();
        let StoredPause { user, reason, until, .. } = pause.clone();
        (patterns, pause.is_total(), Pause { until: system_time(until), by: user, reason })
    });
    parsed
        .filter(|(patterns, is_total, _)| *is_total || !patterns.is_empty())
        .map(|(patterns, _, pause)| (patterns, pause))
        .collect()
}
