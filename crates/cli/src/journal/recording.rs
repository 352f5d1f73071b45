//! The record of one run, from its begin to the warnings at its end.

use std::sync::Arc;

use uphold::journal::{NewRun, PlanJournal, RunJournal, RunLock};
use uphold::model::Sources;
use uphold::resource::Clock;
use uphold::{Event, LocalHost, Program, Summary};

use super::commit::Repository;
use super::lock::LockedJournal;
use super::subject::{SourcesDigest, Subject};
use super::who::who;
use crate::diagnostics::count;
use crate::{CliError, HintCommand, Session, Ui};

/// A run that is recorded.
pub(crate) struct Recording {
    pub(crate) journal: Arc<RunJournal>,
    repository: Option<Repository>,
    drop_pending: HintCommand,
    /// Dropping it releases the lock.
    _lock: RunLock,
}

impl LockedJournal {
    /// The run applies a configuration of these texts.
    #[must_use]
    pub(crate) fn applying(self, sources: &Sources) -> Self {
        Self { digest: Some(SourcesDigest::begin(sources)), ..self }
    }

    /// Begins the record of a run.
    ///
    /// # Errors
    /// If the pending notifications cannot be read: then it is not known what has to be delivered.
    pub(crate) fn begin(self, verb: &str, subject: &Subject, ui: &mut Ui) -> Result<Recording, CliError> {
        let repository = subject.paths.first().and_then(|path| Repository::around(path));
        let new = NewRun {
            mode: verb.to_owned(),
            who: who(),
            root: Some(self.root),
            paths: subject.shown_paths(),
            digest: self.digest.map(SourcesDigest::get).unwrap_or_default(),
            commit: repository.as_ref().map(|repository| repository.commit.clone()),
            params: subject.params.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            undoes: subject.undoes,
            ..NewRun::default()
        };
        if let Some(newer) = self.journal.newer() {
            ui.talk(format_args!("warning: {newer}\n"));
        }
        let clock: Arc<dyn Clock> = Arc::new(LocalHost::new());
        let begun = RunJournal::begin(&self.journal, clock, subject.name.clone(), new, self.audit_log);
        let (journal, damage) = begun.map_err(|failure| unreadable(&failure))?;
        if let Some(damage) = damage {
            ui.talk(format_args!("warning: {damage}\n"));
        }
        let (drop_pending, _lock) = (self.drop_pending, self.lock);
        Ok(Recording { journal: Arc::new(journal), repository, drop_pending, _lock })
    }
}

impl Recording {
    pub(crate) fn event(&self, event: &Event) {
        self.journal.event(event);
    }

    /// Ends the record, and reports what the next run has to know.
    pub(crate) fn end(&self, summary: &Summary, program: &Program, ui: &mut Ui) {
        let is_clean = || self.repository.as_ref()?.is_clean();
        if let Some(failure) = self.journal.end(summary, is_clean) {
            let reason = failure.reason();
            ui.talk(format_args!("warning: {failure} ({reason}): an interruption loses notifications\n"));
        }
        self.report_pending(program, ui);
    }

    /// Takes the warnings about changes of interrupted runs that nothing verifies any more.
    pub(crate) fn take_unverified(&self) -> Vec<String> {
        let warnings = self.journal.take_unverifiable().into_iter().map(|due| {
            let names = due.notifiers.join(", ");
            let more = if due.more == 0 { String::new() } else { format!(" and {} more", due.more) };
            format!("the changes of {names}{more} by an interrupted run stay unverified: no group verifies them any more")
        });
        warnings.collect()
    }

    /// Reports the notifications that the next run will deliver, and those that none can.
    fn report_pending(&self, program: &Program, ui: &mut Ui) {
        let (deliverable, undeliverable) = self.journal.due(program);
        if !deliverable.is_empty() {
            let names: Vec<String> =
                deliverable.iter().map(|due| format!("{} {}", due.address, due.verb)).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            let number = count(names.len(), "notification");
            let list = names.join(", ");
            ui.talk(format_args!(
                "{number} {verb} pending: {list}\n  hint: the next apply delivers what is pending\n"
            ));
        }
        for warning in self.take_unverified() {
            ui.talk(format_args!("warning: {warning}\n"));
        }
        for due in undeliverable {
            let (address, verb) = (&due.address, &due.verb);
            let drop = self.drop_pending.clone().word(address);
            ui.talk(format_args!(
                "warning: {address} was to be notified ({verb}), but is not declared any more\n\
                 \x20 hint: to forget this notification: {drop}\n"
            ));
        }
    }
}

/// The journal of a plan, which shows pending notifications and drift. A journal that cannot be read is no reason to refuse
/// a plan.
pub(crate) fn plan_journal(subject: &Subject, session: &mut Session) -> Option<Arc<PlanJournal>> {
    let read = session.journal().and_then(|journal| {
        let pending = journal.read_pending().map_err(|failure| unreadable(&failure))?;
        Ok((pending.due, journal.records()))
    });
    match read {
        Ok((due, records)) => Some(Arc::new(PlanJournal::new(&subject.name, &due, records))),
        Err(error) => {
            let chain: Vec<String> = std::iter::once(error.message).chain(error.causes).collect();
            session.ui.talk(format_args!("warning: {}\n", chain.join(": ")));
            None
        }
    }
}

pub(super) fn unreadable(failure: &uphold::journal::Failure) -> CliError {
    CliError::new("cannot read the journal").because(failure)
}
