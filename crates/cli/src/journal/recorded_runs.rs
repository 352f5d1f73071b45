//! The recorded runs, as commands that undo them need them.

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::journal::{Action, Records, Run, RunState, UndoneChanges, system_time};
use uphold::resource::Clock as _;

use super::recording::unreadable;
use crate::time_text::Now;
use crate::{CliError, Session};

/// The recorded runs of the managed machine.
pub(crate) struct RecordedRuns {
    records: Records,
    /// Only runs that changed this root; none for all.
    root: Option<String>,
}

/// A run to undo.
pub(crate) struct RunToUndo {
    pub(crate) run: Run,
    /// The runs after it, newest first.
    pub(crate) later: Vec<Run>,
    /// The changes that are not undone again.
    pub(crate) undone: UndoneChanges,
}

impl RecordedRuns {
    /// # Errors
    /// If there is no journal, or a newer version wrote it.
    pub(crate) fn open(session: &Session) -> Result<Self, CliError> {
        let journal = session.journal()?;
        match (journal.records(), journal.newer()) {
            (Some(records), _) => Ok(Self { records, root: session.root_of_runs()? }),
            (None, Some(newer)) => Err(CliError::new(newer.to_string())),
            (None, None) => Err(CliError::new("there is no journal")),
        }
    }

    pub(crate) fn records(&self) -> &Records {
        &self.records
    }

    /// The run of this number.
    ///
    /// # Errors
    /// If there is none, or a run cannot be read.
    pub(crate) fn get(&self, number: u64) -> Result<RunToUndo, CliError> {
        let mut later = self.since(number)?;
        let newest = later.first().map(|run| run.begin.run);
        if let Some(run) = later.pop_if(|run| run.begin.run == number) {
            return Ok(RunToUndo { run, later, undone: UndoneChanges::default() });
        }
        if let Some(other) = self.root_of(number)? {
            let error = CliError::new(format!("run {number} changed another root: {other}"));
            let flag =
                if other == "/" { "leave out --root".to_owned() } else { format!("use --root {other}") };
            return Err(error.hint(flag));
        }
        let error = CliError::new(format!("there is no run {number}"));
        Err(match newest.or(self.newest()?) {
            Some(newest) => error.hint(format!("the newest run is {newest}")),
            None => error.hint("no run is recorded yet"),
        })
    }

    /// The run with this number and those after it, newest first.
    ///
    /// # Errors
    /// If a run cannot be read.
    pub(crate) fn since(&self, number: u64) -> Result<Vec<Run>, CliError> {
        let mut found = Vec::new();
        for run in self.newest_first()? {
            let run = run?;
            if run.begin.run < number {
                break;
            }
            found.push(run);
        }
        Ok(found)
    }

    /// The runs up to the newest one with this property, newest first. Empty if there is none.
    ///
    /// # Errors
    /// If a run cannot be read.
    pub(crate) fn until(&self, is_last: impl Fn(&Run) -> bool) -> Result<Vec<Run>, CliError> {
        let mut found = Vec::new();
        for run in self.newest_first()? {
            found.push(run?);
            if found.last().is_some_and(&is_last) {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The newest run with changes that are not undone, other than an undo. `is_candidate` decides about each such run.
    ///
    /// # Errors
    /// If a run cannot be read.
    pub(crate) fn newest_to_undo(
        &self,
        is_candidate: impl Fn(&RunToUndo) -> Result<bool, CliError>,
    ) -> Result<Option<RunToUndo>, CliError> {
        let (mut undone, mut later) = (UndoneChanges::default(), Vec::new());
        for run in self.newest_first()? {
            let run = run?;
            undone.add(&run);
            let is_undo = run.begin.undoes.is_some() || run.state == RunState::Running;
            if is_undo || !has_changes(&run, &undone) {
                later.push(run);
                continue;
            }
            let found = RunToUndo { run, later, undone };
            if is_candidate(&found)? {
                return Ok(Some(found));
            }
            (undone, later) = (found.undone, found.later);
            later.push(found.run);
        }
        Ok(None)
    }

    fn newest(&self) -> Result<Option<u64>, CliError> {
        let newest = self.newest_first()?.next().transpose()?;
        Ok(newest.map(|run| run.begin.run))
    }

    /// The root that a run changed, if it is not the one of these runs.
    fn root_of(&self, number: u64) -> Result<Option<String>, CliError> {
        let run = self.records.runs().get(number).map_err(|failure| unreadable(&failure))?;
        Ok(run.filter(|run| !self.is_of_root(run)).and_then(|run| run.begin.root))
    }

    /// Whether a run changed this root, as far as it recorded that.
    fn is_of_root(&self, run: &Run) -> bool {
        let (Some(own), Some(root)) = (&self.root, &run.begin.root) else { return true };
        own == root
    }

    fn newest_first(&self) -> Result<impl Iterator<Item = Result<Run, CliError>>, CliError> {
        let runs = self.records.runs().newest_first().map_err(|failure| unreadable(&failure))?;
        let runs = runs.map(|run| run.map_err(|failure| unreadable(&failure)));
        Ok(runs.filter(|run| run.as_ref().map_or(true, |run| self.is_of_root(run))))
    }
}

/// Whether a run changed a state that was not brought back, or was interrupted while it did. A command cannot be undone.
fn has_changes(run: &Run, undone: &UndoneChanges) -> bool {
    let is_change = |action: &Action| {
        let is_state = matches!(&*action.begin.action, "create" | "update" | "remove");
        is_state && action.end.as_ref().is_none_or(|end| end.verdict == "changed")
    };
    let is_left = |action: &&Action| !undone.contains(run.begin.run, &action.begin);
    run.actions.iter().filter(is_left).any(is_change)
}

/// The number of a run, on the command line.
pub(crate) fn run_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write the number of a run; `uphold history` lists them".to_owned())
}

/// `run 812 (apply by ann, 17:02:11)`.
pub(crate) fn run_words(run: &Run) -> String {
    let now = Now::new(LocalHost::new().now(), TimeZone::system());
    let begin = &run.begin;
    let (user, time) = (&begin.who.user, now.clock(system_time(begin.time)));
    let state = if run.state == RunState::Interrupted { ", interrupted" } else { "" };
    format!("run {} ({} by {user}, {time}{state})", begin.run, begin.mode)
}
