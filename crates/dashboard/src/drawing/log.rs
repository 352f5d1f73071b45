//! What happened, the newest first.

use std::sync::Arc;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::{Happening, HappeningKind};

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::filter::Filter;
use crate::number::span;
use crate::scene::{Pane, Scene, Subject};
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::words::happening;

/// With fewer columns than this, how long something took has no room.
const ROOMY: usize = 60;

/// Draws the list. Who has moved down in it stays with what is selected, however much happens; who has not sees the
/// newest.
pub(super) fn draw(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer, area: Rect) {
    let is_chosen = scene.pane == Pane::Log;
    let title = rule::filtered("log".to_owned(), &scene.filter);
    let area = rule::draw(&title, is_chosen, buffer, area);
    let fitting = fitting(picture, &scene.filter);
    follow(scene, &fitting);
    scene.log.fit(fitting.len(), usize::from(area.height));
    let place = scene.log.selected;
    scene.anchor = fitting.get(place).map(|happening| (place, Arc::clone(happening)));
    let shown = fitting.iter().skip(scene.log.top).take(usize::from(area.height));
    let names = shown.clone().filter_map(|what| what.resource.as_ref().map(ToString::to_string));
    let wide = usize::from(area.width);
    let column = widest(names, if wide < ROOMY { wide / 2 } else { wide * 2 / 5 });
    let mut rows: Vec<Row> = shown.map(|what| row(picture, what, column, wide)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" nothing yet", FAINT));
    }
    let mut selected = None;
    if is_chosen && let Some((_, anchor)) = &scene.anchor {
        selected = Some((scene.log.selected - scene.log.top, SELECTED));
        scene.subject = Some(Subject::Happening(Arc::clone(anchor)));
    }
    draw_rows(&rows, selected, buffer, area);
}

fn fitting<'a>(picture: &'a Picture<'_>, filter: &Filter) -> Vec<&'a Arc<Happening>> {
    let fits = |what: &&Arc<Happening>| {
        let name = || what.resource.as_ref().map(ToString::to_string).unwrap_or_default();
        filter.is_empty() || filter.fits(&[&name(), happening(what).word, &happening(what).text])
    };
    picture.overview.happenings.iter().rev().filter(fits).collect()
}

/// What was selected has moved by as many lines as came on top of it.
fn follow(scene: &mut Scene, fitting: &[&Arc<Happening>]) {
    if let Some((before, anchor)) = &scene.anchor
        && scene.log.selected > 0
        && let Some(place) = fitting.iter().position(|happening| Arc::ptr_eq(happening, anchor))
    {
        scene.log.shift_to((scene.log.selected + place).saturating_sub(*before));
    }
}

fn row(picture: &Picture<'_>, what: &Happening, column: usize, wide: usize) -> Row {
    let (theme, told) = (picture.theme, happening(what));
    let row = Row::new()
        .text(" ", PLAIN)
        .text(&picture.times.short(what.at, picture.now), FAINT)
        .text(" ", PLAIN)
        .column(told.word, 10, theme.mood(told.mood));
    let row = match &what.resource {
        Some(resource) => row.name_column(&resource.to_string(), column, STRONG).text("  ", PLAIN),
        None => row,
    };
    let row = row.text(&told.text, PLAIN);
    // What went wrong is more to read than how long it took.
    let is_failure = matches!(what.kind, HappeningKind::Failed { .. });
    match what.took.filter(|_| wide >= ROOMY && !is_failure) {
        Some(took) => row.right(&format!("{} ", span(took)), FAINT),
        None => row,
    }
}
