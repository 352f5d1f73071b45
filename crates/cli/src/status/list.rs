//! Every resource, a line each.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;
use uphold_status::ResourceStatus;

use super::moment::Now;
use super::one_line::one_line;
use super::sign::sign;
use crate::paint::{Paint, clean};

/// A name that is longer does not push the others away.
const WIDEST: usize = 48;

/// All of these, what is wrong first, else in written order.
pub(crate) fn list(all: &[ResourceStatus], now: &Now, paint: Paint) -> String {
    let named: Vec<(String, &ResourceStatus)> = all.iter().map(|status| (name(status), status)).collect();
    let width =
        named.iter().map(|(name, _)| name.width()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let mut text = String::new();
    let (wrong, fine): (Vec<_>, Vec<_>) = named.iter().partition(|(_, status)| status.is_trouble());
    for (name, status) in wrong.into_iter().chain(fine) {
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let (sign, name) = (sign(status, paint), paint.strong(name));
        let _ = writeln!(text, "{sign} {name}{pad}  {}", row(status, now, paint));
    }
    text
}

/// The resource, and the action if it is not the usual one.
fn name(status: &ResourceStatus) -> String {
    let resource = status.resource.to_string();
    match status.action.word() {
        "converge" => clean(&resource).into_owned(),
        other => format!("{}: {}", clean(&resource), clean(other)),
    }
}

fn row(status: &ResourceStatus, now: &Now, paint: Paint) -> String {
    let mut text = one_line(&status.state.to_string());
    if let Some(since) = status.busy {
        let _ = write!(text, "; busy for {}", now.since(since));
    }
    if let Some(next) = &status.next {
        let _ = write!(text, "; next look {}", now.until(next.at));
    }
    if status.blind.is_some() {
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
