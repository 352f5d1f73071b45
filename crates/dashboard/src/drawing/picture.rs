//! The whole screen.

use std::time::SystemTime;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use uphold::resource::Stop;
use uphold_status::Overview;

use super::{body, foot, head};
use crate::local_time::LocalTime;
use crate::scene::Scene;
use crate::theme::Theme;
use crate::view::View;

/// How many troubles are listed: who has more of them looks among all resources.
const MOST_TROUBLES: usize = 200;

/// With fewer lines than this there is no room for what is busy.
const LOW: u16 = 9;

/// How far a watch is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It goes on.
    None,
    /// It was asked to end.
    Kindly,
    /// It was asked to end at once.
    Urgently,
}

impl Ending {
    /// As far as this says.
    pub(crate) fn of(stop: &Stop) -> Self {
        match (stop.is_requested(), stop.is_urgent()) {
            (_, true) => Ending::Urgently,
            (true, false) => Ending::Kindly,
            (false, false) => Ending::None,
        }
    }
}

/// What a picture is made of.
pub(crate) struct Picture<'a> {
    /// Where to look things up.
    pub(crate) view: &'a dyn View,
    /// The whole in short.
    pub(crate) overview: Overview,
    /// The time of the picture.
    pub(crate) now: SystemTime,
    /// How times are told.
    pub(crate) times: &'a LocalTime,
    /// How things look.
    pub(crate) theme: Theme,
    /// What the machine is called.
    pub(crate) machine: &'a str,
    /// What the configuration is called.
    pub(crate) configuration: &'a str,
    /// Whether the watch is about to end.
    pub(crate) ending: Ending,
}

impl Picture<'_> {
    /// Looks at the whole in short; the rest is looked up when it is drawn.
    pub(crate) fn overview(view: &dyn View) -> Overview {
        view.overview(MOST_TROUBLES)
    }

    /// `12:03:04`.
    pub(crate) fn time(&self, at: SystemTime) -> String {
        self.times.long(at, self.now)
    }
}

/// Draws everything, and says where the cursor goes, if it is to be seen.
///
/// The cost grows with the size of the screen, not with the number of resources.
pub(crate) fn draw(picture: &Picture<'_>, scene: &mut Scene, buffer: &mut Buffer) -> Option<Position> {
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
    body::draw(picture, scene, buffer, Rect { height: rest.height - foot.height, ..rest });
    foot::draw(scene, buffer, foot)
}
