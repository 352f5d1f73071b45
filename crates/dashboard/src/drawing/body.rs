//! The lists, or the sheet over them.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::picture::Picture;
use super::{log, resources, sheet, troubles};
use crate::scene::{Pane, Scene};

/// With fewer lines than this, there is room for one list.
const TWO_LISTS: u16 = 9;

/// Draws what fits: the troubles and the log together if there is room, else the one that is chosen.
pub(super) fn draw(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer, area: Rect) {
    if let Some(shown) = scene.sheet.clone() {
        sheet::draw(picture, &shown, &mut scene.lines, buffer, area);
        return;
    }
    scene.subject = None;
    match scene.pane {
        Pane::Resources => resources::draw(picture, scene, buffer, area),
        Pane::Troubles if area.height < TWO_LISTS => troubles::draw(picture, scene, buffer, area),
        Pane::Log if area.height < TWO_LISTS => log::draw(picture, scene, buffer, area),
        Pane::Troubles => both(picture, scene, buffer, area, area.height * 2 / 3),
        Pane::Log => both(picture, scene, buffer, area, area.height / 2),
    }
}

/// The troubles take what they need, up to `most` lines.
fn both(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer, area: Rect, most: u16) {
    let needed = troubles::height(picture, scene).min(most);
    troubles::draw(picture, scene, buffer, Rect { height: needed, ..area });
    let rest = Rect { y: area.y + needed, height: area.height - needed, ..area };
    log::draw(picture, scene, buffer, rest);
}
