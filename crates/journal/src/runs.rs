//! The runs: what each run did, why, and what was there before.

mod bounds;
mod difference;
mod file_name;
mod record;
mod recovery;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use file_name::{RunFile, files};
use record::RunLine;

use super::failure::Result;
use super::line::{CHAIN_START, Chain, Damage, Scan, VerifiedLine, damage, scan};
use super::process_id::Liveness;
use super::storage::Storage;
use super::time::Time;

pub use bounds::RunBounds;
pub use difference::{Difference, Side};
pub use record::{ActionBegin, ActionEnd, Content, NewAction, Previous, RunBegin, RunEnd, Who};
pub use recovery::{After, EditedFile, Recovery};
pub use writer::{NewRun, RunWriter};

pub(crate) use bounds::prune;
pub(crate) use file_name::{FOLDER, compressed};

// Reading runs, newest first.

/// Whether a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It wrote its last line.
    Ended,
    /// Its process runs.
    Running,
    /// Its process ended without a last line.
    Interrupted,
}

/// An action, and its end if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The line before its first effect.
    pub begin: ActionBegin,
    /// The line after it. None if it is in progress, or was interrupted.
    pub end: Option<ActionEnd>,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its first line.
    pub begin: RunBegin,
    /// Its actions, in order.
    pub actions: Vec<Action>,
    /// Its last line.
    pub end: Option<RunEnd>,
    /// Whether it ended.
    pub state: RunState,
    /// Lines that do not verify.
    pub damage: Option<Damage>,
}

/// Selects runs and their actions.
#[derive(Clone, Debug, Default)]
pub struct ActionFilter {
    /// Only actions on the resource with this address or identity, or on a part of the file with this path.
    pub resource: Option<String>,
    /// Kinds and identities of the resources that have this address now: they may have had another one.
    pub renamed: Vec<(String, String)>,
    /// Only actions that began at this time or later.
    pub since: Option<Time>,
}

impl ActionFilter {
    /// Whether it selects this action.
    pub fn matches(&self, action: &Action) -> bool {
        let ActionBegin { address, key, time, recovery, .. } = &action.begin;
        let edited = recovery.as_ref().and_then(|recovery| recovery.file.as_ref()).map(|file| &file.path);
        let is_renamed = || self.renamed.iter().any(|(kind, id)| (kind, id) == (&key.kind, &key.identity));
        let is_resource = self.resource.as_ref().is_none_or(|name| {
            name == address || *name == key.identity || Some(name) == edited || is_renamed()
        });
        is_resource && self.since.is_none_or(|since| *time >= since)
    }
}

impl Run {
    /// The time of the last line that has one.
    fn last_time(&self) -> Time {
        let actions = self.actions.iter().map(|action| action.begin.time).max();
        let last = self.end.as_ref().map(|end| end.time).or(actions);
        last.unwrap_or(self.begin.time).max(self.begin.time)
    }

    /// The address of the action during which the run was interrupted.
    pub fn interrupted_during(&self) -> Option<&str> {
        let open = self.actions.iter().find(|action| action.end.is_none())?;
        (self.state == RunState::Interrupted).then_some(&open.begin.address)
    }
}

/// The runs of a journal.
#[derive(Clone)]
pub struct Runs {
    pub(crate) storage: Arc<dyn Storage>,
}

impl Runs {
    /// All runs, newest first. Each is read when the iterator reaches it; files without a first line are left out.
    ///
    /// # Errors
    /// If the runs cannot be listed; a run that cannot be read is an error of its own.
    pub fn newest_first(&self) -> Result<impl Iterator<Item = Result<Run>> + use<>> {
        let files = files(&*self.storage)?;
        let newest = files.last_key_value().map(|(run, _)| *run);
        let storage = Arc::clone(&self.storage);
        Ok(files.into_values().rev().filter_map(move |file| read(&*storage, &file, newest).transpose()))
    }

    /// One run. None if there is none of this number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn get(&self, run: u64) -> Result<Option<Run>> {
        let files = files(&*self.storage)?;
        let newest = files.last_key_value().map(|(run, _)| *run);
        files.get(&run).map_or(Ok(None), |file| read(&*self.storage, file, newest))
    }

    /// The runs that the filter selects, newest first, with the selected actions only. A run without actions is selected by
    /// its time.
    ///
    /// # Errors
    /// If the runs cannot be listed; a run that cannot be read is an error of its own.
    pub fn filtered(&self, filter: ActionFilter) -> Result<impl Iterator<Item = Result<Run>> + use<>> {
        let since = filter.since.unwrap_or(Time(i64::MIN));
        let recent = move |run: &Result<Run>| run.as_ref().map_or(true, |run| run.last_time() >= since);
        let of_all = filter.resource.is_none();
        let select = move |mut run: Run| {
            run.actions.retain(|action| filter.matches(action));
            run
        };
        let selected = self.newest_first()?.take_while(recent).map(move |run| run.map(&select));
        Ok(selected.filter(move |run| run.as_ref().map_or(true, |run| of_all || !run.actions.is_empty())))
    }

    /// Recomputes all sums. Returns the first line that does not continue the chain.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn verify(&self) -> Result<Option<BrokenChain>> {
        verify(&*self.storage)
    }
}

/// Reads a run; `None` if its first line is missing.
fn read(storage: &dyn Storage, file: &RunFile, newest: Option<u64>) -> Result<Option<Run>> {
    let content = file.read(storage)?;
    let scan = scan(&content, Chain::Linked);
    let (mut first, mut last, mut actions) = (None, None, Vec::<Action>::new());
    for line in scan.lines.iter().filter_map(VerifiedLine::record) {
        match line {
            RunLine::Begin(begin) => first = Some(begin),
            RunLine::End(end) => last = Some(end),
            RunLine::Action(begin) => actions.push(Action { begin, end: None }),
            RunLine::Ended(line) => {
                for n in line.numbers() {
                    if let Ok(at) = actions.binary_search_by_key(&n, |action| action.begin.n) {
                        let end = ActionEnd { n, ..line.end.clone() };
                        actions[at].end = Some(end.after(&actions[at].begin));
                    }
                }
            }
        }
    }
    let Some(begin) = first else { return Ok(None) };
    let state = if last.is_some() { RunState::Ended } else { state(&begin, newest) };
    Ok(Some(Run { begin, actions, end: last, state, damage: damage(&file.name(), &scan) }))
}

/// The state of a run without a last line. A process in another container cannot be seen; only its newest run can be running.
fn state(begin: &RunBegin, newest: Option<u64>) -> RunState {
    match begin.process.liveness() {
        Liveness::Running => RunState::Running,
        Liveness::Elsewhere if newest == Some(begin.run) => RunState::Running,
        Liveness::Elsewhere | Liveness::Gone => RunState::Interrupted,
    }
}

// The chain of sums over all run files, which finds edits and removed lines.

/// The first line that does not continue the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    /// The file.
    pub file: String,
    /// The number of the line, from 1. Line 1 of a run file breaks the chain if the previous run was changed or removed.
    pub line: usize,
}

impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of `{}` does not continue the line before", self.line, self.file)
    }
}

/// Recomputes all sums, oldest run first. The chain begins at the oldest run that is left.
fn verify(storage: &dyn Storage) -> Result<Option<BrokenChain>> {
    let mut previous: Option<String> = None;
    for file in files(storage)?.values() {
        let content = file.read(storage)?;
        let scan = scan(&content, Chain::Linked);
        if let Some(line) = first_break(&scan, &mut previous) {
            return Ok(Some(BrokenChain { file: file.name(), line }));
        }
    }
    Ok(None)
}

/// Recomputes the sums of an audit log, which contains the lines of many runs. A log that was rotated begins anywhere with
/// the first line of a run.
pub fn verify_audit_log(content: &[u8], name: &str) -> Option<BrokenChain> {
    let scan = scan(content, Chain::Linked);
    first_break(&scan, &mut None).map(|line| BrokenChain { file: name.to_owned(), line })
}

/// The first line that does not verify, or whose link is another than `previous`, which becomes the last sum.
fn first_break(scan: &Scan<'_>, previous: &mut Option<String>) -> Option<usize> {
    let (first_bad, mut found) = (scan.broken.map(|(line, _)| line), None);
    for (number, line) in (1..).zip(&scan.lines) {
        let link = begin(line).and_then(|begin| begin.previous);
        if link.is_some() && previous.is_some() && link != *previous {
            found = Some(number);
            break;
        }
        *previous = Some(line.sum.to_owned());
    }
    match (first_bad, found) {
        (Some(bad), Some(found)) => Some(bad.min(found)),
        (one, other) => one.or(other),
    }
}

/// The first line of a run. Other lines are not parsed.
fn begin(line: &VerifiedLine<'_>) -> Option<RunBegin> {
    let record = line.text.starts_with(CHAIN_START).then(|| line.record())?;
    match record? {
        RunLine::Begin(begin) => Some(begin),
        _ => None,
    }
}

/// The last sum of the newest file that has a line. A line is verified with the sum before it, so that the end of a file is
/// enough, unless its lines are long or damaged.
fn last_sum(storage: &dyn Storage, files: &BTreeMap<u64, RunFile>) -> Option<String> {
    let last = |content: Vec<u8>| scan(&content, Chain::Linked).lines.last().map(|line| line.sum.to_owned());
    files.values().rev().find_map(|file| {
        let of_end = file.read_end(storage).ok().and_then(last);
        of_end.or_else(|| file.read(storage).ok().and_then(last))
    })
}
