//! The output of `uphold status`.

mod details;
mod overview;

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;
use uphold_status::{ResourceStatus, State};
use uphold_wire::stream::Excerpt;

use super::paint::Painted;
use super::time_text::Now;
use super::{Paint, clean};

pub(crate) use details::details;
pub(crate) use overview::overview;

// The list of all resources, and the sign of each state.

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
fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}

/// The sign of a state, as plans have one for a change. It only repeats what words say.
fn sign(status: &ResourceStatus, paint: Paint) -> Painted<char> {
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
fn one_line(text: &str) -> String {
    clean(&text.replace(['\n', '\t'], " ")).into_owned()
}

// Events of `uphold status --follow`, for people.

/// A JSON line of the watch as text; none if it reports no change.
pub(crate) fn followed(line: &str, now: &Now, paint: Paint) -> Option<String> {
    let line = Excerpt::read(line)?;
    let message = one_line(&message(&line));
    let message = match &*line.level {
        "debug" => return None,
        _ if line.verdict.as_deref() == Some("unchanged") => return None,
        _ if line.skip_reason.as_deref() == Some("condition") => return None,
        "error" => paint.error(message).to_string(),
        "warn" => paint.changed(message).to_string(),
        _ => message,
    };
    let at = line.timestamp.parse::<jiff::Timestamp>().ok()?;
    Some(format!("{}  {message}\n", now.clock(at.into())))
}

/// The message with its resource or its reason.
fn message(line: &Excerpt) -> String {
    let text = &line.message;
    let what = line.cause.as_ref().and_then(|cause| cause.subject.as_ref());
    match (line.r#type.as_deref(), &line.resource, what) {
        (Some("message"), Some(resource), _) => format!("{}: {text}", resource.address),
        (_, _, Some(what)) => format!("{text}, because {what} changed"),
        _ => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_text::tests::now;

    #[test]
    fn shows_only_changes() {
        let check = |level: &str, more: &str, expected: Option<&str>| {
            let line = format!(
                r#"{{"@level":"{level}","@message":"a\u001b\nb","@timestamp":"1970-01-02T00:00:01.500Z"{more}}}"#
            );
            assert_eq!(followed(&line, &now(), Paint::new(false)).as_deref(), expected, "{line}");
        };
        check("info", "", Some("00:00:01  a\\u{1b} b\n"));
        check("info", ",\"verdict\":\"changed\"", Some("00:00:01  a\\u{1b} b\n"));
        check("info", ",\"verdict\":\"unchanged\"", None);
        check("info", ",\"verdict\":\"skipped\",\"skip_reason\":\"condition\"", None);
        check("debug", "", None);
        let reported = r#","cause":{"reason":"change_detected","subject":"/a"}"#;
        check("info", reported, Some("00:00:01  a\\u{1b} b, because /a changed\n"));
        let said = r#","type":"message","resource":{"address":"log.x"}"#;
        check("info", said, Some("00:00:01  log.x: a\\u{1b} b\n"));
        for other in ["", "nonsense", "[]", "{}"] {
            assert_eq!(followed(other, &now(), Paint::new(false)), None);
        }
    }
}
