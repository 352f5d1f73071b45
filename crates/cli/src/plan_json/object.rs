//! A resource before and after a change.

use uphold::model::{Difference, Value};
use uphold::saved_plan::PlannedAction;
use uphold::{Change, ChangeKind};
use uphold_wire::{Marked, MarkedMembers, Value as Shown, plan_document as wire};

/// A resource on both sides of a change; none where it is not there.
#[derive(Debug)]
pub(super) struct Sides {
    pub(super) before: Option<MarkedMembers>,
    pub(super) after: Option<MarkedMembers>,
}

impl Sides {
    /// Nothing happens to it: what was set is there. What nobody set is not known here.
    pub(super) fn same(action: &PlannedAction) -> Self {
        Self { before: Some(declared(action)), after: Some(declared(action)) }
    }

    /// It may become what was set; what it is now could not be told.
    pub(super) fn later(action: &PlannedAction) -> Self {
        Self { before: Some(MarkedMembers::default()), after: Some(declared(action)) }
    }

    /// It stays as it is, although that is not what was set.
    pub(super) fn as_it_is(action: &PlannedAction, change: &Change) -> Self {
        let before = |_| filled(action, &change.differences, |one| one.from.value());
        let is_there = change.kind != ChangeKind::Create;
        Self { before: is_there.then_some(()).map(before), after: is_there.then_some(()).map(before) }
    }

    /// It is changed.
    pub(super) fn changed(action: &PlannedAction, change: &Change) -> Self {
        let before = filled(action, &change.differences, |one| one.from.value());
        let mut after = filled(action, &change.differences, |one| one.to.value());
        for name in &change.unknown {
            after.add(name, marked(&Value::unknown(*name)));
        }
        Self {
            before: Some(before).filter(|_| change.kind != ChangeKind::Create),
            after: Some(after).filter(|_| change.kind != ChangeKind::Remove),
        }
    }

    /// The same in the document.
    pub(super) fn change(self, action: &'static str) -> wire::Change {
        let (before, _, before_sensitive) = parts(self.before);
        let (after, after_unknown, after_sensitive) = parts(self.after);
        let actions = vec![action.into()];
        wire::Change { actions, after, after_sensitive, after_unknown, before, before_sensitive }
    }
}

fn parts(members: Option<MarkedMembers>) -> (Shown, Shown, Shown) {
    match members {
        Some(members) => {
            (Shown::Map(members.values), Shown::Map(members.unknown), Shown::Map(members.sensitive))
        }
        None => (Shown::Null, Shown::Map(Vec::new()), Shown::Bool(false)),
    }
}

fn marked(value: &Value) -> Marked {
    Marked::from(&Shown::from(value))
}

/// What was set, besides what differs.
fn declared(action: &PlannedAction) -> MarkedMembers {
    let mut members = MarkedMembers::default();
    action.attributes.iter().for_each(|(name, value)| members.add(name, marked(value)));
    members
}

/// What was set, with one side of what differs.
fn filled<'d>(
    action: &PlannedAction,
    differences: &'d [Difference],
    side: impl Fn(&'d Difference) -> Option<&'d Value>,
) -> MarkedMembers {
    let mut members = declared(action);
    for difference in differences {
        if let Some(value) = side(difference) {
            members.add(&difference.property, marked(value));
        }
    }
    members
}
