//! The lines that are always there: what is held, the numbers, what is busy.

use uphold_status::{Phase, ResourceStatus, Totals};

use super::picture::{Ending, Picture};
use super::row::Row;
use crate::number::{grouped, whole};
use crate::safe_text::{clean, width};
use crate::theme::{FAINT, Mood, PLAIN, STRONG};
use crate::words::{first_line, phase};

/// How long the bar is.
const BAR: usize = 20;

/// With fewer columns than this not every number has room.
const NARROW: usize = 72;

/// The lines at the top.
pub(super) fn rows(picture: &Picture<'_>, wide: usize) -> Vec<Row> {
    let mut rows = vec![title(picture, wide), totals(picture, wide), busy(picture)];
    rows.extend(refusal(picture));
    rows
}

fn title(picture: &Picture<'_>, wide: usize) -> Row {
    let theme = picture.theme;
    let (doing, mood) = doing(picture);
    // What it does is never dropped: names take the room that is left.
    let room = wide.saturating_sub(width(&doing) + 3);
    let machine = width(&clean(picture.machine)).min(room * 2 / 5);
    let row = Row::new().text(" ", PLAIN).name(picture.machine, machine, STRONG);
    let left = room.saturating_sub(machine + 2);
    let row = match left {
        0..6 => row,
        _ => row.text("  ", PLAIN).name(picture.configuration, left, PLAIN),
    };
    match room {
        0..4 => Row::new().text(&format!(" {doing}"), theme.mood(mood)),
        _ if width(&doing) * 2 > wide => Row::new().text(&format!(" {doing}"), theme.mood(mood)),
        _ => row.right(&doing, theme.mood(mood)),
    }
}

fn doing(picture: &Picture<'_>) -> (String, Mood) {
    let overview = &picture.overview;
    let told = phase(overview.phase, overview.totals.all, picture.now);
    match (picture.ending, overview.phase) {
        (Ending::Kindly, _) => ("ending; q again kills what runs".to_owned(), Mood::Doubtful),
        (Ending::Urgently, _) => ("ending at once; q again leaves".to_owned(), Mood::Bad),
        (Ending::None, Phase::Converging { done, of }) => {
            let filled = (done * BAR).checked_div(of).unwrap_or(0).min(BAR);
            (format!("{told} [{}{}]", "=".repeat(filled), " ".repeat(BAR - filled)), Mood::Change)
        }
        (Ending::None, _) => (told, Mood::Good),
    }
}

/// `held 1,230  repaired 17  drifting 0  failed 1  blocked 2  blind 1`. Where it is narrow, what is wrong comes first,
/// and what is nought is left out.
fn totals(picture: &Picture<'_>, wide: usize) -> Row {
    let is_narrow = wide < NARROW;
    let mut numbers = numbers(&picture.overview.totals);
    numbers.retain(|number| number.count > 0 || (number.is_always_told && !is_narrow));
    if is_narrow {
        numbers.sort_by_key(|number| number.urgency);
    }
    let mut row = Row::new();
    for Number { word, count, mood, .. } in numbers {
        let style = picture.theme.mood(if count == 0 { Mood::Plain } else { mood });
        row = row.text(&format!(" {word} "), FAINT).text(&grouped(count), style);
        row = row.text(if is_narrow { "" } else { " " }, PLAIN);
    }
    row
}

struct Number {
    word: &'static str,
    count: u64,
    mood: Mood,
    /// What is read first.
    urgency: u8,
    is_always_told: bool,
}

fn numbers(totals: &Totals) -> Vec<Number> {
    let number = |word, count, mood, urgency| Number { word, count, mood, urgency, is_always_told: true };
    let sometimes = |word, count: usize, mood, urgency| Number {
        is_always_told: false,
        ..number(word, count as u64, mood, urgency)
    };
    vec![
        number("held", totals.held as u64, Mood::Good, 4),
        number("repaired", totals.repaired, Mood::Change, 5),
        number("drifting", totals.differ as u64, Mood::Doubtful, 2),
        number("failed", totals.failed as u64, Mood::Bad, 0),
        number("blocked", totals.blocked as u64, Mood::Doubtful, 1),
        number("blind", totals.blind as u64, Mood::Doubtful, 3),
        sometimes("waiting", totals.waiting, Mood::Plain, 6),
        sometimes("ignored", totals.ignored, Mood::Doubtful, 7),
        sometimes("left alone", totals.left_alone, Mood::Plain, 8),
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

/// A name, with how long it has been busy if that is long.
fn work(status: &ResourceStatus, picture: &Picture<'_>) -> String {
    let span = status.busy.and_then(|since| picture.now.duration_since(since).ok()).unwrap_or_default();
    match span.as_secs() {
        0 => status.resource.to_string(),
        _ => format!("{} {}", status.resource, whole(span)),
    }
}

/// What is written now is not what is held, which must not go unnoticed.
fn refusal(picture: &Picture<'_>) -> Option<Row> {
    let refusal = picture.overview.refused.as_ref()?;
    let head = format!(" configuration refused at {}: ", picture.time(refusal.at));
    let row = Row::new().text(&head, picture.theme.mood(Mood::Bad));
    Some(row.text(first_line(&refusal.message), PLAIN))
}
