//! The lists, or the overlay that covers them.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::picture::Picture;
use super::{log, overlay, problems, resources};
use crate::ui_state::{Pane, UiState};

/// With fewer lines than this, only one list fits.
const TWO_LISTS: u16 = 9;

/// Draws the overlay or the lists: problems and log together if both fit, else the one with the focus.
pub(super) fn draw(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer, area: Rect) {
    if let Some(shown) = ui.overlay.clone() {
        overlay::draw(picture, &shown, &mut ui.lines, buffer, area);
        return;
    }
    ui.subject = None;
    match ui.pane {
        Pane::Resources => resources::draw(picture, ui, buffer, area),
        Pane::Problems if area.height < TWO_LISTS => problems::draw(picture, ui, buffer, area),
        Pane::Log if area.height < TWO_LISTS => log::draw(picture, ui, buffer, area),
        Pane::Problems => both(picture, ui, buffer, area, area.height * 2 / 3),
        Pane::Log => both(picture, ui, buffer, area, area.height / 2),
    }
}

/// The problems take as many lines as they need, up to `most`.
fn both(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer, area: Rect, most: u16) {
    let needed = problems::height(picture, ui).min(most);
    problems::draw(picture, ui, buffer, Rect { height: needed, ..area });
    let rest = Rect { y: area.y + needed, height: area.height - needed, ..area };
    log::draw(picture, ui, buffer, rest);
}
