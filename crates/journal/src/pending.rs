//! Notifications that are due: written before the change that causes them, so that no interruption loses one.

mod record;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, MutexGuard, PoisonError};

use record::{Dues, PendingLine, replay};
use uphold_model::Mutex;

use super::failure::{Attempt, Failure, Result};
use super::line::{Chain, Damage, repair, scan, seal};
use super::resource_key::ResourceKey;
use super::storage::{AppendFile, Creation, Durability, Part, Storage, read_if_present};
use super::time::Time;

pub use record::{DueNotification, NewNotification, PendingView};

// The notifications of a run: what is due, taken up and delivered.

/// A file with more than this is rewritten with the notifications that are due.
const MOST_BYTES: u64 = 64 << 10;

/// The notifications of a run. Threads may share it.
///
/// # Guarantees
/// - After [`Pending::wait`], a notification is due until [`Pending::delivered`], whatever happens to the process or the
///   power: at least one delivery follows the change.
/// - A due notification covers further notifiers until its delivery is taken up, without another sync.
/// - If the file cannot be written, notifications are kept in memory, and [`Pending::failure`] has the reason.
pub struct Pending {
    storage: Arc<dyn Storage>,
    name: String,
    state: Mutex<State>,
    sync: GroupSync,
}

struct State {
    file: Option<Arc<dyn AppendFile>>,
    dues: Dues,
    last: u64,
    /// The due number of each target and verb that covers further notifiers.
    open: BTreeMap<(ResourceKey, String), u64>,
    /// The changes in progress that a due number covers.
    in_progress: BTreeMap<u64, usize>,
    failure: Option<Failure>,
}

/// The claim of one change on a due notification, from before its first effect until it ended.
#[derive(Debug)]
#[must_use = "the notification is delivered again in the next run unless the change is settled"]
pub struct Ticket(u64);

/// The due notifications that one run of a handler delivers.
#[derive(Debug)]
#[must_use = "report whether it was delivered"]
pub struct Delivery(Vec<u64>);

impl Pending {
    /// Reads the file and repairs it. Only the holder of the lock may do this.
    pub(crate) fn open(storage: Arc<dyn Storage>, name: &str, now: Time) -> Result<(Self, Option<Damage>)> {
        let content = read_if_present(&*storage, name, Part::All).attempt("read", name)?;
        let scanned = scan(&content, Chain::None);
        let (dues, last) = replay(&scanned);
        let (damage, failure) = match repair(&*storage, name, &content, &scanned, now) {
            Ok(damage) => (damage, None),
            Err(failure) => (None, Some(failure)),
        };
        let mut open = BTreeMap::new();
        for due in dues.values() {
            open.insert((due.target.clone(), due.verb.clone()), due.n);
        }
        let state = State { file: None, dues, last, open, in_progress: BTreeMap::new(), failure };
        let sync = GroupSync::starting_at(last);
        Ok((Self { storage, name: name.to_owned(), state: Mutex::new(state), sync }, damage))
    }

    /// The notifications that are due, oldest first.
    pub fn due(&self) -> Vec<DueNotification> {
        self.state().dues.values().cloned().collect()
    }

    /// Writes a notification before the change that causes it. Call [`Pending::wait`] before the first effect of the change,
    /// and [`Pending::settle`] when the change has ended, in whatever way.
    pub fn notify(&self, new: NewNotification) -> Ticket {
        let mut state = self.state();
        let key = (new.target.clone(), new.verb.clone());
        let number = match state.open.get(&key).copied() {
            Some(number) => {
                self.add_notifier(&mut state, number, &new.notifier);
                number
            }
            None => {
                state.last += 1;
                let number = state.last;
                let due = DueNotification::new(number, new);
                state.dues.insert(number, due.clone());
                state.open.insert(key, number);
                self.append(&mut state, &PendingLine::Due(Box::new(due)));
                self.sync.wrote(number);
                number
            }
        };
        *state.in_progress.entry(number).or_default() += 1;
        Ticket(number)
    }

    fn add_notifier(&self, state: &mut State, number: u64, notifier: &str) {
        let Some(due) = state.dues.get_mut(&number) else { return };
        if due.add(notifier) {
            let more = due.more;
            self.append(state, &PendingLine::Also { n: number, by: notifier.to_owned(), more });
        }
    }

    /// Waits until the notification survives a power loss. Costs nothing if an earlier call waited for it; concurrent callers
    /// share one sync.
    ///
    /// # Errors
    /// If the disk fails; the run goes on, and an interruption would lose the notification.
    pub fn wait(&self, ticket: &Ticket) -> Result<()> {
        let file = {
            let mut state = self.state();
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            self.file(&mut state)?
        };
        let result = self.sync.wait(ticket.0, &file, &self.name);
        if let Err(failure) = &result {
            self.state().failure.get_or_insert_with(|| failure.clone());
        }
        result
    }

    /// Ends the claim of a change.
    #[expect(clippy::needless_pass_by_value, reason = "a ticket is used once")]
    pub fn settle(&self, ticket: Ticket) {
        let mut state = self.state();
        if let Some(count) = state.in_progress.get_mut(&ticket.0) {
            *count -= 1;
            if *count == 0 {
                state.in_progress.remove(&ticket.0);
            }
        }
    }

    /// Takes up the delivery of all that is due for a target and verb: notifiers from now on need another one.
    ///
    /// A notification that covers a change in progress stays due, because the change may follow this delivery.
    pub fn take_up(&self, target: &ResourceKey, verb: &str) -> Delivery {
        let mut state = self.state();
        let is_due = |due: &&DueNotification| due.target == *target && due.verb == verb;
        let numbers = state.dues.values().filter(is_due).map(|due| due.n);
        let taken: Vec<u64> = numbers.filter(|number| !state.in_progress.contains_key(number)).collect();
        let key = (target.clone(), verb.to_owned());
        if state.open.get(&key).is_some_and(|open| taken.contains(open)) {
            state.open.remove(&key);
        }
        Delivery(taken)
    }

    /// Records a delivery. It is not synced: losing the record delivers once more.
    pub fn delivered(&self, delivery: Delivery, run: Option<u64>) {
        let Delivery(numbers) = delivery;
        self.remove(&PendingLine::Done { n: numbers.clone(), run }, &numbers);
    }

    /// Records a failed delivery: the notifications stay due, and cover further notifiers again.
    pub fn delivery_failed(&self, delivery: Delivery, error: &str) {
        if delivery.0.is_empty() {
            return;
        }
        let mut state = self.state();
        for number in &delivery.0 {
            let Some(due) = state.dues.get_mut(number) else { continue };
            due.error = Some(error.to_owned());
            let key = (due.target.clone(), due.verb.clone());
            state.open.entry(key).or_insert(*number);
        }
        self.append(&mut state, &PendingLine::Failed { n: delivery.0, error: error.to_owned() });
    }

    /// Drops a notification by its number, on request of a user.
    pub fn drop_due(&self, number: u64, user: &str) {
        self.remove(&PendingLine::Drop { n: vec![number], user: user.to_owned() }, &[number]);
    }

    fn remove(&self, line: &PendingLine, numbers: &[u64]) {
        let mut state = self.state();
        let before = state.dues.len();
        state.dues.retain(|number, _| !numbers.contains(number));
        state.open.retain(|_, number| !numbers.contains(number));
        if state.dues.len() < before {
            self.append(&mut state, line);
        }
    }

    /// Empties the file if nothing is due, and rewrites a long one. Call it at the end of a run, and in a watch when it is
    /// idle.
    pub fn compact(&self) {
        let mut state = self.state();
        if let Err(failure) = self.try_compact(&mut state) {
            state.failure.get_or_insert(failure);
        }
    }

    fn try_compact(&self, state: &mut State) -> Result<()> {
        let name = &self.name;
        let content = read_if_present(&*self.storage, name, Part::Start(1)).attempt("read", name)?;
        if content.is_empty() {
            return Ok(());
        }
        let file = self.file(state)?;
        if state.dues.is_empty() {
            return file.cut(0).attempt("empty", name);
        }
        if file.length().attempt("read", name)? <= MOST_BYTES {
            return Ok(());
        }
        let lines = state.dues.values().map(|due| seal(&PendingLine::Due(Box::new(due.clone()))));
        let lines: std::io::Result<String> = lines.collect();
        let content = lines.attempt("encode", name)?;
        self.storage.replace(name, content.as_bytes(), Durability::Synced).attempt("replace", name)?;
        state.file = None;
        Ok(())
    }

    /// The first failure to write. Notifications are in memory since then.
    pub fn failure(&self) -> Option<Failure> {
        self.state().failure.clone()
    }

    fn append(&self, state: &mut State, line: &PendingLine) {
        if let Err(failure) = self.try_append(state, line) {
            state.failure.get_or_insert(failure);
        }
    }

    fn try_append(&self, state: &mut State, line: &PendingLine) -> Result<()> {
        let file = self.file(state)?;
        let line = seal(line).attempt("encode", &self.name)?;
        file.append(line.as_bytes()).attempt("append to", &self.name)
    }

    fn file(&self, state: &mut State) -> Result<Arc<dyn AppendFile>> {
        if let Some(file) = &state.file {
            return Ok(Arc::clone(file));
        }
        let opened = self.storage.append_to(&self.name, Creation::IfMissing).attempt("open", &self.name)?;
        Ok(Arc::clone(state.file.insert(Arc::from(opened))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

// Group commit: callers that wait for the disk at the same time share one sync.

#[derive(Debug, Default)]
struct Progress {
    /// The largest number whose line is written.
    written: u64,
    /// The largest number that survives a power loss.
    synced: u64,
    is_syncing: bool,
    /// Up to this number a sync failed. The kernel reports a failed write only once, so a second sync would prove nothing.
    failed: Option<(u64, Failure)>,
}

/// The numbers that are written and synced.
#[derive(Debug, Default)]
struct GroupSync {
    progress: Mutex<Progress>,
    changed: Condvar,
}

impl GroupSync {
    /// Everything up to `number` is written by earlier runs. A killed run may not have synced it.
    fn starting_at(number: u64) -> Self {
        let progress = Progress { written: number, ..Progress::default() };
        Self { progress: Mutex::new(progress), changed: Condvar::new() }
    }

    fn wrote(&self, number: u64) {
        let mut progress = self.progress();
        progress.written = progress.written.max(number);
    }

    /// Waits until `number` survives a power loss. One of the waiting threads syncs for all whose lines are written.
    fn wait(&self, number: u64, file: &Arc<dyn AppendFile>, name: &str) -> Result<()> {
        let mut progress = self.progress();
        loop {
            if progress.synced >= number {
                return Ok(());
            }
            if let Some((_, failure)) = progress.failed.as_ref().filter(|(failed, _)| *failed >= number) {
                return Err(failure.clone());
            }
            if progress.is_syncing {
                progress = self.changed.wait(progress).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let covered = progress.written;
            progress.is_syncing = true;
            drop(progress);
            let result = file.sync().attempt("sync", name);
            progress = self.progress();
            progress.is_syncing = false;
            match result {
                Ok(()) => progress.synced = covered,
                Err(failure) => progress.failed = Some((covered, failure)),
            }
            self.changed.notify_all();
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock()
    }
}
