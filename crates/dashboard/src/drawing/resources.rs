//! The list of everything that is held.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use uphold_status::{Page, ResourceStatus};

use super::picture::Picture;
use super::row::{Row, draw_rows, widest};
use super::rule;
use crate::number::grouped;
use crate::scene::{Scene, Subject};
use crate::theme::{FAINT, PLAIN, SELECTED, STRONG};
use crate::words::{change, status};

/// Draws the part of it that is seen; the rest is not even looked up.
pub(super) fn draw(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer, area: Rect) {
    let height = usize::from(area.height.saturating_sub(1));
    let page = look(picture, scene, height);
    let below = rule::draw(&title(scene, &page), true, buffer, area);
    let names = page.resources.iter().map(|status| status.resource.to_string());
    let column = widest(names, usize::from(area.width) / 2);
    let mut rows: Vec<Row> = page.resources.iter().map(|status| row(picture, status, column)).collect();
    if rows.is_empty() {
        rows.push(Row::new().text(" none", FAINT));
    }
    let index = scene.resources.selected - scene.resources.top;
    let subject = page.resources.get(index);
    scene.subject = subject.map(|status| Subject::Resource(status.resource.clone()));
    let selected = subject.map(|_| (index, SELECTED));
    draw_rows(&rows, selected, buffer, below);
}

/// The part that is seen. How many there are is known only then, so it may have to be looked up twice.
fn look(picture: &Picture<'_>, scene: &mut Scene, height: usize) -> Page {
    let cursor = &mut scene.resources;
    cursor.aim(height);
    let page = picture.view.page(&scene.filter.text, cursor.top, height);
    let aimed = cursor.top;
    cursor.fit(page.of, height);
    if cursor.top == aimed { page } else { picture.view.page(&scene.filter.text, cursor.top, height) }
}

fn title(scene: &Scene, page: &Page) -> String {
    let first = scene.resources.top + 1;
    let last = scene.resources.top + page.resources.len();
    let title = match page.of {
        0 => "all resources".to_owned(),
        of => format!("all resources, {} to {} of {}", grouped(first), grouped(last), grouped(of)),
    };
    rule::filtered(title, &scene.filter)
}

fn row(picture: &Picture<'_>, known: &ResourceStatus, column: usize) -> Row {
    let (theme, told) = (picture.theme, status(known));
    let row = Row::new()
        .text(" ", PLAIN)
        .column(told.word, 11, theme.mood(told.mood))
        .name_column(&known.resource.to_string(), column, STRONG)
        .text("  ", PLAIN)
        .text(&told.text, PLAIN);
    let changed = known.last_change.as_ref().map(|last| {
        let drifted = if known.drifted > 0 { format!("drifted {}, ", known.drifted) } else { String::new() };
        let what = change(last.kind, &last.properties);
        format!("{drifted}{what} {} ", picture.times.short(last.at, picture.now).trim_end())
    });
    match changed {
        Some(changed) => row.right(&changed, FAINT),
        None => row,
    }
}
