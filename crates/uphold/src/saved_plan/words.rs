//! How a change differs from the planned one, in plain words.

use uphold_engine::{Change, ChangeKind};
use uphold_model::{Difference, Side};

/// How much of a value is shown.
const SHOWN: usize = 60;

/// How many properties are named.
const NAMED: usize = 3;

/// It was to be changed in one way, and would be in another.
pub(super) fn other_kind(planned: ChangeKind, now: &Change) -> String {
    let planned = match planned {
        ChangeKind::Create => "it was to be created",
        ChangeKind::Update => "it was to be changed",
        ChangeKind::Remove => "it was to be removed",
        ChangeKind::Run => "it was to be run",
    };
    match now.kind {
        ChangeKind::Create => format!("{planned}, but is gone"),
        ChangeKind::Update => format!("{planned}, but is there now{}", states(now)),
        ChangeKind::Remove => format!("{planned}, but would be removed now"),
        ChangeKind::Run => format!("{planned}, but would be run now"),
    }
}

/// Nothing was to be done, and now there is something to do.
pub(super) fn no_longer_declared(now: &Change) -> String {
    match now.kind {
        ChangeKind::Create => "it was as declared, but is gone".to_owned(),
        ChangeKind::Update => format!("it was as declared, but is not now{}", states(now)),
        ChangeKind::Remove => "it was not there, but is now".to_owned(),
        ChangeKind::Run => "there was nothing to run, but there is now".to_owned(),
    }
}

/// A property that was to be changed needs it no more.
pub(super) fn settled(property: &str) -> String {
    format!("{property} was to be changed, and needs no change now")
}

/// A property that was as declared is so no more.
pub(super) fn newly_different(now: &Difference) -> String {
    match value(&now.from, now.is_sensitive()) {
        Some(value) => format!("{} was as declared, and is {value} now", now.property),
        None => format!("{} was as declared, and is not set now", now.property),
    }
}

/// A setting is not what it was.
pub(super) fn other_setting(name: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    other_origin(name, planned, now, hidden)
}

/// What is there is not what was there.
pub(super) fn other_origin(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret that is not what it was when it was planned");
    }
    let (planned, now) = (said(planned), said(now));
    format!("{property} was {planned} when it was planned, and is {now} now")
}

/// What should be there is not what should have been.
pub(super) fn other_goal(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret, and would become another one than planned");
    }
    let (planned, now) = (said(planned), said(now));
    format!("{property} was to become {planned}, and would become {now} now")
}

/// `: mode "0600", owner "root"`: what is there, as far as it is not as declared.
fn states(now: &Change) -> String {
    let told = now.differences.iter().filter_map(|difference| {
        Some(format!("{} {}", difference.property, value(&difference.from, difference.is_sensitive())?))
    });
    let told: Vec<String> = told.take(NAMED).collect();
    if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) }
}

fn said(side: &Side) -> String {
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
