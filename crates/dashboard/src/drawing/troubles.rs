//! The list of what is not as it should be.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::ResourceStatus;

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::number::grouped;
use crate::scene::{Pane, Scene, Subject};
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::words::{next, status};

/// How many lines it would take.
pub(super) fn height(picture: &Picture<'_>, scene: &Scene) -> u16 {
    let fitting = fitting(picture, scene).len();
    // One line for the title, and one to say that there is nothing.
    u16::try_from(fitting.max(1) + 1).unwrap_or(u16::MAX)
}

/// Draws the list.
pub(super) fn draw(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer, area: Rect) {
    let is_chosen = scene.pane == Pane::Troubles;
    let area = rule::draw(&title(picture, scene), is_chosen, buffer, area);
    let fitting = fitting(picture, scene);
    scene.troubles.fit(fitting.len(), usize::from(area.height));
    let shown = fitting.iter().skip(scene.troubles.top).take(usize::from(area.height));
    let names = shown.clone().map(|trouble| trouble.resource.to_string());
    let column = widest(names, usize::from(area.width) * 2 / 5);
    let mut rows: Vec<Row> = shown.map(|trouble| row(picture, trouble, column)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" none", FAINT));
    }
    let mut selected = None;
    if is_chosen && !fitting.is_empty() {
        selected = Some((scene.troubles.selected - scene.troubles.top, SELECTED));
        let subject = fitting.get(scene.troubles.selected);
        scene.subject = subject.map(|trouble| Subject::Resource(trouble.resource.clone()));
    }
    draw_rows(&rows, selected, buffer, area);
}

fn title(picture: &Picture<'_>, scene: &Scene) -> String {
    let overview = &picture.overview;
    let all = grouped(overview.troubles.len() + overview.more_troubles);
    let title = match overview.more_troubles {
        0 => format!("troubles {all}"),
        _ => format!("troubles, the first {} of {all}", overview.troubles.len()),
    };
    rule::filtered(title, &scene.filter)
}

fn fitting<'a>(picture: &'a Picture<'_>, scene: &Scene) -> Vec<&'a ResourceStatus> {
    let fits = |trouble: &&ResourceStatus| {
        scene.filter.is_empty() || scene.filter.fits(&[&trouble.resource.to_string(), &status(trouble).text])
    };
    picture.overview.troubles.iter().filter(fits).collect()
}

fn row(picture: &Picture<'_>, trouble: &ResourceStatus, column: usize) -> Row {
    let (theme, told) = (picture.theme, status(trouble));
    let row = Row::new()
        .text(" ", PLAIN)
        .column(told.word, 11, theme.mood(told.mood))
        .name_column(&trouble.resource.to_string(), column, STRONG)
        .text("  ", PLAIN)
        .text(&told.text, PLAIN);
    match next(trouble, picture.now) {
        Some(next) => row.right(&format!("{next} "), FAINT),
        None => row,
    }
}
