//! What is kept of one action on one resource: 80 bytes, and some more once something was changed or
//! wrong; however long it is watched.

use std::sync::Arc;
use std::time::Duration;

use uphold_engine::ChangeKind;
use uphold_model::{Action, Name, ResourceId};
use uphold_wire::status::{Blind, LastChange, Next, ResourceStatus, State, Visit};

use crate::reason::Reason;
use crate::stamp::Stamp;

/// Where the next entry of the same resource is; no entry has this number.
pub(crate) const NONE: u32 = u32::MAX;

/// One action on one resource.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) resource: ResourceId,
    /// The next entry of the same resource.
    pub(crate) sibling: u32,
    pub(crate) since: Stamp,
    pub(crate) busy: Option<Stamp>,
    /// When, how many nanoseconds and why it was visited; tells something once it was.
    pub(crate) visited: Stamp,
    pub(crate) took: u64,
    pub(crate) reason: Reason,
    pub(crate) visits: u32,
    /// What most have nothing of, so that it lies elsewhere.
    more: Option<Box<More>>,
    /// Whether the program does it of itself, and not only when it is asked to.
    pub(crate) written: bool,
    /// Whether it is as declared, if nothing else is known of its state.
    held: bool,
    /// Whether it was as declared at some time, so that a difference is drift.
    pub(crate) was_held: bool,
}

/// What is only known of what was changed, or is in trouble.
#[derive(Debug, Default)]
pub(crate) struct More {
    /// Any action that is not to converge.
    action: Option<Action>,
    /// Any state that is neither waiting nor held.
    state: Option<State>,
    pub(crate) next: Option<Box<Next>>,
    pub(crate) blind: Option<Arc<Blind>>,
    pub(crate) change: Option<Changed>,
    pub(crate) changes: u32,
    pub(crate) drifted: u32,
    pub(crate) repaired: u32,
    pub(crate) failures: u32,
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
        let more =
            (action != Action::Converge).then(|| Box::new(More { action: Some(action), ..More::default() }));
        Self {
            resource,
            sibling: NONE,
            since: now,
            busy: None,
            visited: now,
            took: 0,
            reason: Reason::Written,
            visits: 0,
            more,
            written: false,
            held: false,
            was_held: false,
        }
    }

    /// What is done with the resource.
    pub(crate) fn action(&self) -> &Action {
        self.more.as_ref().and_then(|more| more.action.as_ref()).unwrap_or(&Action::Converge)
    }

    /// Whether it is not as it should be, or cannot be watched.
    pub(crate) fn is_trouble(&self) -> bool {
        self.state().is_trouble() || self.is_blind()
    }

    /// Whether it cannot be watched.
    pub(crate) fn is_blind(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.blind.is_some())
    }

    /// Whether something is still to be done with it.
    pub(crate) fn is_pending(&self) -> bool {
        let is_put_off = || self.more.as_ref().is_some_and(|more| more.next.is_some());
        self.busy.is_some() || matches!(self.state(), State::Waiting) || is_put_off()
    }

    /// What else is known of it, to add to that. Costs some memory where there was nothing to know.
    pub(crate) fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// The same, if something is known.
    pub(crate) fn known(&mut self) -> Option<&mut More> {
        self.more.as_deref_mut()
    }

    /// Leaves it in this state. Time passes since the state became another one, not since it was told again.
    pub(crate) fn enter(&mut self, state: State, now: Stamp) {
        if self.state().word() != state.word() {
            self.since = now;
        }
        self.held = matches!(state, State::Held);
        self.was_held |= self.held;
        match state {
            State::Waiting | State::Held => self.known().into_iter().for_each(|more| more.state = None),
            other => self.more().state = Some(other),
        }
    }

    /// The state that it was left in.
    pub(crate) fn state(&self) -> &State {
        let other = self.more.as_ref().and_then(|more| more.state.as_ref());
        other.unwrap_or(if self.held { &State::Held } else { &State::Waiting })
    }

    /// As a reader gets it.
    pub(crate) fn status(&self) -> ResourceStatus {
        let took = Duration::from_nanos(self.took);
        let visit = || Visit { at: self.visited.into(), took, why: (&self.reason).into() };
        let more = self.more.as_deref();
        let count = |count: fn(&More) -> u32| more.map_or(0, count);
        ResourceStatus {
            resource: self.resource.clone(),
            action: self.action().clone(),
            state: self.state().clone(),
            since: self.since.into(),
            busy: self.busy.map(Into::into),
            next: more.and_then(|more| more.next.as_deref().cloned()),
            blind: more.and_then(|more| more.blind.clone()),
            last_change: more.and_then(|more| more.change.as_ref()).map(Changed::told),
            last_visit: (self.visits > 0).then(visit),
            visits: self.visits,
            changes: count(|more| more.changes),
            drifted: count(|more| more.drifted),
            repaired: count(|more| more.repaired),
            failures: count(|more| more.failures),
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
        assert!(size_of::<Entry>() <= 80, "{}", size_of::<Entry>());
        assert!(size_of::<More>() <= 128, "{}", size_of::<More>());
    }
}
