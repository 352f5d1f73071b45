//! The log of a watch, for people.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use uphold::model::{Diagnostics, Name, ResourceId, Sources};
use uphold::resource::{Level, Stop};
use uphold::{Event, EventKind, Mode, Occasion, Skip, Verdict};

use super::failure::{self, Weight, indented, show_error};
use super::human::{Human, shown};
use super::known_troubles::{KnownTroubles, Transition};
use super::property_lines::PropertyLines;
use super::reporter::{Report, Scene};
use super::{span, watch_text};
use crate::diagnostics::{self, count};
use crate::{CliError, Flags, Paint, Ui, clean};

/// The number of resources that cannot be watched that are listed; `uphold status` lists all.
const MOST_BLIND: usize = 10;

/// Prints a line with a time for each event: changes to standard output, failures to standard error. Visits without a
/// difference are not printed. The first run is printed as by apply.
pub(crate) struct WatchLog {
    human: Human,
    quiet: bool,
    verbose: bool,
    zone: TimeZone,
    /// Whether the first run is over.
    is_watching: bool,
    troubles: KnownTroubles,
    /// The outputs as last printed.
    outputs: HashMap<Name, String>,
    /// The number of resources that cannot be watched.
    unwatchable: usize,
    /// The reason for the last reload.
    occasion: Option<Occasion>,
}

impl WatchLog {
    pub(crate) fn new(flags: &Flags, audit: bool, stop: &Stop) -> Self {
        Self {
            human: Human::new(flags, audit, stop),
            quiet: flags.quiet,
            verbose: flags.verbose,
            zone: TimeZone::system(),
            is_watching: false,
            troubles: KnownTroubles::default(),
            outputs: HashMap::new(),
            unwatchable: 0,
            occasion: None,
        }
    }

    /// The configuration was checked for the first time.
    pub(crate) fn started(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.human.diagnostics(diagnostics, sources, ui);
    }

    /// The configuration is about to be reloaded.
    pub(crate) fn reading(&mut self, occasion: &Occasion) {
        self.occasion = Some(occasion.clone());
    }

    /// The configuration was reloaded.
    pub(crate) fn checked(
        &mut self,
        occasion: &Occasion,
        (diagnostics, sources): (&Diagnostics, &Sources),
        now: SystemTime,
        ui: &mut Ui,
    ) {
        diagnostics::show_each(diagnostics, sources, !self.quiet && occasion.is_awaited(), ui);
        if diagnostics.has_errors() {
            let because = clean(&occasion.to_string()).into_owned();
            let refused = watch_text::refused(diagnostics);
            self.error(&format!("cannot reload the configuration ({because}): {refused}"), now, ui);
        }
    }

    /// The configuration could not be read.
    pub(crate) fn unreadable(&mut self, error: &CliError, now: SystemTime, ui: &mut Ui) {
        show_error(error, ui);
        self.error(&format!("cannot reload the configuration: {}", watch_text::UNREADABLE), now, ui);
    }

    /// The files of the configuration cannot be watched.
    pub(crate) fn unwatched(&mut self, because: &str, now: SystemTime, ui: &mut Ui) {
        self.warn(&format!("the configuration cannot be watched, and is polled instead: {because}"), now, ui);
    }

    pub(crate) fn event(&mut self, event: &Event, scene: &mut Scene<'_>, now: SystemTime, ui: &mut Ui) {
        if !self.is_watching {
            self.first_run(event, scene, ui);
        } else if let EventKind::Finished { .. } = event.kind {
            self.finished(event, scene, now, ui);
        }
        match &event.kind {
            EventKind::Watching { resources } => self.watching(*resources, now, ui),
            EventKind::Swapped { kept, visited, left, .. } => self.swapped(*kept, *visited, *left, now, ui),
            EventKind::Blind { resource, because, every } => {
                self.unwatchable(resource, because, *every, now, ui)
            }
            EventKind::ReportsLost => {
                self.warn("change events were lost; everything is checked again", now, ui);
            }
            EventKind::BackingOff { resource, after, .. } if self.verbose => {
                let words = format!("{resource} is retried in {}", span::words(*after));
                self.info(&words, now, ui);
            }
            _ if self.is_watching => self.other_event(event, now, ui),
            _ => {}
        }
    }

    /// Prints an event as apply does, and records problems.
    fn first_run(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.human.event(event, scene, ui);
        match &event.kind {
            EventKind::Finished { resource, verdict, .. } => _ = self.troubles.record(resource, verdict),
            EventKind::Output { name, value: Ok(value) } => {
                self.outputs.insert(name.clone(), shown(value, Mode::Apply));
            }
            _ => {}
        }
    }

    fn watching(&mut self, resources: usize, now: SystemTime, ui: &mut Ui) {
        self.unwatchable = 0;
        if !std::mem::replace(&mut self.is_watching, true) {
            self.info(&format!("watching {}", count(resources, "resource")), now, ui);
        }
    }

    /// A reload because of a live value is printed only with -v; the changes that it causes have that reason.
    fn swapped(&self, kept: usize, visited: usize, left: usize, now: SystemTime, ui: &mut Ui) {
        let is_live = matches!(self.occasion, Some(Occasion::Live(_)));
        if self.verbose || !is_live {
            let why = self.occasion.as_ref().map(|occasion| format!(" because {occasion}"));
            let what = watch_text::swapped(kept, visited, left);
            self.info(&format!("reloaded{}: {what}", why.unwrap_or_default()), now, ui);
        }
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>, now: SystemTime, ui: &mut Ui) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let transition = self.troubles.record(resource, verdict);
        let because = || {
            format!("because {} ({})", watch_text::reason(cause, self.occasion.as_ref()), span::fine(*took))
        };
        match verdict {
            Verdict::Changed(change) | Verdict::Differs(change) if transition != Transition::SameTrouble => {
                let word = watch_text::result_word(verdict, change, cause);
                let what = watch_text::differences(change, action);
                self.info(&format!("{word} {resource}: {what}, {}", because()), now, ui);
                if self.verbose && !self.quiet {
                    let paint = Paint::new(ui.is_data_coloured());
                    ui.data(PropertyLines { paint, verbose: true }.change(change));
                    ui.flush();
                }
            }
            Verdict::Failed(failure) | Verdict::Ignored(failure)
                if transition == Transition::NewTrouble || self.verbose =>
            {
                let place = failure.place.map(|place| scene.lines().describe(place));
                let at = place.or_else(|| scene.written_at(resource));
                let paint = Paint::new(ui.is_talk_coloured());
                let properties = PropertyLines { paint, verbose: self.verbose };
                let weight =
                    if matches!(verdict, Verdict::Failed(_)) { Weight::Error } else { Weight::Warning };
                let text =
                    failure::failure(weight, &resource.to_string(), failure, at.as_deref(), &properties);
                ui.talk(format_args!("{} {text}", self.time(now)));
            }
            Verdict::Skipped(Skip::FailedBefore(root)) if transition == Transition::NewTrouble => {
                self.error(&format!("{resource} is blocked: {root} failed"), now, ui);
            }
            _ if transition == Transition::Recovered => {
                self.info(&format!("recovered {resource}, {}", because()), now, ui)
            }
            _ => {}
        }
    }

    /// Messages, retries, waits and changed outputs.
    fn other_event(&mut self, event: &Event, now: SystemTime, ui: &mut Ui) {
        match &event.kind {
            EventKind::Message { resource, level, text } => {
                let words = format!("{resource}: {}", indented(text));
                match level {
                    Level::Warning => self.warn(&words, now, ui),
                    Level::Debug if !self.verbose => {}
                    _ => self.info(&words, now, ui),
                }
            }
            EventKind::Retrying { resource, failure, after, .. } => {
                let after = span::words(*after);
                self.warn(&format!("{resource}: {}; retried in {after}", failure.message), now, ui);
            }
            EventKind::Waiting { resource, reason, .. } if self.verbose => {
                self.info(&format!("{resource} waiting: {reason}"), now, ui);
            }
            EventKind::Output { name, value: Ok(value) } => {
                let shown = shown(value, Mode::Apply);
                if self.outputs.insert(name.clone(), shown.clone()).is_none_or(|before| before != shown) {
                    self.info(&format!("output {name} = {shown}"), now, ui);
                }
            }
            EventKind::Output { name, value: Err(failure) } => {
                self.error(&format!("output {name}: {}", failure.message), now, ui);
            }
            _ => {}
        }
    }

    fn unwatchable(
        &mut self,
        resource: &ResourceId,
        because: &str,
        every: Duration,
        now: SystemTime,
        ui: &mut Ui,
    ) {
        self.unwatchable += 1;
        let every = span::words(every);
        match self.unwatchable {
            ..=MOST_BLIND => {
                let words = format!("{resource} cannot be watched, and is checked every {every}: {because}");
                self.warn(&words, now, ui);
            }
            more if more == MOST_BLIND + 1 => {
                self.warn("more resources cannot be watched; `uphold status` lists them", now, ui);
            }
            _ => {}
        }
    }

    pub(crate) fn ended(&mut self, sentence: &str, now: SystemTime, ui: &mut Ui) {
        self.info(sentence, now, ui);
    }

    fn info(&self, words: &str, now: SystemTime, ui: &mut Ui) {
        if !self.quiet {
            let paint = Paint::new(ui.is_data_coloured());
            ui.data(format_args!("{} {}\n", paint.faint(self.time(now)), clean(words)));
            ui.flush();
        }
    }

    fn warn(&self, words: &str, now: SystemTime, ui: &mut Ui) {
        if !self.quiet {
            let paint = Paint::new(ui.is_talk_coloured());
            ui.talk(format_args!("{} {}: {}\n", self.time(now), paint.changed("warning"), clean(words)));
        }
    }

    fn error(&self, words: &str, now: SystemTime, ui: &mut Ui) {
        let paint = Paint::new(ui.is_talk_coloured());
        ui.talk(format_args!("{} {}: {}\n", self.time(now), paint.error("error"), clean(words)));
    }

    /// The local time of day.
    fn time(&self, now: SystemTime) -> impl Display {
        let now = jiff::Timestamp::try_from(now).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        now.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string()
    }
}
