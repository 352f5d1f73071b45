//! The compact status of one action on one resource.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::{Cause, ChangeKind};
use uphold_model::{Action, Name, ResourceId};
use uphold_wire::status::{LastChange, Next, Polling, ResourceStatus, State, Visit, Why};

use super::visit_outcome::excerpt;

/// No further entry of the same resource.
pub(crate) const NONE: u32 = u32::MAX;

/// The status of one action on one resource: 80 bytes, and a box once it was changed or failed.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) resource: ResourceId,
    /// The next entry of the same resource.
    pub(crate) sibling: u32,
    pub(crate) since: Stamp,
    pub(crate) busy: Option<Stamp>,
    /// The time, duration in nanoseconds and reason of the last visit; meaningless before the first.
    pub(crate) visited: Stamp,
    pub(crate) took: u64,
    pub(crate) reason: Reason,
    pub(crate) visits: u32,
    /// Data that most entries do not have.
    more: Option<Box<More>>,
    /// Whether it is declared, and not only notified.
    pub(crate) written: bool,
    /// Whether it is as declared, if it has no other state.
    ok: bool,
    /// Whether it was ever as declared: only then is a difference drift.
    pub(crate) was_ok: bool,
}

/// The data of an entry that was changed, or needs attention.
#[derive(Debug, Default)]
pub(crate) struct More {
    /// Any action other than `converge`.
    action: Option<Action>,
    /// Any state other than not visited and as declared.
    state: Option<State>,
    pub(crate) next: Option<Box<Next>>,
    pub(crate) blind: Option<Arc<Polling>>,
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
    /// An entry that was not visited yet.
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
            reason: None,
            visits: 0,
            more,
            written: false,
            ok: false,
            was_ok: false,
        }
    }

    pub(crate) fn action(&self) -> &Action {
        self.more.as_ref().and_then(|more| more.action.as_ref()).unwrap_or(&Action::Converge)
    }

    pub(crate) fn is_trouble(&self) -> bool {
        self.state().is_trouble() || self.is_blind()
    }

    pub(crate) fn is_blind(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.blind.is_some())
    }

    pub(crate) fn is_pending(&self) -> bool {
        let is_delayed = || self.more.as_ref().is_some_and(|more| more.next.is_some());
        self.busy.is_some() || matches!(self.state(), State::Waiting) || is_delayed()
    }

    /// The boxed data, which is allocated if there is none.
    pub(crate) fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// The boxed data, if there is some.
    pub(crate) fn if_more(&mut self) -> Option<&mut More> {
        self.more.as_deref_mut()
    }

    /// Sets the state. `since` is the time of the last change of state.
    pub(crate) fn enter(&mut self, state: State, now: Stamp) {
        if self.state().word() != state.word() {
            self.since = now;
        }
        self.ok = matches!(state, State::Held);
        self.was_ok |= self.ok;
        match state {
            State::Waiting | State::Held => {
                if let Some(more) = self.if_more() {
                    more.state = None;
                }
            }
            other => self.more().state = Some(other),
        }
    }

    pub(crate) fn state(&self) -> &State {
        let other = self.more.as_ref().and_then(|more| more.state.as_ref());
        other.unwrap_or(if self.ok { &State::Held } else { &State::Waiting })
    }

    pub(crate) fn status(&self) -> ResourceStatus {
        let took = Duration::from_nanos(self.took);
        let visit = || Visit { at: self.visited.into(), duration: took, cause: why(&self.reason) };
        let more = self.more.as_deref();
        let count = |count: fn(&More) -> u32| more.map_or(0, count);
        ResourceStatus {
            resource: self.resource.clone(),
            action: self.action().clone(),
            state: self.state().clone(),
            since: self.since.into(),
            busy_since: self.busy.map(Into::into),
            next_attempt: more.and_then(|more| more.next.as_deref().cloned()),
            polling: more.and_then(|more| more.blind.clone()),
            last_change: more.and_then(|more| more.change.as_ref()).map(|change| LastChange {
                at: change.at.into(),
                change: change.kind,
                properties: change.properties.clone(),
                cause: why(&change.reason),
            }),
            last_visit: (self.visits > 0).then(visit),
            visits: self.visits,
            changes: count(|more| more.changes),
            drifted: count(|more| more.drifted),
            repaired: count(|more| more.repaired),
            failures: count(|more| more.failures),
        }
    }
}

/// Milliseconds since the epoch, plus one: half the size of a [`SystemTime`], and an `Option` of it needs no more. An
/// earlier time becomes the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp(NonZeroU64);

impl Default for Stamp {
    fn default() -> Self {
        Self(NonZeroU64::MIN)
    }
}

impl From<SystemTime> for Stamp {
    fn from(time: SystemTime) -> Self {
        let span = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let milliseconds = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        Self(NonZeroU64::MIN.saturating_add(milliseconds))
    }
}

impl From<Stamp> for SystemTime {
    fn from(stamp: Stamp) -> Self {
        SystemTime::UNIX_EPOCH
            .checked_add(Duration::from_millis(stamp.0.get() - 1))
            .unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// The time after a span; `now` if it overflows.
pub(crate) fn after(now: SystemTime, span: Duration) -> SystemTime {
    now.checked_add(span).unwrap_or(now)
}

/// The cause of a visit; none if the resource is declared, as at most visits.
pub(crate) type Reason = Option<Arc<Cause>>;

/// The reason of a visit. It shares the memory of the last one if that is equal: a recheck wakes all resources.
pub(crate) fn reason(cause: &Cause, last: &mut Reason) -> Reason {
    if *cause == Cause::Written {
        return None;
    }
    if last.as_deref() != Some(cause) {
        *last = Some(Arc::new(cause.clone()));
    }
    last.clone()
}

/// The reason for readers, and its name in JSON and metrics.
pub(crate) fn why(reason: &Reason) -> Why {
    let text = match reason.as_deref() {
        None | Some(Cause::Written) => "it is declared".to_owned(),
        Some(Cause::Notified { by, .. }) => format!("{by} changed"),
        Some(Cause::Pending { by, .. }) => format!("{by} changed in an earlier run"),
        Some(Cause::Woken(wake)) => excerpt(&wake.to_string()),
    };
    Why { reason: word(reason).into(), message: text }
}

pub(crate) fn word(reason: &Reason) -> &'static str {
    match reason.as_deref() {
        None | Some(Cause::Written) => "declared",
        Some(Cause::Notified { .. }) => "notified",
        Some(Cause::Pending { .. }) => "pending",
        Some(Cause::Woken(wake)) => wake.word(),
    }
}

#[cfg(test)]
mod tests {
    use uphold_engine::Wake;
    use uphold_model::Moment;
    use uphold_resource::Interest;

    use super::*;

    /// The watch may use 1 KiB for each file, including this; names and ids are shared with the program.
    #[test]
    fn an_entry_is_small() {
        assert!(size_of::<Entry>() <= 80, "{}", size_of::<Entry>());
        assert!(size_of::<More>() <= 128, "{}", size_of::<More>());
    }

    #[test]
    fn a_stamp_keeps_milliseconds() {
        let check = |time: SystemTime, expected: SystemTime| {
            assert_eq!(SystemTime::from(Stamp::from(time)), expected);
        };
        let epoch = SystemTime::UNIX_EPOCH;
        check(epoch + Duration::from_micros(1_999), epoch + Duration::from_millis(1));
        check(epoch - Duration::from_secs(9), epoch);
        assert_eq!(after(epoch, Duration::MAX), epoch);
    }

    #[test]
    fn a_reason_matches_the_engine() {
        let id = ResourceId::new("file", "/x");
        let wakes = [
            Wake::Reported(Interest::Path("/etc/motd".into())),
            Wake::Received(id.clone()),
            Wake::Freed(id.clone()),
            Wake::Subscribed(id.clone()),
            Wake::Polled,
            Wake::Rechecked,
            Wake::ReportsLost,
            Wake::Retried,
        ];
        for wake in wakes {
            let why = why(&reason(&Cause::Woken(wake.clone()), &mut None));
            assert_eq!((&*why.reason, why.message), (wake.word(), wake.to_string()));
        }
        let notified = Cause::Notified { by: id.into(), moment: Moment::Delayed };
        let why = why(&reason(&notified, &mut None));
        assert_eq!((&*why.reason, &*why.message), ("notified", r#"file["/x"] changed"#));
    }
}
