//! The status model of a running watch, shared by its writer and its readers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use uphold_engine::{Event, Program};
use uphold_model::ResourceId;
use uphold_wire::status::{Overview, ResourceStatus, Snapshot};

use crate::entry::Entry;
use crate::event_fold::EventFold;

/// The status of a watch, computed from the engine's events. Clones share it.
///
/// # Guarantees
/// - The program bounds its memory: about a hundred bytes for each action, twice that once it was changed.
/// - It has names of properties and messages of failures, never values, so no secret.
/// - Recording an event takes constant time; only [`StatusModel::snapshot`] and a filtered [`StatusModel::page`] block it while they
///   copy.
#[derive(Clone, Debug)]
pub struct StatusModel(Arc<Mutex<EventFold>>);

impl StatusModel {
    /// The status of a watch that starts now.
    pub fn new(began: SystemTime) -> Self {
        Self(Arc::new(Mutex::new(EventFold::new(began))))
    }

    /// Replaces the actions: before the watch starts, and with each [`Swapped`](uphold_engine::EventKind::Swapped). The
    /// status of actions that stay is kept. Linear in the number of actions.
    pub fn hold(&self, program: &Program) {
        let (set, list) = (program.set(), program.list());
        let action = |at| {
            let entry = list.get(at);
            (set.entry(entry.resource).declaration.id.clone(), entry.action().clone())
        };
        let actions = (0..list.len()).map(action);
        let mut fold = self.read();
        let now = fold.now.into();
        fold.index.replace(actions, |resource| set.find(resource).is_some(), now);
    }

    /// Records an event.
    pub fn note(&self, event: &Event, now: SystemTime) {
        self.read().note(event, now);
    }

    /// Records a failed reload; the previous configuration stays in force until a
    /// [`Swapped`](uphold_engine::EventKind::Swapped) replaces it.
    pub fn reload_failed(&self, message: &str, now: SystemTime) {
        self.read().refuse(message, now);
    }

    /// The overview, with at most this many problems. Its cost does not depend on the number of resources.
    pub fn overview(&self, troubles: usize) -> Overview {
        self.read().overview(troubles)
    }

    /// `take` actions after the first `skip`, of those whose address contains this text in any case. A filter scans all
    /// actions.
    pub fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        let fold = self.read();
        let all = fold.index.all();
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

    /// The actions of one resource; none if it is not declared.
    pub fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.read().index.details(resource)
    }

    /// The full status.
    pub fn snapshot(&self) -> Snapshot {
        let fold = self.read();
        let resources = fold.index.all().iter().map(Entry::status).collect();
        Snapshot { overview: fold.overview(usize::MAX), resources }
    }

    pub(crate) fn read(&self) -> MutexGuard<'_, EventFold> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of the list of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The part, in source order.
    pub resources: Vec<ResourceStatus>,
    /// The size of the whole list.
    pub of: usize,
}
