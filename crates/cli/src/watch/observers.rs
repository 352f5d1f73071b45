//! The observers of a watch: its log, JSON lines, terminal view, status socket and service manager.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold::journal::LeftResource;
use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::resource::{Clock, Machine};
use uphold::{Event, EventKind, Generation, LocalHost, Program, ReloadTrigger, WatchReader};
use uphold_status::{Broadcast, StatusModel};
use uphold_wire::stream::Line;

use super::screen::Screen;
use super::service_manager::Supervision;
use crate::journal::Recording;
use crate::report::{Json, Report, Scene, WatchLog, left_resources, watch_text};
use crate::{CliError, Ui};

/// The number of resources that are no longer declared that a line of the log names.
const MOST_LEFT: usize = 10;

/// Passes events on to the status board, the output, the followers at the socket, and the service manager.
pub(super) struct Observers<'a> {
    pub(super) ui: &'a mut Ui,
    pub(super) log: WatchLog,
    pub(super) json: Json,
    /// Whether standard output is JSON.
    pub(super) prints_json: bool,
    pub(super) screen: Option<Screen>,
    pub(super) board: StatusModel,
    pub(super) broadcast: Option<Broadcast>,
    pub(super) supervision: Supervision,
    pub(super) clock: LocalHost,
    pub(super) reload: ReloadState,
    /// Its entries in the journal.
    pub(super) recording: Option<Recording>,
    pub(super) machine: Machine,
    /// The program in force.
    pub(super) program: Option<Arc<Program>>,
}

/// The state of reloads.
#[derive(Default)]
pub(super) struct ReloadState {
    /// The configuration in force.
    generation: Option<u64>,
    /// Whether a configuration was refused since the one in force.
    was_refused: bool,
    /// Whether a reload without effect is in progress, which is not reported.
    is_silent: bool,
}

impl Observers<'_> {
    fn redraw(&self) {
        if let Some(screen) = &self.screen {
            screen.redraw();
        }
    }

    fn now(&self) -> SystemTime {
        self.clock.now()
    }

    fn prints_log(&self) -> bool {
        !self.prints_json && self.screen.is_none()
    }

    /// Sends lines to followers and, with --json, to standard output.
    fn send_json(&mut self, lines: &[Line]) {
        for text in lines.iter().map(uphold_wire::line) {
            if let Some(broadcast) = &self.broadcast {
                broadcast.tell(&text);
            }
            if self.prints_json {
                self.ui.data(format_args!("{text}\n"));
            }
        }
        if self.prints_json {
            self.ui.flush();
        }
    }

    fn needs_json(&self) -> bool {
        self.prints_json || self.broadcast.as_ref().is_some_and(Broadcast::has_followers)
    }

    /// Records a refused configuration, with a message of one line.
    fn refused(&mut self, message: &str, now: SystemTime) {
        self.reload.was_refused = true;
        self.board.reload_failed(message, now);
        self.redraw();
        self.supervision.reloaded(&self.board);
    }

    fn started(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        if self.prints_json {
            self.json.diagnostics(diagnostics, sources, self.ui);
        } else {
            self.log.started(diagnostics, sources, self.ui);
        }
        if !diagnostics.has_errors() && self.screen.as_mut().is_some_and(|screen| !screen.open()) {
            self.screen = None;
        }
    }

    /// Updates the status board when another configuration is in force.
    fn enter(&mut self, generation: &Generation) {
        let last = self.reload.generation.replace(generation.number);
        if last != Some(generation.number) {
            self.board.hold(&generation.program);
            self.program = Some(generation.program.clone());
            let Some(recording) = &self.recording else { return };
            if last.is_none() {
                recording.journal.move_verifications(&generation.program);
            }
            recording.journal.declare(&generation.program, true, &generation.removals, &self.machine);
            // After removals, the rest was reported already.
            if self.log.occasion != Some(ReloadTrigger::Removed) {
                let left = recording.journal.left();
                self.report_left(&left);
            }
            self.report_unverified();
        }
    }

    /// With a screen, the end of the watch reports them.
    fn report_unverified(&mut self) {
        let now = self.now();
        if let Some(recording) = self.recording.as_ref().filter(|_| self.prints_log()) {
            for warning in recording.take_unverified() {
                self.log.at(now).warn(&warning, self.ui);
            }
        }
    }

    fn report_left(&mut self, left: &[LeftResource]) {
        if left.is_empty() {
            return;
        }
        let now = self.now();
        if self.needs_json() {
            self.send_json(&[Json::left(left, now)]);
        }
        if self.prints_log() {
            self.log.at(now).info(&left_resources::sentence(left, MOST_LEFT), self.ui);
            for refusal in left_resources::refusals(left).take(MOST_LEFT) {
                self.log.at(now).info(&format!("not removed: {refusal}"), self.ui);
            }
        }
    }

    /// Whether an event belongs to a reload without effect, which is not reported.
    fn is_silent(&mut self, event: &Event) -> bool {
        if let EventKind::Swapped { visited, left, .. } = event.kind {
            let was_asked = self.log.occasion == Some(ReloadTrigger::Asked);
            let is_fixed = std::mem::take(&mut self.reload.was_refused);
            let has_removed = self.log.occasion == Some(ReloadTrigger::Removed);
            self.reload.is_silent = visited == 0 && (left == 0 || has_removed) && !was_asked && !is_fixed;
        }
        let is_of_reload = matches!(
            event.kind,
            EventKind::Swapped { .. }
                | EventKind::RunStarted { .. }
                | EventKind::RunFinished(_)
                | EventKind::Output { .. }
                | EventKind::Watching { .. }
        );
        let silent = self.reload.is_silent && is_of_reload;
        if matches!(event.kind, EventKind::Watching { .. }) {
            self.reload.is_silent = false;
        }
        silent
    }

    /// Reports the end of the watch, and restores the terminal.
    pub(super) fn end(mut self, summary: &uphold::Summary, took: Duration) {
        self.ui.keep_all();
        let (now, totals) = (self.now(), self.board.overview(0).totals);
        let repaired = usize::try_from(totals.repaired).unwrap_or(usize::MAX);
        let sentence = watch_text::ended(summary, repaired, took);
        self.send_json(&[Json::watch_finished(summary, &sentence, now)]);
        match self.screen.take().and_then(Screen::close) {
            Some(summary) => self.ui.data(summary),
            None if !self.prints_json => self.log.at(now).info(&sentence, self.ui),
            None => {}
        }
        if let (Some(recording), Some(program)) = (&self.recording, &self.program) {
            recording.end(summary, program, self.ui);
        }
    }
}

impl WatchReader for Observers<'_> {
    fn reading(&mut self, occasion: &ReloadTrigger) {
        self.log.occasion = Some(occasion.clone());
        if occasion.is_user_request() {
            self.supervision.reloading();
        }
    }

    fn checked(&mut self, occasion: &ReloadTrigger, diagnostics: &Diagnostics, sources: &Sources) {
        if *occasion == ReloadTrigger::Start {
            return self.started(diagnostics, sources);
        }
        let now = self.now();
        if self.needs_json() {
            self.send_json(&Json::refusal(occasion, diagnostics, sources, now));
        }
        if self.prints_log() {
            self.log.at(now).checked(occasion, (diagnostics, sources), self.ui);
        }
        if diagnostics.has_errors() {
            self.refused(&first_error(diagnostics, sources), now);
        }
    }

    fn unreadable(&mut self, occasion: &ReloadTrigger, error: &uphold::Error) {
        let (now, message) = (self.now(), error.chain());
        let error = CliError::from(error);
        if self.needs_json() {
            self.send_json(&Json::unreadable(occasion, &error, now));
        }
        if self.prints_log() {
            self.log.at(now).unreadable(&error, self.ui);
        }
        self.refused(&message, now);
    }

    fn blind(&mut self, because: &str) {
        let now = self.now();
        if self.needs_json() {
            self.send_json(&[Json::blind(because, now)]);
        }
        if self.prints_log() {
            self.log.at(now).unwatched(because, self.ui);
        }
    }

    fn event(&mut self, event: &Event, generation: &Generation) {
        let now = self.now();
        self.enter(generation);
        if let Some(recording) = &self.recording {
            recording.event(event);
        }
        self.board.note(event, now);
        self.supervision.event(event, &self.board);
        self.redraw();
        if self.is_silent(event) {
            return;
        }
        let mut scene = Scene::outlined(&generation.program, &generation.outlines);
        if self.needs_json() {
            let line = self.json.watch_line(event, &mut scene, now);
            self.send_json(line.as_slice());
        }
        if self.prints_log() {
            self.log.at(now).event(event, &mut scene, self.ui);
        }
    }
}

/// The first error on one line: `site.hcl:3:1: unknown kind: …`.
fn first_error(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let is_error = |problem: &&Diagnostic| problem.severity() == Severity::Error;
    let Some(first) = uphold::sorted(diagnostics).into_iter().find(is_error) else {
        return String::new();
    };
    let at = first.place.map(|place| format!("{}: ", sources.describe(place))).unwrap_or_default();
    format!("{at}{}: {}", first.summary(), first.detail)
}
