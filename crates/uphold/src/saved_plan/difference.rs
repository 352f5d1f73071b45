//! One property that differs, as it was planned.

use uphold_model::{Difference, Name, ResourceId, Side, Value};
use uphold_wire::SavedValue;
use uphold_wire::saved_plan::{Difference as PlannedDifference, Side as PlannedSide, SideContent};

use super::salt::Salt;
use super::words;

/// What a run found out about a property of `resource`.
pub(super) fn planned(difference: &Difference, resource: &ResourceId, salt: &Salt) -> PlannedDifference {
    let Difference { property, from, to } = difference;
    // If either side is a secret, both are: the old value may be the new one of another machine.
    let hidden = difference.is_sensitive();
    let side = |side: &Side, word| planned_side(side, hidden, &subject(resource, property, word), salt);
    PlannedDifference { from: side(from, "from"), property: property.to_string(), to: side(to, "to") }
}

/// Whether `now` is the same difference of a property of `resource`.
///
/// # Errors
/// Which side is another one, in plain words.
pub(super) fn compare(
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
        return Err(words::other_origin(property, &shown_side(from.as_ref()), &now.from, hidden));
    }
    if !fits(to.as_ref(), &now.to, "to") {
        return Err(words::other_goal(property, &shown_side(to.as_ref()), &now.to, hidden));
    }
    Ok(())
}

/// Whether it may turn out to be none, because what it leads to is not known.
pub(super) fn is_open(planned: &PlannedDifference) -> bool {
    planned.to.as_ref().is_some_and(|to| to.content.value().is_unknown())
}

/// As a run tells it, with blanks for secrets.
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

/// What a digest is about.
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

/// Whether a value is what was planned: equal, apart from what was not known.
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
