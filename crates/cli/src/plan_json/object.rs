//! A resource before and after a change.

use serde_json::{Value as Json, json};
use uphold::model::{Difference, Value};
use uphold::saved_plan::PlannedAction;
use uphold::{Change, ChangeKind};

use super::value::{Members, Parts};

/// A resource on both sides of a change; none where it is not there.
#[derive(Debug)]
pub(super) struct Sides {
    pub(super) before: Option<Members>,
    pub(super) after: Option<Members>,
}

impl Sides {
    /// Nothing happens to it: what was set is there. What nobody set is not known here.
    pub(super) fn same(action: &PlannedAction) -> Self {
        Self { before: Some(declared(action)), after: Some(declared(action)) }
    }

    /// It may become what was set; what it is now could not be told.
    pub(super) fn later(action: &PlannedAction) -> Self {
        Self { before: Some(Members::default()), after: Some(declared(action)) }
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
            after.add(name, Parts::of(&Value::unknown(*name)));
        }
        Self {
            before: Some(before).filter(|_| change.kind != ChangeKind::Create),
            after: Some(after).filter(|_| change.kind != ChangeKind::Remove),
        }
    }

    /// `{actions, before, after, after_unknown, before_sensitive, after_sensitive}`.
    pub(super) fn json(self, actions: &[&str]) -> Json {
        let (before, _, before_sensitive) = parts(self.before);
        let (after, after_unknown, after_sensitive) = parts(self.after);
        json!({
            "actions": actions,
            "before": before,
            "after": after,
            "after_unknown": after_unknown,
            "before_sensitive": before_sensitive,
            "after_sensitive": after_sensitive,
        })
    }
}

fn parts(members: Option<Members>) -> (Json, Json, Json) {
    match members {
        Some(members) => (members.values.into(), members.unknown.into(), members.sensitive.into()),
        None => (Json::Null, json!({}), json!(false)),
    }
}

/// What was set, besides what differs.
fn declared(action: &PlannedAction) -> Members {
    let mut members = Members::default();
    action.attributes.iter().for_each(|(name, value)| members.add(name, Parts::of(value)));
    members
}

/// What was set, with one side of what differs.
fn filled<'d>(
    action: &PlannedAction,
    differences: &'d [Difference],
    side: impl Fn(&'d Difference) -> Option<&'d Value>,
) -> Members {
    let mut members = declared(action);
    for difference in differences {
        if let Some(value) = side(difference) {
            members.add(&difference.property, Parts::of(value));
        }
    }
    members
}
