//! The list of all resources.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::{Page, ResourceStatus};

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::number::grouped;
use crate::summary::{change, status};
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::ui_state::{Subject, UiState};

/// Draws the visible part; the rest is not even read.
pub(super) fn draw(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer, area: Rect) {
    let height = usize::from(area.height.saturating_sub(1));
    let page = read_page(picture, ui, height);
    let below = rule::draw(&title(ui, &page), true, buffer, area);
    let names = page.resources.iter().map(|status| status.resource.to_string());
    let column = widest(names, usize::from(area.width) / 2);
    let mut rows: Vec<Row> = page.resources.iter().map(|status| row(picture, status, column)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" none", FAINT));
    }
    let index = ui.resources.selected - ui.resources.top;
    let subject = page.resources.get(index);
    ui.subject = subject.map(|status| Subject::Resource(status.resource.clone()));
    let selected = subject.map(|_| (index, SELECTED));
    draw_rows(&rows, selected, buffer, below);
}

/// Reads the visible part. Its length is only known then, so it may have to be read twice.
fn read_page(picture: &Picture<'_>, ui: &mut UiState, height: usize) -> Page {
    let cursor = &mut ui.resources;
    cursor.aim(height);
    let page = picture.view.page(&ui.filter.text, cursor.top, height);
    let aimed = cursor.top;
    cursor.fit(page.of, height);
    if cursor.top == aimed { page } else { picture.view.page(&ui.filter.text, cursor.top, height) }
}

fn title(ui: &UiState, page: &Page) -> String {
    let first = ui.resources.top + 1;
    let last = ui.resources.top + page.resources.len();
    let title = match page.of {
        0 => "all resources".to_owned(),
        of => format!("all resources, {} to {} of {}", grouped(first), grouped(last), grouped(of)),
    };
    rule::filtered(title, &ui.filter)
}

fn row(picture: &Picture<'_>, known: &ResourceStatus, column: usize) -> Row {
    let (theme, summary) = (picture.theme, status(known));
    let row = Row::new()
        .text(" ", PLAIN)
        .column(summary.word, 11, theme.tone(summary.tone))
        .name_column(&known.resource.to_string(), column, STRONG)
        .text("  ", PLAIN)
        .text(&summary.text, PLAIN);
    let changed = known.last_change.as_ref().map(|last| {
        let drifted = if known.drifted > 0 { format!("drifted {}, ", known.drifted) } else { String::new() };
        let what = change(last.change, &last.properties);
        format!("{drifted}{what} {} ", picture.times.short(last.at, picture.now).trim_end())
    });
    match changed {
        Some(changed) => row.right(&changed, FAINT),
        None => row,
    }
}
