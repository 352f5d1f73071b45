//! The lines of the current run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use uphold_model::Mutex;

use super::file_name::{RunFile, files};
use super::last_sum;
use super::record::{ActionEnd, ActionsEnd, NewAction, RunBegin, RunEnd, RunLine, Who, numbered};
use crate::failure::{Attempt, Failure, Result};
use crate::format::FORMAT;
use crate::line::{json, seal_chained};
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
    /// Ended actions that are not written yet: the caller of [`RunWriter::end_action`] may hold up a whole run.
    ended: Mutex<Vec<ActionEnd>>,
    /// The number of the run; 0 without a file. Visits ask for it while another one writes.
    run: AtomicU64,
    /// The time of the last write.
    last_write: AtomicI64,
}

/// The end of actions. It is JSON already, so that little is done under the lock.
struct EndLine {
    ended: ActionsEnd,
    json: String,
}

struct State {
    begin: RunBegin,
    /// The name of the file.
    name: String,
    file: Option<Box<dyn AppendFile>>,
    audit: Option<Box<dyn Write + Send>>,
    sum: String,
    /// Lines that are not written yet.
    lines: String,
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
            name: String::new(),
            file: None,
            audit,
            sum: String::new(),
            lines: String::new(),
            length: 0,
            actions: 0,
            in_progress: BTreeSet::new(),
            counts: BTreeMap::new(),
            failure: None,
        };
        let (ended, run, last_write) = Default::default();
        let writer = Self { storage, state: Mutex::new(state), ended, run, last_write };
        let mut state = writer.state();
        writer.open(&mut state);
        writer.write(&mut state, time);
        drop(state);
        writer
    }

    /// The number of the run. None if it has no file.
    pub fn run(&self) -> Option<u64> {
        Some(self.run.load(Ordering::Relaxed)).filter(|run| *run > 0)
    }

    /// The first failure to write.
    pub fn failure(&self) -> Option<Failure> {
        self.state().failure.clone()
    }

    /// Writes the line before the first effect of an action. Returns the number of the action.
    pub fn begin_action(&self, new: &NewAction) -> u64 {
        let time = new.time;
        let n = self.note_action(new);
        self.write_noted(time);
        n
    }

    /// The same without writing: [`RunWriter::write_noted`] has to be called before the first effect.
    pub fn note_action(&self, new: &NewAction) -> u64 {
        let time = new.time;
        let json = new.json();
        let ended = self.take_ended();
        let mut state = self.state();
        state.end_actions(ended);
        self.rotate(&mut state, time);
        state.actions += 1;
        let n = state.actions;
        state.in_progress.insert(n);
        state.add_json(&numbered(&json, &n.to_string()));
        n
    }

    /// Writes the lines of all noted actions by one call.
    pub fn write_noted(&self, now: Time) {
        let mut state = self.state();
        if !state.lines.is_empty() {
            self.write(&mut state, now);
        }
    }

    /// Notes the end of an action. Its line is written by [`RunWriter::flush`], or with the next action: a crash before that
    /// leaves an action without an end, which is then compared with the machine.
    pub fn end_action(&self, end: ActionEnd) {
        self.ended.lock().push(end);
    }

    /// Whether lines of ended actions are not written yet.
    pub fn has_ended(&self) -> bool {
        !self.ended.lock().is_empty()
    }

    /// Writes the lines of ended actions, unless a line was written less than `delay` ago.
    pub fn flush(&self, now: Time, delay: Duration) {
        let since = now.0.saturating_sub(self.last_write.load(Ordering::Relaxed));
        if u128::from(since.unsigned_abs()) < delay.as_millis() {
            return;
        }
        let ended = self.take_ended();
        if !ended.is_empty() {
            let mut state = self.state();
            state.end_actions(ended);
            self.write(&mut state, now);
        }
    }

    fn take_ended(&self) -> Vec<EndLine> {
        let ended = std::mem::take(&mut *self.ended.lock());
        let line = |ended: ActionsEnd| EndLine { json: ended.json(), ended };
        ActionsEnd::of(ended).into_iter().map(line).collect()
    }

    /// Writes the last line, and syncs if there was an action. Nothing may follow. Returns the first failure to write.
    pub fn end(&self, end: RunEnd) -> Option<Failure> {
        let ended = self.take_ended();
        let mut state = self.state();
        state.end_actions(ended);
        state.end(end);
        self.run.store(state.run(), Ordering::Relaxed);
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
        state.add(&RunLine::Begin(begin));
    }

    fn write(&self, state: &mut State, now: Time) {
        state.write();
        self.last_write.store(now.0, Ordering::Relaxed);
        self.run.store(state.run(), Ordering::Relaxed);
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
                let result = result.attempt("create", &name);
                state.name = name;
                return result;
            }
        }
    }
}

impl State {
    /// The number of the run; 0 without a file.
    fn run(&self) -> u64 {
        self.file.as_ref().map_or(0, |_| self.begin.run)
    }

    fn end_actions(&mut self, ended: Vec<EndLine>) {
        for EndLine { ended, json } in ended {
            let mut count = 0;
            for n in ended.numbers() {
                self.in_progress.remove(&n);
                count += 1;
            }
            *self.counts.entry(ended.end.verdict.into_owned()).or_default() += count;
            self.add_json(&[&json]);
        }
    }

    /// Adds the line of a record to those that the next write appends.
    fn add(&mut self, record: &RunLine) {
        match json(record).attempt("encode", &self.name) {
            Ok(json) => self.add_json(&[&json]),
            Err(failure) => self.fail(failure),
        }
    }

    /// The same for JSON in parts.
    fn add_json(&mut self, json: &[&str]) {
        self.lines.extend(json.iter().copied().chain(["\n"]));
    }

    /// Writes all lines by one call, with one sum.
    fn write(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let mut lines = std::mem::take(&mut self.lines);
        seal_chained(&mut lines, &mut self.sum);
        if let Some(audit) = &mut self.audit
            && let Err(error) = audit.write_all(lines.as_bytes())
        {
            self.audit = None;
            self.failure.get_or_insert(Failure::new("append to", "the audit log", error));
        }
        if let Some(file) = &self.file {
            match file.append(lines.as_bytes()).attempt("append to", &self.name) {
                Ok(()) => self.length += lines.len() as u64,
                Err(failure) => self.fail(failure),
            }
        }
        self.lines = lines;
        self.lines.clear();
    }

    fn end(&mut self, end: RunEnd) {
        self.add(&RunLine::End(end));
        self.write();
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
