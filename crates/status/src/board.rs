//! The board: what a running watch knows, shared by those who write and those who read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use uphold_engine::{Event, Program};
use uphold_model::ResourceId;
use uphold_wire::status::{Overview, ResourceStatus, Snapshot};

use crate::entry::Entry;
use crate::ledger::Ledger;

/// Holds what the engine's events amount to. Clones are the same board.
///
/// # Guarantees
/// - Memory is bounded by the program that is held: some hundred bytes an action, twice that once it was changed, and nothing grows with time.
/// - It knows names of properties and messages of failures, never values: no secret is on it.
/// - To note an event costs the same however much is held; only a [`Board::snapshot`] or a filtered [`Board::page`]
///   makes it wait, for as long as they copy.
#[derive(Clone, Debug)]
pub struct Board(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    ledger: Mutex<Ledger>,
    version: AtomicU64,
}

impl Board {
    /// Of a watch that begins now.
    pub fn new(began: SystemTime) -> Self {
        Self(Arc::new(Shared { ledger: Mutex::new(Ledger::new(began)), version: AtomicU64::new(0) }))
    }

    /// Says which actions there are from now on: before the watch begins, and with each
    /// [`Swapped`](uphold_engine::EventKind::Swapped), from where events are noted. What is known of actions that stay
    /// is kept; others are forgotten. Costs as much as there are actions.
    pub fn hold(&self, program: &Program) {
        let (set, list) = (program.set(), program.list());
        let action = |at| {
            let entry = list.get(at);
            (set.entry(entry.resource).declaration.id.clone(), entry.action().clone())
        };
        let actions = (0..list.len()).map(action);
        self.write(|ledger| {
            let now = ledger.now.into();
            ledger.roll.hold(actions, |resource| set.find(resource).is_some(), now);
        });
    }

    /// Takes in what happened.
    pub fn note(&self, event: &Event, now: SystemTime) {
        self.write(|ledger| ledger.note(event, now));
    }

    /// A changed configuration was not taken up, for this reason; the one before goes on.
    pub fn reload_refused(&self, message: &str, now: SystemTime) {
        self.write(|ledger| ledger.refuse(message, now));
    }

    /// The configuration was read again and is sound, though nothing in it differs: what was refused is mended.
    /// A [`Swapped`](uphold_engine::EventKind::Swapped) says so, too.
    pub fn reload_accepted(&self) {
        self.write(Ledger::accept);
    }

    /// Grows whenever something else is known: who draws needs to draw again only then.
    pub fn version(&self) -> u64 {
        self.0.version.load(Ordering::Acquire)
    }

    /// The whole in short, with so many troubles at most. The cost does not grow with the number of resources.
    pub fn overview(&self, troubles: usize) -> Overview {
        self.read().overview(troubles)
    }

    /// So many actions from there on, of those whose address contains this text, whatever its case. Without a text
    /// it costs as much as it shows, else a look at each action.
    pub fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        let ledger = self.read();
        let all = ledger.roll.all();
        if containing.is_empty() {
            let shown = all.iter().skip(skip).take(take);
            return Page { resources: shown.map(Entry::status).collect(), of: all.len() };
        }
        let wanted = containing.to_lowercase();
        let fits = |entry: &&Entry| entry.resource.to_string().to_lowercase().contains(&wanted);
        let fitting: Vec<&Entry> = all.iter().filter(fits).collect();
        let shown = fitting.iter().skip(skip).take(take);
        Page { resources: shown.map(|entry| entry.status()).collect(), of: fitting.len() }
    }

    /// The actions of one resource; none if it is not held.
    pub fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.read().roll.details(resource)
    }

    /// Everything.
    pub fn snapshot(&self) -> Snapshot {
        let ledger = self.read();
        let resources = ledger.roll.all().iter().map(Entry::status).collect();
        Snapshot { overview: ledger.overview(usize::MAX), resources }
    }

    /// What metrics are made of.
    pub(crate) fn read(&self) -> MutexGuard<'_, Ledger> {
        self.0.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, change: impl FnOnce(&mut Ledger)) {
        change(&mut self.read());
        self.0.version.fetch_add(1, Ordering::Release);
    }
}

/// A part of the list of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The part, in written order.
    pub resources: Vec<ResourceStatus>,
    /// How many there are, before and after this part included.
    pub of: usize,
}
