//! The list of all resources, and the sign of each state.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;
use uphold_status::{ResourceStatus, State};

use crate::paint::Painted;
use crate::time_text::Now;
use crate::{Paint, clean};

/// Longer names do not widen the column.
const WIDEST: usize = 48;

/// A line for each resource: problems first, otherwise in declared order.
pub(crate) fn list(all: &[ResourceStatus], now: &Now, paint: Paint) -> String {
    let named: Vec<(String, &ResourceStatus)> = all.iter().map(|status| (name(status), status)).collect();
    let width =
        named.iter().map(|(name, _)| name.width()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let mut text = String::new();
    let (troubles, others): (Vec<_>, Vec<_>) = named.iter().partition(|(_, status)| status.is_trouble());
    for (name, status) in troubles.into_iter().chain(others) {
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let (sign, name) = (sign(status, paint), paint.strong(name));
        let _ = writeln!(text, "{sign} {name}{pad}  {}", row(status, now, paint));
    }
    text
}

/// The resource, and the action if it is not `converge`.
fn name(status: &ResourceStatus) -> String {
    let resource = status.resource.to_string();
    match status.action.word() {
        "converge" => clean(&resource).into_owned(),
        other => format!("{}: {}", clean(&resource), clean(other)),
    }
}

fn row(status: &ResourceStatus, now: &Now, paint: Paint) -> String {
    let mut text = one_line(&status.state.to_string());
    if let Some(since) = status.busy_since {
        let _ = write!(text, "; busy for {}", now.since(since));
    }
    if let Some(next) = &status.next_attempt {
        let _ = write!(text, "; next check {}", now.until(next.at));
    }
    if status.polling.is_some() {
        text += "; cannot be watched";
    }
    let mut more = String::new();
    if status.drifted > 0 {
        let _ = write!(more, "; drifted {}", times(status.drifted));
    }
    if let Some(change) = &status.last_change {
        let _ = write!(more, "; changed {} ago", now.since(change.at));
    }
    if more.is_empty() { text } else { format!("{text}{}", paint.faint(more)) }
}

/// `once`, `2 times`.
pub(super) fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}

/// The sign of a state, as plans have one for a change. It only repeats what words say.
pub(super) fn sign(status: &ResourceStatus, paint: Paint) -> Painted<char> {
    match &status.state {
        State::Failed(_) => paint.error('x'),
        State::Blocked(_) => paint.error('.'),
        State::Differs { .. } | State::Paused { .. } => paint.changed('~'),
        _ if status.polling.is_some() => paint.changed('?'),
        State::Ignored(_) => paint.changed('x'),
        State::Waiting => paint.faint('-'),
        State::Held => paint.added('='),
        State::LeftAlone(_) => paint.faint('.'),
    }
}

/// Text on one line, with control characters escaped.
pub(super) fn one_line(text: &str) -> String {
    clean(&text.replace(['\n', '\t'], " ")).into_owned()
}
