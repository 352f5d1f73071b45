//! The terminal view of a watch.

use std::sync::Arc;

use uphold::model::Value;
use uphold::resource::Facts;
use uphold::{LocalHost, Steering};
use uphold_dashboard::{Bell, Dashboard, DashboardOptions};
use uphold_status::StatusModel;

use crate::{Session, runner};

/// Takes over the terminal once the configuration is valid; until then, errors are printed as usual.
pub(super) struct Screen {
    waiting: Option<DashboardOptions>,
    shown: Option<(Dashboard, Bell)>,
    signals: crate::signals::Signals,
}

impl Screen {
    /// A view of this board, if standard output is a suitable terminal.
    pub(super) fn new(
        board: &StatusModel,
        steering: &Steering,
        subject: String,
        session: &Session,
    ) -> Option<Self> {
        let is_taken = session.flags.json || session.flags.quiet || runner::is_on_terminal();
        if !Dashboard::is_possible() || is_dumb() || is_taken {
            return None;
        }
        let (reload, recheck) = (steering.clone(), steering.clone());
        let options = DashboardOptions {
            view: Arc::new(board.clone()),
            host: LocalHost::new().machine(),
            machine: machine_name(session),
            configuration: subject,
            colour: session.ui.data_paint().is_on(),
            stop: session.signals.stop().clone(),
            reload: Box::new(move || reload.reload()),
            recheck: Box::new(move || recheck.recheck()),
        };
        Some(Self { waiting: Some(options), shown: None, signals: session.signals.clone() })
    }

    /// Takes over the terminal; false if that fails, so that log lines are printed instead.
    pub(super) fn open(&mut self) -> bool {
        let Some(options) = self.waiting.take() else { return self.shown.is_some() };
        let Ok(dashboard) = Dashboard::start(options) else { return false };
        let (bell, terminal_mode) = (dashboard.bell(), dashboard.terminal_mode());
        self.signals.before_exit(move || terminal_mode.restore());
        self.shown = Some((dashboard, bell));
        true
    }

    /// Requests a redraw.
    pub(super) fn redraw(&self) {
        if let Some((_, bell)) = &self.shown {
            bell.ring();
        }
    }

    /// Restores the terminal; returns a summary if it was taken over.
    pub(super) fn close(self) -> Option<String> {
        self.shown.map(|(dashboard, _)| dashboard.join())
    }
}

/// The name of the host, or the path given with `--root`, which has no name of its own.
fn machine_name(session: &Session) -> String {
    if let Some(root) = &session.flags.root {
        return std::path::absolute(root).unwrap_or_else(|_| root.clone()).display().to_string();
    }
    match LocalHost::new().fact("hostname") {
        Ok(Value::Text(name)) => name.to_string(),
        _ => String::new(),
    }
}

/// Whether the terminal cannot move its cursor.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}
