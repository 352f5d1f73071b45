//! The list of resources that need attention.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::ResourceStatus;

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::number::grouped;
use crate::summary::{next, status};
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::ui_state::{Pane, Subject, UiState};

/// The number of lines that the list needs.
pub(super) fn height(picture: &Picture<'_>, ui: &UiState) -> u16 {
    let fitting = fitting(picture, ui).len();
    // One line for the title, and at least one for the list.
    u16::try_from(fitting.max(1) + 1).unwrap_or(u16::MAX)
}

/// Draws the list.
pub(super) fn draw(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer, area: Rect) {
    let is_chosen = ui.pane == Pane::Problems;
    let area = rule::draw(&title(picture, ui), is_chosen, buffer, area);
    let fitting = fitting(picture, ui);
    ui.problems.fit(fitting.len(), usize::from(area.height));
    let shown = fitting.iter().skip(ui.problems.top).take(usize::from(area.height));
    let names = shown.clone().map(|trouble| trouble.resource.to_string());
    let column = widest(names, usize::from(area.width) * 2 / 5);
    let mut rows: Vec<Row> = shown.map(|trouble| row(picture, trouble, column)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" none", FAINT));
    }
    let mut selected = None;
    if is_chosen && !fitting.is_empty() {
        selected = Some((ui.problems.selected - ui.problems.top, SELECTED));
        let subject = fitting.get(ui.problems.selected);
        ui.subject = subject.map(|trouble| Subject::Resource(trouble.resource.clone()));
    }
    draw_rows(&rows, selected, buffer, area);
}

fn title(picture: &Picture<'_>, ui: &UiState) -> String {
    let overview = &picture.overview;
    let all = grouped(overview.problems.len() + overview.more_problems);
    let title = match overview.more_problems {
        0 => format!("problems {all}"),
        _ => format!("problems, the first {} of {all}", overview.problems.len()),
    };
    rule::filtered(title, &ui.filter)
}

fn fitting<'a>(picture: &'a Picture<'_>, ui: &UiState) -> Vec<&'a ResourceStatus> {
    let fits = |trouble: &&ResourceStatus| {
        ui.filter.is_empty() || ui.filter.fits(&[&trouble.resource.to_string(), &status(trouble).text])
    };
    picture.overview.problems.iter().filter(fits).collect()
}

fn row(picture: &Picture<'_>, trouble: &ResourceStatus, column: usize) -> Row {
    let (theme, summary) = (picture.theme, status(trouble));
    let row = Row::new()
        .text(" ", PLAIN)
        .column(summary.word, 11, theme.tone(summary.tone))
        .name_column(&trouble.resource.to_string(), column, STRONG)
        .text("  ", PLAIN)
        .text(&summary.text, PLAIN);
    match next(trouble, picture.now) {
        Some(next) => row.right(&format!("{next} "), FAINT),
        None => row,
    }
}
