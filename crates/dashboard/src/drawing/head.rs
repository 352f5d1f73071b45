//! The lines at the top: title, totals, busy resources, and a refused configuration.

use uphold_status::{Phase, ResourceStatus, Totals};

use super::picture::{Ending, Picture};
use super::row::Row;
use crate::number::{grouped, whole};
use crate::safe_text::{clean, width};
use crate::summary::{first_line, phase};
use crate::theme::{FAINT, PLAIN, STRONG, Tone};

/// Width of the progress bar.
const BAR: usize = 20;

/// With fewer columns than this, not all totals fit.
const NARROW: usize = 72;

/// The lines at the top.
pub(super) fn rows(picture: &Picture<'_>, wide: usize) -> Vec<Row> {
    let mut rows = vec![title(picture, wide), totals(picture, wide), busy(picture)];
    rows.extend(refusal(picture));
    rows
}

fn title(picture: &Picture<'_>, wide: usize) -> Row {
    let theme = picture.theme;
    let (doing, tone) = doing(picture);
    // The phase is always shown; names take the remaining columns.
    let room = wide.saturating_sub(width(&doing) + 3);
    let machine = width(&clean(picture.machine)).min(room * 2 / 5);
    let row = Row::new().text(" ", PLAIN).name(picture.machine, machine, STRONG);
    let left = room.saturating_sub(machine + 2);
    let row = match left {
        0..6 => row,
        _ => row.text("  ", PLAIN).name(picture.configuration, left, PLAIN),
    };
    match room {
        0..4 => Row::new().text(&format!(" {doing}"), theme.tone(tone)),
        _ if width(&doing) * 2 > wide => Row::new().text(&format!(" {doing}"), theme.tone(tone)),
        _ => row.right(&doing, theme.tone(tone)),
    }
}

fn doing(picture: &Picture<'_>) -> (String, Tone) {
    let overview = &picture.overview;
    let summary = phase(overview.phase, overview.totals.all, picture.now);
    match (picture.ending, overview.phase) {
        (Ending::Graceful, _) => ("ending; q again kills running commands".to_owned(), Tone::Warning),
        (Ending::Urgent, _) => ("ending at once; q again leaves".to_owned(), Tone::Bad),
        (Ending::None, Phase::Converging { done, of }) => {
            let filled = (done * BAR).checked_div(of).unwrap_or(0).min(BAR);
            (format!("{summary} [{}{}]", "=".repeat(filled), " ".repeat(BAR - filled)), Tone::Change)
        }
        (Ending::None, _) => (summary, Tone::Good),
    }
}

/// `ok 1,230  repaired 17  differs 0  failed 1  blocked 2  polled 1`. A narrow screen shows problems first, and no
/// zeros.
fn totals(picture: &Picture<'_>, wide: usize) -> Row {
    let is_narrow = wide < NARROW;
    let mut numbers = numbers(&picture.overview.totals);
    numbers.retain(|number| number.count > 0 || (number.is_always_shown && !is_narrow));
    if is_narrow {
        numbers.sort_by_key(|number| number.urgency);
    }
    let mut row = Row::new();
    for Number { word, count, tone, .. } in numbers {
        let style = picture.theme.tone(if count == 0 { Tone::Plain } else { tone });
        row = row.text(&format!(" {word} "), FAINT).text(&grouped(count), style);
        row = row.text(if is_narrow { "" } else { " " }, PLAIN);
    }
    row
}

struct Number {
    word: &'static str,
    count: u64,
    tone: Tone,
    /// Order on a narrow screen.
    urgency: u8,
    is_always_shown: bool,
}

fn numbers(totals: &Totals) -> Vec<Number> {
    let number = |word, count, tone, urgency| Number { word, count, tone, urgency, is_always_shown: true };
    let sometimes = |word, count: usize, tone, urgency| Number {
        is_always_shown: false,
        ..number(word, count as u64, tone, urgency)
    };
    vec![
        number("ok", totals.ok as u64, Tone::Good, 4),
        number("repaired", totals.repaired, Tone::Change, 5),
        number("differs", totals.differs as u64, Tone::Warning, 2),
        number("failed", totals.failed as u64, Tone::Bad, 0),
        number("blocked", totals.blocked as u64, Tone::Warning, 1),
        number("polled", totals.polled as u64, Tone::Warning, 3),
        sometimes("paused", totals.paused, Tone::Warning, 2),
        sometimes("unvisited", totals.not_visited, Tone::Plain, 6),
        sometimes("ignored", totals.ignored, Tone::Warning, 7),
        sometimes("skipped", totals.skipped, Tone::Plain, 8),
    ]
}

fn busy(picture: &Picture<'_>) -> Row {
    let busy = &picture.overview.busy;
    let row = Row::new().text(" busy ", FAINT);
    if busy.is_empty() {
        return row.text("nothing", FAINT);
    }
    let names: Vec<String> = busy.iter().map(|status| work(status, picture)).collect();
    row.text(&grouped(picture.overview.totals.busy), STRONG).text(&format!("  {}", names.join(", ")), PLAIN)
}

/// The name of a busy resource, with the time if it has been busy for more than a second.
fn work(status: &ResourceStatus, picture: &Picture<'_>) -> String {
    let span = status.busy_since.and_then(|since| picture.now.duration_since(since).ok()).unwrap_or_default();
    match span.as_secs() {
        0 => status.resource.to_string(),
        _ => format!("{} {}", status.resource, whole(span)),
    }
}

/// The refusal of the configuration on disk: the watch still uses the previous one.
fn refusal(picture: &Picture<'_>) -> Option<Row> {
    let refusal = picture.overview.reload_error.as_ref()?;
    let head = format!(" configuration refused at {}: ", picture.time(refusal.at));
    let row = Row::new().text(&head, picture.theme.tone(Tone::Bad));
    Some(row.text(first_line(&refusal.message), PLAIN))
}
