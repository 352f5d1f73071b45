//! Messages about deviations from a plan.

use uphold_engine::{Change, ChangeKind};
use uphold_model::{Difference, Side};

/// The longest value that is shown, in characters.
const SHOWN: usize = 60;

/// The most properties in a message.
const NAMED: usize = 3;

pub(super) fn other_kind(planned: ChangeKind, now: &Change) -> String {
    let planned = match planned {
        ChangeKind::Create => "it was to be created",
        ChangeKind::Update => "it was to be changed",
        ChangeKind::Remove => "it was to be removed",
        ChangeKind::Run => "it was to be run",
    };
    match now.kind {
        ChangeKind::Create => format!("{planned}, but does not exist"),
        ChangeKind::Update => format!("{planned}, but exists now{}", states(now)),
        ChangeKind::Remove => format!("{planned}, but would be removed now"),
        ChangeKind::Run => format!("{planned}, but would be run now"),
    }
}

pub(super) fn no_longer_unchanged(now: &Change) -> String {
    match now.kind {
        ChangeKind::Create => "it was as declared, but does not exist".to_owned(),
        ChangeKind::Update => format!("it was as declared, but is not now{}", states(now)),
        ChangeKind::Remove => "it did not exist, but does now".to_owned(),
        ChangeKind::Run => "there was nothing to run, but there is now".to_owned(),
    }
}

pub(super) fn settled(property: &str) -> String {
    format!("{property} was to be changed, and needs no change now")
}

pub(super) fn newly_different(now: &Difference) -> String {
    match value(&now.from, now.is_sensitive()) {
        Some(value) => format!("{} was as declared, and is {value} now", now.property),
        None => format!("{} was as declared, and is not set now", now.property),
    }
}

/// The current value is not the one at the time of the plan.
pub(super) fn other_origin(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret, and has changed since the plan");
    }
    let (planned, now) = (shown(planned), shown(now));
    format!("{property} was {planned} at the time of the plan, and is {now} now")
}

/// The declared value is not the planned one.
pub(super) fn other_goal(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret, and differs from the planned one");
    }
    let (planned, now) = (shown(planned), shown(now));
    format!("{property} was to become {planned}, and would become {now} now")
}

/// The properties that differ: `: mode "0600", owner "root"`.
fn states(now: &Change) -> String {
    let shown = now.differences.iter().filter_map(|difference| {
        Some(format!("{} {}", difference.property, value(&difference.from, difference.is_sensitive())?))
    });
    let shown: Vec<String> = shown.take(NAMED).collect();
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

fn shown(side: &Side) -> String {
    value(side, false).unwrap_or_else(|| "nothing".to_owned())
}

fn value(side: &Side, hidden: bool) -> Option<String> {
    let value = side.value()?;
    if hidden {
        return Some(uphold_model::SENSITIVE.to_owned());
    }
    let text = value.to_string();
    Some(match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    })
}
