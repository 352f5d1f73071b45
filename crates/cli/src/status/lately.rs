//! What happened lately, a line each.

use std::fmt::Write;
use std::sync::Arc;

use uphold_status::{Happening, HappeningKind};

use super::moment::Now;
use super::one_line::one_line;
use crate::paint::{Paint, clean};
use crate::report::{span, watch_sentence};

/// How many happenings are shown: with what is around them, they fit on a screen.
const LATELY: usize = 10;

/// The last happenings, with their times; nothing if there are none.
pub(super) fn lately(happenings: &[Arc<Happening>], now: &Now, paint: Paint) -> String {
    if happenings.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.strong("Lately"));
    let skipped = happenings.len().saturating_sub(LATELY);
    for happening in &happenings[skipped..] {
        let _ = writeln!(text, "  {}  {}", now.clock(happening.at), told(happening, paint));
    }
    text
}

fn told(happening: &Happening, paint: Paint) -> String {
    let name = happening.resource.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = paint.strong(clean(&name));
    let about = paint.faint(one_line(&about(happening)));
    match &happening.kind {
        HappeningKind::Repaired { .. } => format!("{} {name}{about}", paint.added("repaired")),
        HappeningKind::Recovered => format!("{} {name}{about}", paint.added("recovered")),
        HappeningKind::Failed { .. } => format!("{} {name}{about}", paint.error("failed")),
        HappeningKind::Drifted { .. } => format!("{} {name}{about}", paint.changed("drifted")),
        HappeningKind::Changed { .. } => format!("changed {name}{about}"),
        HappeningKind::Blind { because } => {
            format!("{} {name}: {}", paint.changed("cannot watch"), one_line(because))
        }
        other => whole(other),
    }
}

/// Which properties, or what went wrong; why it was looked at, and how long that took.
fn about(happening: &Happening) -> String {
    let mut about = match &happening.kind {
        HappeningKind::Repaired { properties, .. }
        | HappeningKind::Drifted { properties, .. }
        | HappeningKind::Changed { properties, .. }
            if !properties.is_empty() =>
        {
            format!(": {}", properties.join(", "))
        }
        HappeningKind::Failed { message } => format!(": {message}"),
        _ => String::new(),
    };
    if let Some(why) = happening.why.as_ref().filter(|why| &*why.word != "written") {
        let _ = write!(about, ", because {}", why.text);
    }
    if let Some(took) = happening.took {
        let _ = write!(about, " ({})", span::fine(took));
    }
    about
}

/// What is about no resource.
fn whole(kind: &HappeningKind) -> String {
    match kind {
        HappeningKind::Watching { resources } => format!("everything was visited; {resources} are watched"),
        HappeningKind::ReportsLost => "reports of changes were lost; everything was looked at".to_owned(),
        HappeningKind::Swapped { kept, visited, left, .. } => {
            format!("reloaded: {}", watch_sentence::swapped(*kept, *visited, *left))
        }
        HappeningKind::ReloadRefused { message } => {
            format!("refused the configuration: {}", one_line(message))
        }
        other => other.word().to_owned(),
    }
}
