//! The list of events, the newest first.

use std::sync::Arc;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::{RecentEvent, WatchEventKind};

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::filter::Filter;
use crate::number::span;
use crate::summary::happening;
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::ui_state::{Pane, Subject, UiState};

/// With fewer columns than this, durations are not shown.
const ROOMY: usize = 60;

/// Draws the list. If the selection is the first line, it stays there and shows the newest event; else it follows its
/// event.
pub(super) fn draw(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer, area: Rect) {
    let is_chosen = ui.pane == Pane::Log;
    let title = rule::filtered("log".to_owned(), &ui.filter);
    let area = rule::draw(&title, is_chosen, buffer, area);
    let fitting = fitting(picture, &ui.filter);
    follow(ui, &fitting);
    ui.log.fit(fitting.len(), usize::from(area.height));
    let place = ui.log.selected;
    ui.anchor = fitting.get(place).map(|happening| (place, Arc::clone(happening)));
    let shown = fitting.iter().skip(ui.log.top).take(usize::from(area.height));
    let names = shown.clone().filter_map(|what| what.resource.as_ref().map(ToString::to_string));
    let wide = usize::from(area.width);
    let column = widest(names, if wide < ROOMY { wide / 2 } else { wide * 2 / 5 });
    let mut rows: Vec<Row> = shown.map(|what| row(picture, what, column, wide)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" nothing yet", FAINT));
    }
    let mut selected = None;
    if is_chosen && let Some((_, anchor)) = &ui.anchor {
        selected = Some((ui.log.selected - ui.log.top, SELECTED));
        ui.subject = Some(Subject::RecentEvent(Arc::clone(anchor)));
    }
    draw_rows(&rows, selected, buffer, area);
}

fn fitting<'a>(picture: &'a Picture<'_>, filter: &Filter) -> Vec<&'a Arc<RecentEvent>> {
    let fits = |what: &&Arc<RecentEvent>| {
        let name = || what.resource.as_ref().map(ToString::to_string).unwrap_or_default();
        filter.is_empty() || filter.fits(&[&name(), happening(what).word, &happening(what).text])
    };
    picture.overview.events.iter().rev().filter(fits).collect()
}

/// Moves the selection down by the number of events that were added above it.
fn follow(ui: &mut UiState, fitting: &[&Arc<RecentEvent>]) {
    if let Some((before, anchor)) = &ui.anchor
        && ui.log.selected > 0
        && let Some(place) = fitting.iter().position(|happening| Arc::ptr_eq(happening, anchor))
    {
        ui.log.shift_to((ui.log.selected + place).saturating_sub(*before));
    }
}

fn row(picture: &Picture<'_>, what: &RecentEvent, column: usize, wide: usize) -> Row {
    let (theme, summary) = (picture.theme, happening(what));
    let row = Row::new()
        .text(" ", PLAIN)
        .text(&picture.times.short(what.at, picture.now), FAINT)
        .text(" ", PLAIN)
        .column(summary.word, 10, theme.tone(summary.tone));
    let row = match &what.resource {
        Some(resource) => row.name_column(&resource.to_string(), column, STRONG).text("  ", PLAIN),
        None => row,
    };
    let row = row.text(&summary.text, PLAIN);
    // The message of a failure gets the room of its duration.
    let is_failure = matches!(what.kind, WatchEventKind::Failed { .. });
    match what.duration.filter(|_| wide >= ROOMY && !is_failure) {
        Some(took) => row.right(&format!("{} ", span(took)), FAINT),
        None => row,
    }
}
