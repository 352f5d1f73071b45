//! One frame of the screen.

use std::time::SystemTime;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use uphold::resource::Stop;
use uphold_status::Overview;

use super::{body, foot, head};
use crate::local_time::LocalTime;
use crate::theme::Theme;
use crate::ui_state::UiState;
use crate::view::View;

/// Most problems in their list; more are found among all resources.
const MOST_PROBLEMS: usize = 200;

/// With fewer lines than this, only the title is shown at the top.
const LOW: u16 = 9;

/// Whether a watch is ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is running.
    None,
    /// It ends when running actions are finished.
    Graceful,
    /// It ends at once.
    Urgent,
}

impl Ending {
    /// The state of a stop request.
    pub(crate) fn of(stop: &Stop) -> Self {
        match (stop.is_requested(), stop.is_urgent()) {
            (_, true) => Ending::Urgent,
            (true, false) => Ending::Graceful,
            (false, false) => Ending::None,
        }
    }
}

/// The data of a frame.
pub(crate) struct Picture<'a> {
    /// Further data on request.
    pub(crate) view: &'a dyn View,
    /// The overview.
    pub(crate) overview: Overview,
    /// The time of the frame.
    pub(crate) now: SystemTime,
    /// The format of times.
    pub(crate) times: &'a LocalTime,
    /// Colours and styles.
    pub(crate) theme: Theme,
    /// The name of the machine.
    pub(crate) machine: &'a str,
    /// The name of the configuration.
    pub(crate) configuration: &'a str,
    /// Whether the watch is ending.
    pub(crate) ending: Ending,
}

impl Picture<'_> {
    /// Reads the overview; further data is read while drawing.
    pub(crate) fn overview(view: &dyn View) -> Overview {
        view.overview(MOST_PROBLEMS)
    }

    /// `12:03:04`.
    pub(crate) fn time(&self, at: SystemTime) -> String {
        self.times.long(at, self.now)
    }
}

/// Draws a frame, and returns the position of the cursor, if it is visible.
///
/// The cost grows with the size of the screen, not with the number of resources.
pub(crate) fn draw(picture: &Picture<'_>, ui: &mut UiState, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    let mut rows = head::rows(picture, usize::from(area.width));
    if area.height < LOW {
        rows.truncate(1);
    }
    for (row, line) in rows.iter().zip(area.rows()) {
        row.draw(buffer, line);
    }
    let top = u16::try_from(rows.len()).unwrap_or(area.height).min(area.height);
    let rest = Rect { y: area.y + top, height: area.height - top, ..area };
    let foot = Rect { y: rest.bottom().saturating_sub(1), height: rest.height.min(1), ..rest };
    body::draw(picture, ui, buffer, Rect { height: rest.height - foot.height, ..rest });
    foot::draw(ui, buffer, foot)
}
