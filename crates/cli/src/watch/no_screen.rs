//! A build without the terminal view.

use uphold::Steering;
use uphold_status::StatusModel;

use crate::Session;

pub(super) enum Screen {}

impl Screen {
    pub(super) fn new(_: &StatusModel, _: &Steering, _: String, _: &Session) -> Option<Self> {
        None
    }

    pub(super) fn open(&mut self) -> bool {
        match *self {}
    }

    pub(super) fn redraw(&self) {
        match *self {}
    }

    pub(super) fn close(self) -> Option<String> {
        match self {}
    }
}
