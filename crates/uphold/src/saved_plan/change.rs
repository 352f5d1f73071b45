//! A change as it was planned, and whether another one is the same.

use uphold_engine::{Change, ChangeKind};
use uphold_model::{Difference, ResourceId};
use uphold_wire::saved_plan::{Change as PlannedChange, ChangeKind as PlannedKind};

use super::salt::Salt;
use super::{difference, setting, words};

/// What a run found out about `resource`. Of a secret it has a digest and no more.
pub(super) fn planned(change: &Change, resource: &ResourceId, salt: &Salt) -> PlannedChange {
    let differences = change.differences.iter();
    PlannedChange {
        kind: match change.kind {
            ChangeKind::Create => PlannedKind::Create,
            ChangeKind::Update => PlannedKind::Update,
            ChangeKind::Remove => PlannedKind::Remove,
            ChangeKind::Run => PlannedKind::Run,
        },
        differences: differences.map(|one| difference::planned(one, resource, salt)).collect(),
        settings: setting::planned(&change.inputs, resource, salt),
        unknown: change.unknown.iter().map(ToString::to_string).collect(),
    }
}

/// What sort of change was planned.
pub(super) fn kind(planned: PlannedKind) -> ChangeKind {
    match planned {
        PlannedKind::Create => ChangeKind::Create,
        PlannedKind::Update => ChangeKind::Update,
        PlannedKind::Remove => ChangeKind::Remove,
        PlannedKind::Run => ChangeKind::Run,
    }
}

/// Whether `now` is the change of `resource` that was planned. What the plan did not know may be anything.
///
/// # Errors
/// The first thing that is different, in plain words.
pub(super) fn compare(
    planned: &PlannedChange,
    now: &Change,
    resource: &ResourceId,
    salt: &Salt,
) -> Result<(), String> {
    // First, because a resource with another name or other settings differs in other ways, too.
    setting::compare(&planned.settings, &now.inputs, resource, salt)?;
    if kind(planned.kind) != now.kind {
        return Err(words::other_kind(kind(planned.kind), now));
    }
    for planned in &planned.differences {
        match now.differences.iter().find(|difference| *difference.property == *planned.property) {
            Some(now) => difference::compare(planned, now, resource, salt)?,
            None if difference::is_open(planned) => {}
            None => return Err(words::settled(&planned.property)),
        }
    }
    let is_new = |now: &&Difference| planned.differences.iter().all(|one| *one.property != *now.property);
    now.differences.iter().find(is_new).map_or(Ok(()), |new| Err(words::newly_different(new)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_model::{Map, Side, Value};

    fn one(kind: ChangeKind, differences: &[(&str, Side, Side)]) -> Change {
        let difference = |(property, from, to): &(&str, Side, Side)| Difference {
            property: (*property).into(),
            from: from.clone(),
            to: to.clone(),
        };
        Change {
            kind,
            differences: differences.iter().map(difference).collect(),
            unknown: vec!["sha256"],
            inputs: Map::new(),
        }
    }

    fn text(text: &str) -> Side {
        Side::Value(Value::text(text))
    }

    /// Plans one change, keeps it as text, and compares it with what would be done now.
    #[track_caller]
    fn check(planned: &Change, now: &Change, expected: Result<(), &str>) {
        let (salt, id) = (Salt::fresh(), ResourceId::new("file", "/x"));
        let kept = super::planned(planned, &id, &salt);
        assert!(!format!("{kept:?}").contains("hunter2"), "{kept:?}");
        let found = compare(&kept, now, &id, &salt);
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected);
    }

    #[test]
    fn the_same_change_is_fine() {
        let update =
            one(ChangeKind::Update, &[("mode", text("0644"), text("0600")), ("a", text("1"), text("2"))]);
        check(&update, &update, Ok(()));
        let create = one(ChangeKind::Create, &[("mode", Side::Absent, Side::Default(Value::text("0644")))]);
        check(&create, &create, Ok(()));
        check(&one(ChangeKind::Run, &[]), &one(ChangeKind::Run, &[]), Ok(()));
    }

    #[test]
    fn another_change_is_not() {
        let planned = one(ChangeKind::Update, &[("mode", text("0644"), text("0600"))]);
        let now = |from: &str, to: &str| one(ChangeKind::Update, &[("mode", text(from), text(to))]);
        check(
            &planned,
            &now("0755", "0600"),
            Err("mode was \"0644\" when it was planned, and is \"0755\" now"),
        );
        check(
            &planned,
            &now("0644", "0640"),
            Err("mode was to become \"0600\", and would become \"0640\" now"),
        );
        check(
            &planned,
            &one(ChangeKind::Update, &[]),
            Err("mode was to be changed, and needs no change now"),
        );
        let more = [("mode", text("0644"), text("0600")), ("owner", text("a"), text("b"))];
        check(&planned, &one(ChangeKind::Update, &more), Err("owner was as declared, and is \"a\" now"));
        let gone = one(ChangeKind::Create, &[("mode", Side::Absent, text("0600"))]);
        check(&planned, &gone, Err("it was to be changed, but is gone"));
        check(&gone, &planned, Err("it was to be created, but is there now: mode \"0644\""));
    }

    #[test]
    fn what_was_not_known_may_be_anything() {
        let unknown = |value: Value| one(ChangeKind::Update, &[("content", text("old"), Side::Value(value))]);
        let now = one(ChangeKind::Update, &[("content", text("old"), text("new"))]);
        let planned = unknown(Value::unknown("task.a"));
        check(&planned, &now, Ok(()));
        check(&planned, &one(ChangeKind::Update, &[]), Ok(()));
        check(&unknown(Value::unknown("task.a").sensitive()), &now, Ok(()));
        let partly = unknown(Value::list([Value::Int(1), Value::unknown("task.a")]));
        check(&partly, &unknown(Value::list([Value::Int(1), Value::Int(2)])), Ok(()));
        let other = unknown(Value::list([Value::Int(3), Value::Int(2)]));
        check(
            &partly,
            &other,
            Err("content was to become [1, (known after apply)], and would become [3, 2] now"),
        );
        let drifted = one(ChangeKind::Update, &[("content", text("other"), text("new"))]);
        check(&planned, &drifted, Err("content was \"old\" when it was planned, and is \"other\" now"));
    }

    #[test]
    fn a_secret_is_compared_without_being_kept() {
        let secret = |from: &str, to: &str| {
            one(ChangeKind::Update, &[("content", text(from).sensitive(), text(to).sensitive())])
        };
        let planned = secret("hunter1", "hunter2");
        check(&planned, &planned, Ok(()));
        check(
            &planned,
            &secret("hunter3", "hunter2"),
            Err("content is a secret that is not what it was when it was planned"),
        );
        check(
            &planned,
            &secret("hunter1", "hunter3"),
            Err("content is a secret, and would become another one than planned"),
        );
        // Only one side is a secret: the other is not kept either.
        let half = one(ChangeKind::Update, &[("content", text("hunter2"), text("x").sensitive())]);
        check(&half, &half, Ok(()));
    }
}
