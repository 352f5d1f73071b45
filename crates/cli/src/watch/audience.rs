//! Who is told what happens in a watch.

use std::time::{Duration, SystemTime};

use uphold::model::{Diagnostics, Sources};
use uphold::resource::Clock;
use uphold::{Event, EventKind, Generation, LocalHost, Occasion, WatchReader};
use uphold_status::{Board, Broadcast};
use uphold_wire::stream::Line;

use super::screen::Screen;
use super::supervision::Supervision;
use crate::error::CliError;
use crate::report::{Chronicle, Json, Report, Scene, watch_sentence};
use crate::ui::Ui;

/// Passes everything on: to the board, to a person or a program that reads the output, to those who follow over the
/// socket, and to the service manager.
pub(super) struct Audience<'a> {
    pub(super) ui: &'a mut Ui,
    pub(super) chronicle: Chronicle,
    pub(super) json: Json,
    /// Whether standard output is for programs.
    pub(super) prints_json: bool,
    pub(super) screen: Option<Screen>,
    pub(super) board: Board,
    pub(super) broadcast: Option<Broadcast>,
    pub(super) supervision: Supervision,
    pub(super) clock: LocalHost,
    pub(super) progress: Progress,
}

/// How far the watch has come.
#[derive(Default)]
pub(super) struct Progress {
    /// The configuration that is held.
    generation: Option<u64>,
    /// Why the configuration was read last, and whether one was refused since the last that was held.
    occasion: Option<Occasion>,
    was_refused: bool,
    /// Whether a swap goes on that nobody needs to hear of.
    is_silent: bool,
}

impl Audience<'_> {
    fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// Whether standard output is for a person who reads lines.
    fn prints_lines(&self) -> bool {
        !self.prints_json && self.screen.is_none()
    }

    /// To programs, wherever they are.
    fn tell_programs(&mut self, lines: &[Line]) {
        for text in lines.iter().map(uphold_wire::line) {
            self.broadcast.iter().for_each(|broadcast| broadcast.tell(&text));
            if self.prints_json {
                self.ui.data(format_args!("{text}\n"));
            }
        }
        if self.prints_json {
            self.ui.flush();
        }
    }

    fn has_programs(&self) -> bool {
        self.prints_json || self.broadcast.as_ref().is_some_and(Broadcast::has_followers)
    }

    /// A refusal in one line, for the board.
    fn refused(&mut self, message: &str, now: SystemTime) {
        self.progress.was_refused = true;
        self.board.reload_refused(message, now);
        self.screen.iter().for_each(Screen::ring);
        self.supervision.reloaded(&self.board);
    }

    fn started(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        match self.prints_json {
            true => self.json.diagnostics(diagnostics, sources, self.ui),
            false => self.chronicle.begins(diagnostics, sources, self.ui),
        }
        let opens = !diagnostics.has_errors();
        if opens && self.screen.as_mut().is_some_and(|screen| !screen.open()) {
            self.screen = None;
        }
    }

    /// Another configuration may be held from now on.
    fn enter(&mut self, held: &Generation) {
        if self.progress.generation.replace(held.number) != Some(held.number) {
            self.board.hold(&held.program);
        }
    }

    /// Whether nobody needs to hear of it: a configuration that was read again says the same as before.
    fn is_silent(&mut self, event: &Event) -> bool {
        if let EventKind::Swapped { visited, left, .. } = event.kind {
            let was_asked = self.progress.occasion == Some(Occasion::Asked);
            let is_mended = std::mem::take(&mut self.progress.was_refused);
            self.progress.is_silent = visited == 0 && left == 0 && !was_asked && !is_mended;
        }
        let is_frame = matches!(
            event.kind,
            EventKind::Swapped { .. }
                | EventKind::RunStarted { .. }
                | EventKind::RunFinished(_)
                | EventKind::Output { .. }
                | EventKind::Watching { .. }
        );
        let silent = self.progress.is_silent && is_frame;
        if matches!(event.kind, EventKind::Watching { .. }) {
            self.progress.is_silent = false;
        }
        silent
    }

    /// The watch is over: tells everybody so, and gives the terminal back.
    pub(super) fn end(mut self, summary: &uphold::Summary, took: Duration) {
        self.ui.keep_all();
        let (now, totals) = (self.now(), self.board.overview(0).totals);
        let repaired = usize::try_from(totals.repaired).unwrap_or(usize::MAX);
        let sentence = watch_sentence::ended(summary, repaired, took);
        let line = self.json.watch_finished(summary, &sentence, now);
        self.tell_programs(&[line]);
        match self.screen.take().and_then(Screen::close) {
            Some(farewell) => self.ui.data(farewell),
            None if !self.prints_json => self.chronicle.ended(&sentence, now, self.ui),
            None => {}
        }
    }
}

impl WatchReader for Audience<'_> {
    fn reading(&mut self, occasion: &Occasion) {
        self.progress.occasion = Some(occasion.clone());
        self.chronicle.reading(occasion);
        if occasion.is_awaited() {
            self.supervision.reloading();
        }
    }

    fn checked(&mut self, occasion: &Occasion, diagnostics: &Diagnostics, sources: &Sources) {
        if *occasion == Occasion::Start {
            return self.started(diagnostics, sources);
        }
        let now = self.now();
        if self.has_programs() {
            let lines = self.json.refusal(occasion, diagnostics, sources, now);
            self.tell_programs(&lines);
        }
        if self.prints_lines() {
            self.chronicle.checked(occasion, (diagnostics, sources), now, self.ui);
        }
        if diagnostics.has_errors() {
            self.refused(&first_error(diagnostics, sources), now);
        }
    }

    fn unreadable(&mut self, occasion: &Occasion, error: &uphold::Error) {
        let (now, message) = (self.now(), error.chain());
        let error = CliError::from(error);
        if self.has_programs() {
            let lines = self.json.unreadable(occasion, &error, now);
            self.tell_programs(&lines);
        }
        if self.prints_lines() {
            self.chronicle.unreadable(&error, now, self.ui);
        }
        self.refused(&message, now);
    }

    fn blind(&mut self, because: &str) {
        let now = self.now();
        if self.has_programs() {
            let line = self.json.blind(because, now);
            self.tell_programs(&[line]);
        }
        if self.prints_lines() {
            self.chronicle.unwatched(because, now, self.ui);
        }
    }

    fn event(&mut self, event: &Event, held: &Generation) {
        let now = self.now();
        self.enter(held);
        self.board.note(event, now);
        self.supervision.event(event, &self.board);
        self.screen.iter().for_each(Screen::ring);
        if self.is_silent(event) {
            return;
        }
        let mut scene = Scene::outlined(&held.program, &held.outlines);
        if self.has_programs() {
            let line = self.json.line_of(event, &mut scene, now);
            self.tell_programs(line.as_slice());
        }
        if self.prints_lines() {
            self.chronicle.event(event, &mut scene, now, self.ui);
        }
    }
}

/// `site.hcl:3:1: unknown name: there is no …`, for those who have one line.
fn first_error(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let is_error =
        |problem: &&uphold::model::Diagnostic| problem.severity() == uphold::model::Severity::Error;
    let Some(first) = uphold::sorted(diagnostics).into_iter().find(is_error) else {
        return String::new();
    };
    let at = first.place.map(|place| format!("{}: ", sources.describe(place))).unwrap_or_default();
    format!("{at}{}: {}", first.summary(), first.detail)
}
