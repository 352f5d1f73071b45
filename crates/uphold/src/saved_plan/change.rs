//! A planned change, and its comparison with the current one.

use uphold_engine::Change;
use uphold_model::{Difference, Map, Name, ResourceId, Side, Value};
use uphold_wire::SavedValue;
use uphold_wire::saved_plan::{
    Change as PlannedChange, Difference as PlannedDifference, Setting, Side as PlannedSide, SideContent,
};

use super::approval;
use super::salt::Salt;

/// The planned change of `resource`. Of a secret it has only a digest.
pub(super) fn planned(change: &Change, resource: &ResourceId, salt: &Salt) -> PlannedChange {
    let differences = change.differences.iter();
    PlannedChange {
        kind: change.kind,
        differences: differences.map(|one| planned_difference(one, resource, salt)).collect(),
        settings: planned_settings(&change.inputs, resource, salt),
        unknown: change.unknown.iter().map(ToString::to_string).collect(),
    }
}

/// Whether `now` is the planned change of `resource`. Unknown parts of the plan match anything.
///
/// # Errors
/// The first difference, as a message.
pub(super) fn compare(
    planned: &PlannedChange,
    now: &Change,
    resource: &ResourceId,
    salt: &Salt,
) -> Result<(), String> {
    // First: another name or setting causes other differences, too.
    compare_settings(&planned.settings, &now.inputs, resource, salt)?;
    if planned.kind != now.kind {
        return Err(approval::other_kind(planned.kind, now));
    }
    for planned in &planned.differences {
        match now.differences.iter().find(|difference| *difference.property == *planned.property) {
            Some(now) => compare_difference(planned, now, resource, salt)?,
            None if is_open(planned) => {}
            None => return Err(approval::settled(&planned.property)),
        }
    }
    let is_new = |now: &&Difference| planned.differences.iter().all(|one| *one.property != *now.property);
    now.differences.iter().find(is_new).map_or(Ok(()), |new| Err(approval::newly_different(new)))
}

/// The planned difference of a property of `resource`.
pub(super) fn planned_difference(
    difference: &Difference,
    resource: &ResourceId,
    salt: &Salt,
) -> PlannedDifference {
    let Difference { property, from, to } = difference;
    // If one side is a secret, both are: the old value may be in use elsewhere.
    let hidden = difference.is_sensitive();
    let side = |side: &Side, word| planned_side(side, hidden, &subject(resource, property, word), salt);
    PlannedDifference { from: side(from, "from"), property: property.to_string(), to: side(to, "to") }
}

/// Whether `now` is the planned difference of a property of `resource`.
///
/// # Errors
/// The side that differs, as a message.
pub(super) fn compare_difference(
    planned: &PlannedDifference,
    now: &Difference,
    resource: &ResourceId,
    salt: &Salt,
) -> Result<(), String> {
    let PlannedDifference { from, property, to } = planned;
    let is_hidden =
        |side: &Option<PlannedSide>| side.as_ref().is_some_and(|one| one.content.value().is_hidden());
    let hidden = now.is_sensitive() || is_hidden(from) || is_hidden(to);
    let fits = |planned, now: &Side, word| side_fits(planned, now, &subject(resource, property, word), salt);
    if !fits(from.as_ref(), &now.from, "from") {
        return Err(approval::other_origin(property, &shown_side(from.as_ref()), &now.from, hidden));
    }
    if !fits(to.as_ref(), &now.to, "to") {
        return Err(approval::other_goal(property, &shown_side(to.as_ref()), &now.to, hidden));
    }
    Ok(())
}

/// Whether the property may turn out not to differ, because its planned value is unknown.
pub(super) fn is_open(planned: &PlannedDifference) -> bool {
    planned.to.as_ref().is_some_and(|to| to.content.value().is_unknown())
}

/// The difference for a report, without secrets.
pub(super) fn shown(planned: &PlannedDifference) -> Difference {
    let PlannedDifference { from, property, to } = planned;
    let (from, to) = (shown_side(from.as_ref()), shown_side(to.as_ref()));
    Difference { property: property.as_str().into(), from, to }
}

pub(super) fn shown_side(planned: Option<&PlannedSide>) -> Side {
    match planned.map(|side| &side.content) {
        None => Side::Absent,
        Some(SideContent::Value(value)) => Side::Value((&value.0).into()),
        Some(SideContent::Default(value)) => Side::Default((&value.0).into()),
    }
}

/// The subject of a digest.
pub(super) fn subject(resource: &ResourceId, property: &str, side: &str) -> String {
    format!("{resource}.{property} {side}")
}

pub(super) fn planned_side(side: &Side, hidden: bool, subject: &str, salt: &Salt) -> Option<PlannedSide> {
    let known = side.value().filter(|value| hidden && !value.is_unknown());
    let digest = known.map(|value| salt.digest_value(subject, value));
    let content = match if hidden { side.clone().sensitive() } else { side.clone() } {
        Side::Absent => return None,
        Side::Value(value) => SideContent::Value(SavedValue((&value).into())),
        Side::Default(value) => SideContent::Default(SavedValue((&value).into())),
    };
    Some(PlannedSide { digest, content })
}

pub(super) fn side_fits(planned: Option<&PlannedSide>, now: &Side, subject: &str, salt: &Salt) -> bool {
    match (planned, now.value()) {
        (None, None) => true,
        (Some(planned), Some(now)) => match &planned.digest {
            Some(digest) => salt.digest_value(subject, now) == *digest,
            None => fits(&planned.content.value().into(), now),
        },
        _ => false,
    }
}

/// Whether a value equals the planned one, apart from unknown parts.
fn fits(planned: &Value, now: &Value) -> bool {
    match (planned.reveal(), now.reveal()) {
        (Value::Unknown(_), _) => true,
        (Value::List(planned), Value::List(now)) => {
            planned.len() == now.len()
                && planned.iter().zip(now.iter()).all(|(planned, now)| fits(planned, now))
        }
        (Value::Map(planned), Value::Map(now)) => {
            let same = |((key, planned), (other, now)): ((&Name, &Value), (&Name, &Value))| {
                key == other && fits(planned, now)
            };
            planned.len() == now.len() && planned.iter().zip(now.iter()).all(same)
        }
        (planned, now) => planned == now,
    }
}

/// The side of a setting, for its digest.
const SIDE: &str = "setting";

/// The planned settings of `resource`: computed names, settings and source files. Of a secret it has only a digest.
pub(super) fn planned_settings(inputs: &Map, resource: &ResourceId, salt: &Salt) -> Vec<Setting> {
    let setting = |(name, value): (&Name, &Value)| {
        let subject = subject(resource, name, SIDE);
        let value = planned_side(&Side::Value(value.clone()), value.is_sensitive(), &subject, salt)?;
        Some(Setting { name: name.to_string(), value })
    };
    inputs.iter().filter_map(setting).collect()
}

/// Whether `resource` still has the planned settings. An unknown one matches anything.
///
/// # Errors
/// The first that differs, as a message.
pub(super) fn compare_settings(
    planned: &[Setting],
    now: &Map,
    resource: &ResourceId,
    salt: &Salt,
) -> Result<(), String> {
    for Setting { name, value } in planned {
        let now = Side::Value(now.get(name.as_str()).cloned().unwrap_or(Value::Null));
        if !side_fits(Some(value), &now, &subject(resource, name, SIDE), salt) {
            let hidden = value.content.value().is_hidden() || now.value().is_some_and(Value::is_sensitive);
            return Err(approval::other_origin(name, &shown_side(Some(value)), &now, hidden));
        }
    }
    Ok(())
}

/// The planned value of a setting, without secrets.
pub(super) fn setting_value(planned: &[Setting], name: &str) -> Option<Value> {
    let setting = planned.iter().find(|setting| setting.name == name)?;
    Some(setting.value.content.value().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_engine::ChangeKind;
    use uphold_model::{DifferenceCauses, Map, Side, Value};

    fn one(kind: ChangeKind, differences: &[(&str, Side, Side)]) -> Change {
        let difference = |(property, from, to): &(&str, Side, Side)| Difference {
            property: (*property).into(),
            from: from.clone(),
            to: to.clone(),
        };
        Change {
            kind,
            differences: differences.iter().map(difference).collect(),
            causes: DifferenceCauses::default(),
            unknown: vec!["sha256"],
            inputs: Map::new(),
        }
    }

    fn text(text: &str) -> Side {
        Side::Value(Value::text(text))
    }

    /// Plans a change, and compares it with another one.
    #[track_caller]
    fn check(planned: &Change, now: &Change, expected: Result<(), &str>) {
        let (salt, id) = (Salt::fresh(), ResourceId::new("file", "/x"));
        let kept = super::planned(planned, &id, &salt);
        assert!(!format!("{kept:?}").contains("hunter2"), "{kept:?}");
        let found = compare(&kept, now, &id, &salt);
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected);
    }

    #[test]
    fn the_planned_change_matches() {
        let update =
            one(ChangeKind::Update, &[("mode", text("0644"), text("0600")), ("a", text("1"), text("2"))]);
        check(&update, &update, Ok(()));
        let create = one(ChangeKind::Create, &[("mode", Side::Absent, Side::Default(Value::text("0644")))]);
        check(&create, &create, Ok(()));
        check(&one(ChangeKind::Run, &[]), &one(ChangeKind::Run, &[]), Ok(()));
    }

    #[test]
    fn another_change_does_not_match() {
        let planned = one(ChangeKind::Update, &[("mode", text("0644"), text("0600"))]);
        let now = |from: &str, to: &str| one(ChangeKind::Update, &[("mode", text(from), text(to))]);
        check(
            &planned,
            &now("0755", "0600"),
            Err("mode was \"0644\" at the time of the plan, and is \"0755\" now"),
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
        check(&planned, &gone, Err("it was to be changed, but does not exist"));
        check(&gone, &planned, Err("it was to be created, but exists now: mode \"0644\""));
    }

    #[test]
    fn unknown_values_match_anything() {
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
        check(&planned, &drifted, Err("content was \"old\" at the time of the plan, and is \"other\" now"));
    }

    #[test]
    fn secrets_are_compared_by_digest() {
        let secret = |from: &str, to: &str| {
            one(ChangeKind::Update, &[("content", text(from).sensitive(), text(to).sensitive())])
        };
        let planned = secret("hunter1", "hunter2");
        check(&planned, &planned, Ok(()));
        check(
            &planned,
            &secret("hunter3", "hunter2"),
            Err("content is a secret, and has changed since the plan"),
        );
        check(
            &planned,
            &secret("hunter1", "hunter3"),
            Err("content is a secret, and differs from the planned one"),
        );
        // Only one side is a secret: the other is not kept either.
        let half = one(ChangeKind::Update, &[("content", text("hunter2"), text("x").sensitive())]);
        check(&half, &half, Ok(()));
    }
}

#[cfg(test)]
mod setting_tests {
    use super::*;

    #[track_caller]
    fn check(planned: &[(&str, Value)], now: &[(&str, Value)], expected: Result<(), &str>) {
        let map = |all: &[(&str, Value)]| -> Map {
            all.iter().map(|(name, value)| (Name::from(*name), value.clone())).collect()
        };
        let (salt, id) = (Salt::fresh(), ResourceId::new("task", "x"));
        let kept = planned_settings(&map(planned), &id, &salt);
        assert!(!format!("{kept:?}").contains("hunter2"), "{kept:?}");
        let found = compare_settings(&kept, &map(now), &id, &salt);
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected);
    }

    #[test]
    fn known_settings_must_match() {
        let text = |text: &str| Value::text(text);
        let secret = |text: &str| Value::text(text).sensitive();
        check(&[("apply", text("a"))], &[("apply", text("a"))], Ok(()));
        check(
            &[("apply", text("a"))],
            &[("apply", text("b"))],
            Err("apply was \"a\" at the time of the plan, and is \"b\" now"),
        );
        check(
            &[("creates", Value::Null)],
            &[("creates", text("/x"))],
            Err("creates was null at the time of the plan, and is \"/x\" now"),
        );
        check(&[("creates", Value::Null)], &[], Ok(()));
        check(&[("source", Value::unknown("task.a"))], &[("source", text("b"))], Ok(()));
        check(&[("env", secret("hunter2"))], &[("env", secret("hunter2"))], Ok(()));
        check(
            &[("env", secret("hunter2"))],
            &[("env", secret("other"))],
            Err("env is a secret, and has changed since the plan"),
        );
    }
}
