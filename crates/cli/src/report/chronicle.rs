//! What happens in a watch, line by line, for people who read it later.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use uphold::model::{Diagnostics, Name, ResourceId, Sources};
use uphold::resource::{Level, Stop};
use uphold::{Event, EventKind, Mode, Occasion, Skip, Verdict};

use super::drift;
use super::human::{Human, shown};
use super::property::Properties;
use super::reporter::{Report, Scene};
use super::standing::{Standing, Turn};
use super::trouble::{self, Weight, indented, show_error};
use super::{span, watch_sentence};
use crate::args::Flags;
use crate::diagnostics::{self, count};
use crate::error::CliError;
use crate::paint::{Paint, clean};
use crate::ui::Ui;

/// So many resources that cannot be watched are named at a time; the rest is known to `uphold status`.
const MOST_BLIND: usize = 10;

/// Prints a line for each thing that happened, with its time: what changed to standard output, what is wrong to standard
/// error. Looks that found nothing are not told. The first walk is told as an apply is.
pub(crate) struct Chronicle {
    human: Human,
    quiet: bool,
    verbose: bool,
    zone: TimeZone,
    /// Whether the first walk is over.
    is_watching: bool,
    standing: Standing,
    /// Outputs as they were last told.
    outputs: HashMap<Name, String>,
    blind: usize,
    /// Why the configuration was read last.
    occasion: Option<Occasion>,
}

impl Chronicle {
    /// As the flags ask.
    pub(crate) fn new(flags: &Flags, audit: bool, stop: &Stop) -> Self {
        Self {
            human: Human::new(flags, audit, stop),
            quiet: flags.quiet,
            verbose: flags.verbose,
            zone: TimeZone::system(),
            is_watching: false,
            standing: Standing::default(),
            outputs: HashMap::new(),
            blind: 0,
            occasion: None,
        }
    }

    /// The configuration was read for the first time.
    pub(crate) fn begins(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.human.diagnostics(diagnostics, sources, ui);
    }

    /// It is about to be read again.
    pub(crate) fn reading(&mut self, occasion: &Occasion) {
        self.occasion = Some(occasion.clone());
    }

    /// It was read again.
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
            let words = format!(
                "read again because {because}, and refused: {}",
                watch_sentence::refused(diagnostics)
            );
            self.wrong(&words, now, ui);
        }
    }

    /// It could not be read again.
    pub(crate) fn unreadable(&mut self, error: &CliError, now: SystemTime, ui: &mut Ui) {
        show_error(error, ui);
        self.wrong("the configuration cannot be read again; the one before is held on", now, ui);
    }

    /// It cannot be watched.
    pub(crate) fn unwatched(&mut self, because: &str, now: SystemTime, ui: &mut Ui) {
        self.warn(&format!("the configuration is looked at now and then only: {because}"), now, ui);
    }

    /// Something happened.
    pub(crate) fn event(&mut self, event: &Event, scene: &mut Scene<'_>, now: SystemTime, ui: &mut Ui) {
        if !self.is_watching {
            self.first_walk(event, scene, ui);
        } else if let EventKind::Finished { .. } = event.kind {
            self.finished(event, scene, now, ui);
        }
        match &event.kind {
            EventKind::Watching { resources } => self.watching(*resources, now, ui),
            EventKind::Swapped { kept, visited, left, .. } => self.swapped(*kept, *visited, *left, now, ui),
            EventKind::Blind { resource, because, every } => self.blind(resource, because, *every, now, ui),
            EventKind::ReportsLost => {
                self.warn("reports of changes were lost; everything is looked at", now, ui);
            }
            EventKind::BackingOff { resource, after, .. } if self.verbose => {
                let words = format!("{resource} is tried again in {}", span::words(*after));
                self.say(&words, now, ui);
            }
            _ if self.is_watching => self.aside(event, now, ui),
            _ => {}
        }
    }

    /// As an apply tells it; what is in trouble is noted for later.
    fn first_walk(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.human.event(event, scene, ui);
        match &event.kind {
            EventKind::Finished { resource, verdict, .. } => _ = self.standing.note(resource, verdict),
            EventKind::Output { name, value: Ok(value) } => {
                self.outputs.insert(name.clone(), shown(value, Mode::Apply));
            }
            _ => {}
        }
    }

    fn watching(&mut self, resources: usize, now: SystemTime, ui: &mut Ui) {
        self.blind = 0;
        if !std::mem::replace(&mut self.is_watching, true) {
            self.say(&format!("holding {}", count(resources, "resource")), now, ui);
        }
    }

    /// What a live value changes is told with its reason; that everything was evaluated for it is not.
    fn swapped(&self, kept: usize, visited: usize, left: usize, now: SystemTime, ui: &mut Ui) {
        let is_live = matches!(self.occasion, Some(Occasion::Live(_)));
        if self.verbose || !is_live {
            let why = self.occasion.as_ref().map(|occasion| format!(" because {occasion}"));
            let what = watch_sentence::swapped(kept, visited, left);
            self.say(&format!("reloaded{}: {what}", why.unwrap_or_default()), now, ui);
        }
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>, now: SystemTime, ui: &mut Ui) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let turn = self.standing.note(resource, verdict);
        let because =
            || format!("because {} ({})", drift::reason(cause, self.occasion.as_ref()), span::fine(*took));
        match verdict {
            Verdict::Changed(change) | Verdict::Differs(change) if turn != Turn::Same => {
                let word = drift::word(verdict, change, cause);
                let what = drift::what(change, action);
                self.say(&format!("{word} {resource}: {what}, {}", because()), now, ui);
                if self.verbose && !self.quiet {
                    let paint = Paint::new(ui.is_data_coloured());
                    ui.data(Properties { paint, verbose: true }.change(change));
                    ui.flush();
                }
            }
            Verdict::Failed(failure) | Verdict::Ignored(failure) if turn == Turn::Worse || self.verbose => {
                let place = failure.place.map(|place| scene.lines().describe(place));
                let at = place.or_else(|| scene.written_at(resource));
                let paint = Paint::new(ui.is_talk_coloured());
                let properties = Properties { paint, verbose: self.verbose };
                let weight =
                    if matches!(verdict, Verdict::Failed(_)) { Weight::Error } else { Weight::Warning };
                let text =
                    trouble::failure(weight, &resource.to_string(), failure, at.as_deref(), &properties);
                ui.talk(format_args!("{} {text}", self.time(now)));
            }
            Verdict::Skipped(Skip::FailedBefore(root)) if turn == Turn::Worse => {
                self.wrong(&format!("{resource} is blocked: {root} failed"), now, ui);
            }
            _ if turn == Turn::Better => self.say(&format!("recovered {resource}, {}", because()), now, ui),
            _ => {}
        }
    }

    /// What a resource says, what goes on for long, and outputs that are others than before.
    fn aside(&mut self, event: &Event, now: SystemTime, ui: &mut Ui) {
        match &event.kind {
            EventKind::Message { resource, level, text } => {
                let words = format!("{resource}: {}", indented(text));
                match level {
                    Level::Warning => self.warn(&words, now, ui),
                    Level::Debug if !self.verbose => {}
                    _ => self.say(&words, now, ui),
                }
            }
            EventKind::Retrying { resource, failure, after, .. } => {
                let after = span::words(*after);
                self.warn(&format!("{resource}: {}; tried again in {after}", failure.message), now, ui);
            }
            EventKind::Waiting { resource, reason, .. } if self.verbose => {
                self.say(&format!("{resource} waits: {reason}"), now, ui);
            }
            EventKind::Output { name, value: Ok(value) } => {
                let shown = shown(value, Mode::Apply);
                if self.outputs.insert(name.clone(), shown.clone()).is_none_or(|before| before != shown) {
                    self.say(&format!("output {name} = {shown}"), now, ui);
                }
            }
            EventKind::Output { name, value: Err(failure) } => {
                self.wrong(&format!("output {name}: {}", failure.message), now, ui);
            }
            _ => {}
        }
    }

    fn blind(&mut self, resource: &ResourceId, because: &str, every: Duration, now: SystemTime, ui: &mut Ui) {
        self.blind += 1;
        let every = span::words(every);
        match self.blind {
            ..=MOST_BLIND => {
                let words =
                    format!("{resource} cannot be watched, and is looked at every {every}: {because}");
                self.warn(&words, now, ui);
            }
            more if more == MOST_BLIND + 1 => {
                self.warn("more resources cannot be watched; `uphold status` lists them", now, ui);
            }
            _ => {}
        }
    }

    /// The watch is over.
    pub(crate) fn ended(&mut self, sentence: &str, now: SystemTime, ui: &mut Ui) {
        self.say(sentence, now, ui);
    }

    /// A line of what happened.
    fn say(&self, words: &str, now: SystemTime, ui: &mut Ui) {
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

    fn wrong(&self, words: &str, now: SystemTime, ui: &mut Ui) {
        let paint = Paint::new(ui.is_talk_coloured());
        ui.talk(format_args!("{} {}: {}\n", self.time(now), paint.error("error"), clean(words)));
    }

    /// The time of day where the reader is.
    fn time(&self, now: SystemTime) -> impl Display {
        let now = jiff::Timestamp::try_from(now).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        now.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string()
    }
}
