//! What is kept of one action on one resource: about two hundred bytes, however long it is watched.

use std::sync::Arc;
use std::time::Duration;

use uphold_engine::ChangeKind;
use uphold_model::{Action, Name, ResourceId};

use crate::reason::Reason;
use crate::snapshot::{Blind, LastChange, Next, ResourceStatus, State, Visit};
use crate::stamp::Stamp;

/// Where the next entry of the same resource is; no entry has this number.
pub(crate) const NONE: u32 = u32::MAX;

/// One action on one resource.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) resource: ResourceId,
    pub(crate) action: Action,
    /// The next entry of the same resource.
    pub(crate) sibling: u32,
    pub(crate) state: State,
    pub(crate) since: Stamp,
    pub(crate) busy: Option<Stamp>,
    pub(crate) next: Option<Box<Next>>,
    pub(crate) blind: Option<Arc<Blind>>,
    pub(crate) change: Option<Box<Changed>>,
    /// When, how long and why it was visited; tells something once it was.
    pub(crate) visited: Stamp,
    pub(crate) took: Duration,
    pub(crate) reason: Reason,
    pub(crate) visits: u32,
    pub(crate) changes: u32,
    pub(crate) drifted: u32,
    pub(crate) repaired: u32,
    pub(crate) failures: u32,
    /// Whether the program does it of itself, and not only when it is asked to.
    pub(crate) written: bool,
    /// Whether it was as declared at some time, so that a difference is drift.
    pub(crate) was_held: bool,
}

/// The last change.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) at: Stamp,
    pub(crate) kind: ChangeKind,
    pub(crate) properties: Arc<[Name]>,
    pub(crate) reason: Reason,
}

impl Entry {
    /// One that was not visited yet.
    pub(crate) fn new(resource: ResourceId, action: Action, now: Stamp) -> Self {
        Self {
            resource,
            action,
            sibling: NONE,
            state: State::Waiting,
            since: now,
            busy: None,
            next: None,
            blind: None,
            change: None,
            visited: now,
            took: Duration::ZERO,
            reason: Reason::Written,
            visits: 0,
            changes: 0,
            drifted: 0,
            repaired: 0,
            failures: 0,
            written: false,
            was_held: false,
        }
    }

    /// Whether it is not as it should be, or cannot be watched.
    pub(crate) fn is_trouble(&self) -> bool {
        self.state.is_trouble() || self.blind.is_some()
    }

    /// Whether something is still to be done with it.
    pub(crate) fn is_pending(&self) -> bool {
        self.busy.is_some() || self.next.is_some() || matches!(self.state, State::Waiting)
    }

    /// Leaves it in this state. Time passes since the state became another one, not since it was told again.
    pub(crate) fn enter(&mut self, state: State, now: Stamp) {
        if self.state.word() != state.word() {
            self.since = now;
        }
        self.was_held |= matches!(state, State::Held);
        self.state = state;
    }

    /// As a reader gets it.
    pub(crate) fn status(&self) -> ResourceStatus {
        let visit = || Visit { at: self.visited.into(), took: self.took, why: (&self.reason).into() };
        ResourceStatus {
            resource: self.resource.clone(),
            action: self.action.clone(),
            state: self.state.clone(),
            since: self.since.into(),
            busy: self.busy.map(Into::into),
            next: self.next.as_deref().cloned(),
            blind: self.blind.clone(),
            last_change: self.change.as_deref().map(Changed::told),
            last_visit: (self.visits > 0).then(visit),
            visits: self.visits,
            changes: self.changes,
            drifted: self.drifted,
            repaired: self.repaired,
            failures: self.failures,
        }
    }
}

impl Changed {
    fn told(&self) -> LastChange {
        let Self { at, kind, properties, reason } = self;
        LastChange { at: (*at).into(), kind: *kind, properties: properties.clone(), why: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The watch may take 1 KiB a file, of which this is a part; names and ids are shared with the program.
    #[test]
    fn an_entry_is_small() {
        assert!(size_of::<Entry>() <= 200, "{}", size_of::<Entry>());
        assert!(size_of::<Changed>() <= 64, "{}", size_of::<Changed>());
    }
}
