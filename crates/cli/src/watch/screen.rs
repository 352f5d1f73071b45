//! The terminal view of a watch.

use std::sync::Arc;

use uphold::resource::Facts;
use uphold::{LocalHost, Steering};
use uphold_dashboard::{Bell, Dashboard, Setting};
use uphold_status::Board;

use crate::logging;
use crate::session::Session;

/// Takes the terminal when the configuration is sound, and not before: mistakes are printed as always.
pub(super) struct Screen {
    waiting: Option<Setting>,
    shown: Option<(Dashboard, Bell)>,
    signals: crate::signals::Signals,
}

impl Screen {
    /// A view of this board, if there is a terminal for it.
    pub(super) fn new(
        board: &Board,
        steering: &Steering,
        subject: String,
        session: &Session,
    ) -> Option<Self> {
        let is_taken = session.flags.json || session.flags.quiet || logging::is_on_terminal();
        if !Dashboard::is_possible() || is_dumb() || is_taken {
            return None;
        }
        let host = session.host().unwrap_or_else(|_| LocalHost::new());
        let machine = host.fact("hostname").map_or_else(|_| String::new(), |name| name.to_string());
        let (reload, recheck) = (steering.clone(), steering.clone());
        let setting = Setting {
            view: Arc::new(board.clone()),
            host: LocalHost::new().machine(),
            machine: machine.trim_matches('"').to_owned(),
            configuration: subject,
            colour: session.ui.is_data_coloured(),
            stop: session.signals.stop().clone(),
            reload: Box::new(move || reload.reload()),
            recheck: Box::new(move || recheck.recheck()),
        };
        Some(Self { waiting: Some(setting), shown: None, signals: session.signals.clone() })
    }

    /// Takes the terminal; false if that cannot be done, and lines must do.
    pub(super) fn open(&mut self) -> bool {
        let Some(setting) = self.waiting.take() else { return self.shown.is_some() };
        let Ok(dashboard) = Dashboard::start(setting) else { return false };
        let (bell, lifeline) = (dashboard.bell(), dashboard.lifeline());
        self.signals.before_exit(move || lifeline.restore());
        self.shown = Some((dashboard, bell));
        true
    }

    /// Something is to be seen.
    pub(super) fn ring(&self) {
        self.shown.iter().for_each(|(_, bell)| bell.ring());
    }

    /// Gives the terminal back; a few lines about what happened, if it was taken.
    pub(super) fn close(self) -> Option<String> {
        self.shown.map(|(dashboard, _)| dashboard.join())
    }
}

/// One that cannot move its cursor.
#[expect(clippy::disallowed_methods, reason = "the command takes up what its user set; no library does")]
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}
