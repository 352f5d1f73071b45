//! The lines of the current run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Arc, MutexGuard};

use uphold_model::Mutex;

use super::chain::last_sum;
use super::file_name::{RunFile, files};
use super::record::{ActionBegin, ActionEnd, NewAction, RunBegin, RunEnd, RunLine, Who};
use crate::failure::{Attempt, Failure, Result};
use crate::format::FORMAT;
use crate::line::{SealedLine, seal};
use crate::process_id::ProcessId;
use crate::storage::{AppendFile, Creation, Storage};
use crate::time::{DAY, Time};

/// A watch begins a new file when the current one is larger.
const MOST_BYTES: u64 = 8 << 20;

/// The description of a run that begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRun {
    /// The mode: `apply`, `watch`, `undo`. A watch continues in a new file each day, or after 8 MiB.
    pub mode: String,
    /// The start.
    pub time: Time,
    /// The user or unit.
    pub who: Who,
    /// The root of the machine.
    pub root: Option<String>,
    /// The paths of the configuration.
    pub paths: Vec<String>,
    /// The digest of the configuration.
    pub digest: String,
    /// The commit of the configuration.
    pub commit: Option<String>,
    /// The names of the params.
    pub params: Vec<String>,
    /// The digest of the saved plan.
    pub plan: Option<String>,
    /// The version of Uphold.
    pub version: String,
    /// The run that this one undoes.
    pub undoes: Option<u64>,
}

/// Writes the lines of a run. Threads may share it.
///
/// Lines are written, not synced; [`RunWriter::end`] syncs once if something was done. After the first failure to write no
/// more lines are written, and [`RunWriter::failure`] has the reason. The audit log gets the same lines.
pub struct RunWriter {
    storage: Arc<dyn Storage>,
    state: Mutex<State>,
}

struct State {
    begin: RunBegin,
    file: Option<Box<dyn AppendFile>>,
    audit: Option<Box<dyn Write + Send>>,
    sum: String,
    length: u64,
    actions: u64,
    in_progress: BTreeSet<u64>,
    counts: BTreeMap<String, u64>,
    failure: Option<Failure>,
}

impl RunWriter {
    /// Allocates a number, and writes the first line. `audit` is a file opened with `O_APPEND`.
    pub(crate) fn begin(
        storage: Arc<dyn Storage>,
        audit: Option<Box<dyn Write + Send>>,
        new: NewRun,
    ) -> Self {
        let NewRun { mode, time, who, root, paths, digest, commit, params, plan, version, undoes } = new;
        let begin = RunBegin {
            run: 0,
            format: FORMAT,
            previous: None,
            mode,
            time,
            process: ProcessId::current(),
            who,
            root,
            paths,
            digest,
            commit,
            params,
            plan,
            version,
            undoes,
            continues: None,
        };
        let state = State {
            begin,
            file: None,
            audit,
            sum: String::new(),
            length: 0,
            actions: 0,
            in_progress: BTreeSet::new(),
            counts: BTreeMap::new(),
            failure: None,
        };
        let writer = Self { storage, state: Mutex::new(state) };
        writer.open(&mut writer.state());
        writer
    }

    /// The number of the run. None if it has no file.
    pub fn run(&self) -> Option<u64> {
        let state = self.state();
        state.file.as_ref().map(|_| state.begin.run)
    }

    /// The first failure to write.
    pub fn failure(&self) -> Option<Failure> {
        self.state().failure.clone()
    }

    /// Writes the line before the first effect of an action. Returns the number of the action.
    pub fn begin_action(&self, new: NewAction) -> u64 {
        let mut state = self.state();
        self.rotate(&mut state, new.time);
        state.actions += 1;
        let n = state.actions;
        state.in_progress.insert(n);
        state.write(&RunLine::Action(ActionBegin::new(n, new)));
        n
    }

    /// Writes the line after an action.
    pub fn end_action(&self, end: ActionEnd) {
        let mut state = self.state();
        state.in_progress.remove(&end.n);
        *state.counts.entry(end.verdict.clone()).or_default() += 1;
        state.write(&RunLine::Ended(end.bounded()));
    }

    /// Writes the last line, and syncs if there was an action. Nothing may follow. Returns the first failure to write.
    pub fn end(&self, end: RunEnd) -> Option<Failure> {
        let mut state = self.state();
        state.end(end);
        state.failure.clone()
    }

    /// Begins a new file for a watch, if it is time and no action is in progress.
    fn rotate(&self, state: &mut State, now: Time) {
        let is_due = state.length > MOST_BYTES || now.0.saturating_sub(state.begin.time.0) >= DAY;
        if !is_due || state.begin.mode != "watch" || !state.in_progress.is_empty() || state.file.is_none() {
            return;
        }
        let counts = std::mem::take(&mut state.counts);
        state.end(RunEnd { time: now, counts, continued: true, ..RunEnd::default() });
        state.begin.continues = Some(state.begin.run);
        state.begin.time = now;
        (state.actions, state.length) = (0, 0);
        self.open(state);
    }

    fn open(&self, state: &mut State) {
        match allocate(&*self.storage, state) {
            Ok(file) => state.file = Some(file),
            Err(failure) => state.fail(failure),
        }
        let begin = state.begin.clone();
        state.sum.clear();
        state.write(&RunLine::Begin(begin));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// Creates the file of the next run. Two runs without a lock get different numbers, because only one can create a file.
fn allocate(storage: &dyn Storage, state: &mut State) -> Result<Box<dyn AppendFile>> {
    let existing = files(storage)?;
    let last = existing.last_key_value().map_or(0, |(run, _)| *run);
    state.begin.previous = last_sum(storage, &existing);
    let mut run = last + 1;
    loop {
        let name = RunFile::plain(run).name();
        match storage.append_to(&name, Creation::New) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => run += 1,
            result => {
                state.begin.run = run;
                return result.attempt("create", &name);
            }
        }
    }
}

impl State {
    fn write(&mut self, line: &RunLine) {
        let name = RunFile::plain(self.begin.run).name();
        match seal(line, &self.sum).attempt("encode", &name) {
            Ok(line) => self.append(line, &name),
            Err(failure) => self.fail(failure),
        }
    }

    fn append(&mut self, line: SealedLine, name: &str) {
        let bytes = line.text.as_bytes();
        if let Some(audit) = &mut self.audit
            && let Err(error) = audit.write_all(bytes)
        {
            self.audit = None;
            self.failure.get_or_insert(Failure::new("append to", "the audit log", error));
        }
        if let Some(file) = &self.file {
            match file.append(bytes).attempt("append to", name) {
                Ok(()) => self.length += bytes.len() as u64,
                Err(failure) => self.fail(failure),
            }
        }
        self.sum = line.sum;
    }

    fn end(&mut self, end: RunEnd) {
        self.write(&RunLine::End(end));
        if self.actions == 0 {
            return;
        }
        let synced = self.file.as_ref().map(|file| file.sync().attempt("sync", "runs"));
        if let Some(Err(failure)) = synced {
            self.fail(failure);
        }
    }

    /// A later line would break the chain: the file gets no more lines.
    fn fail(&mut self, failure: Failure) {
        self.file = None;
        self.failure.get_or_insert(failure);
    }
}
