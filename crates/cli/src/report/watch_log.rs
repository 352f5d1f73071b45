//! The log of a watch, for people.

use std::collections::HashMap;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use uphold::model::{Diagnostics, Name, ResourceId, Sources};
use uphold::resource::{Level, Stop};
use uphold::{ChangeKind, Event, EventKind, Mode, ReloadTrigger, Skip, Verdict};

use super::failure::{self, Weight, indented, show_error};
use super::human::{Human, shown};
use super::known_troubles::{KnownTroubles, Transition};
use super::property_lines::PropertyLines;
use super::reporter::{Report, Scene, no_longer_declared};
use super::watch_text;
use crate::diagnostics::{self, count};
use crate::time_text::{self, Now};
use crate::{CliError, Flags, Ui, clean};

/// The number of resources that cannot be watched that are listed; `uphold status` lists all.
const MOST_BLIND: usize = 10;

/// Prints a line with a time for each event: changes to standard output, failures to standard error. Visits without a
/// difference are not printed. The first run is printed as by apply.
pub(crate) struct WatchLog {
    human: Human,
    quiet: bool,
    verbose: bool,
    zone: TimeZone,
    /// The time of the current event.
    now: SystemTime,
    /// Whether the first run is over.
    is_watching: bool,
    troubles: KnownTroubles,
    /// The outputs as last printed.
    outputs: HashMap<Name, String>,
    /// The number of resources that cannot be watched.
    unwatchable: usize,
    /// The reason for the last reload, set by the caller.
    pub(crate) occasion: Option<ReloadTrigger>,
}

impl WatchLog {
    pub(crate) fn new(flags: &Flags, audit: bool, stop: &Stop) -> Self {
        Self {
            human: Human::new(flags, audit, stop),
            quiet: flags.quiet,
            verbose: flags.verbose,
            zone: TimeZone::system(),
            now: SystemTime::UNIX_EPOCH,
            is_watching: false,
            troubles: KnownTroubles::default(),
            outputs: HashMap::new(),
            unwatchable: 0,
            occasion: None,
        }
    }

    /// Sets the time of the lines that follow.
    pub(crate) fn at(&mut self, now: SystemTime) -> &mut Self {
        self.now = now;
        self
    }

    /// The configuration was checked for the first time.
    pub(crate) fn started(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.human.diagnostics(diagnostics, sources, ui);
    }

    /// The configuration was reloaded.
    pub(crate) fn checked(
        &mut self,
        occasion: &ReloadTrigger,
        (diagnostics, sources): (&Diagnostics, &Sources),
        ui: &mut Ui,
    ) {
        diagnostics::show_each(diagnostics, sources, !self.quiet && occasion.is_user_request(), ui);
        if diagnostics.has_errors() {
            let because = clean(&occasion.to_string()).into_owned();
            let refused = watch_text::refused(diagnostics);
            self.error(&format!("cannot reload the configuration ({because}): {refused}"), ui);
        }
    }

    /// The configuration could not be read.
    pub(crate) fn unreadable(&mut self, error: &CliError, ui: &mut Ui) {
        show_error(error, ui);
        self.error(&format!("cannot reload the configuration: {}", watch_text::UNREADABLE), ui);
    }

    /// The files of the configuration cannot be watched.
    pub(crate) fn unwatched(&mut self, because: &str, ui: &mut Ui) {
        self.warn(&format!("the configuration cannot be watched, and is polled instead: {because}"), ui);
    }

    pub(crate) fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        if !self.is_watching {
            self.first_run(event, scene, ui);
        } else if let EventKind::Finished { .. } = event.kind {
            self.finished(event, scene, ui);
        }
        match &event.kind {
            EventKind::Watching { resources } => self.watching(*resources, ui),
            EventKind::Swapped { kept, visited, left, .. } => self.swapped(*kept, *visited, *left, ui),
            EventKind::Blind { resource, because, every } => self.unwatchable(resource, because, *every, ui),
            EventKind::ReportsLost => {
                self.warn("change events were lost; everything is checked again", ui);
            }
            EventKind::BackingOff { resource, after, .. } if self.verbose => {
                self.info(&format!("{resource} is retried in {}", time_text::words(*after)), ui);
            }
            _ if self.is_watching => self.other_event(event, ui),
            _ => {}
        }
    }

    /// Prints an event as apply does, and records problems.
    fn first_run(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.human.happened(event, ui);
        self.human.event(event, scene, ui);
        match &event.kind {
            EventKind::Finished { resource, verdict, .. } => _ = self.troubles.record(resource, verdict),
            EventKind::Output { name, value: Ok(value) } => {
                self.outputs.insert(name.clone(), shown(value, Mode::Apply));
            }
            _ => {}
        }
    }

    fn watching(&mut self, resources: usize, ui: &mut Ui) {
        self.unwatchable = 0;
        if !std::mem::replace(&mut self.is_watching, true) {
            self.info(&format!("watching {}", count(resources, "resource")), ui);
        }
    }

    /// A reload because of a live value is printed only with -v; the changes that it causes have that reason.
    fn swapped(&self, kept: usize, visited: usize, left: usize, ui: &mut Ui) {
        let is_live = matches!(self.occasion, Some(ReloadTrigger::Live(_)));
        if self.verbose || !is_live {
            let why = self.occasion.as_ref().map(|occasion| format!(" because {occasion}"));
            let what = watch_text::swapped(kept, visited, left);
            self.info(&format!("reloaded{}: {what}", why.unwrap_or_default()), ui);
        }
    }

    fn finished(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        let EventKind::Finished { resource, action, cause, verdict, took } = &event.kind else { return };
        let transition = self.troubles.record(resource, verdict);
        let because = |found_drift: bool| {
            let reason = watch_text::reason(cause, self.occasion.as_ref());
            let drift = if found_drift { "drift was found when " } else { "" };
            format!("because {drift}{reason} ({})", time_text::fine(*took))
        };
        match verdict {
            Verdict::Changed(change)
            | Verdict::PutBack(change)
            | Verdict::Differs(change)
            | Verdict::Paused(change, _)
                if transition != Transition::SameTrouble =>
            {
                let word = watch_text::result_word(verdict, change, cause);
                let what = watch_text::differences(change, action);
                let paused = self.paused(verdict);
                if scene.is_no_longer_declared(resource) {
                    let word = match (verdict, change.kind) {
                        (Verdict::Changed(_), ChangeKind::Remove) => "removed",
                        (Verdict::Changed(_), _) => "reverted",
                        (_, ChangeKind::Remove) => "not removed",
                        _ => "not reverted",
                    };
                    let why = no_longer_declared(scene.moved_to(resource).as_ref());
                    self.info(&format!("{word} {resource}: {why}, {}{paused}", because(false)), ui);
                } else {
                    let because = because(change.is_found_drift(cause));
                    self.info(&format!("{word} {resource}: {what}, {because}{paused}"), ui);
                }
                if self.verbose && !self.quiet {
                    ui.data(PropertyLines { paint: ui.data_paint(), verbose: true }.change(change));
                    ui.flush();
                }
            }
            Verdict::Failed(failure) | Verdict::Ignored(failure)
                if transition == Transition::NewTrouble || self.verbose =>
            {
                let at = scene.located(failure.place, resource);
                let properties = PropertyLines { paint: ui.talk_paint(), verbose: self.verbose };
                let weight =
                    if matches!(verdict, Verdict::Failed(_)) { Weight::Error } else { Weight::Warning };
                let text =
                    failure::failure(weight, &resource.to_string(), failure, at.as_deref(), &properties);
                ui.talk(format_args!("{} {text}", self.time()));
            }
            Verdict::Skipped(Skip::FailedBefore(root)) if transition == Transition::NewTrouble => {
                self.error(&format!("{resource} is blocked: {root} failed"), ui);
            }
            _ if transition == Transition::Recovered => {
                self.info(&format!("recovered {resource}, {}", because(false)), ui);
            }
            _ => {}
        }
    }

    /// The pause of a resource that is not repaired; empty if there is none.
    fn paused(&self, verdict: &Verdict) -> String {
        let Verdict::Paused(_, pause) = verdict else { return String::new() };
        let now = Now::new(self.now, self.zone.clone());
        format!("; {}", now.paused(pause.until, &pause.by, pause.reason.as_deref()))
    }

    /// Messages, retries, waits and changed outputs.
    fn other_event(&mut self, event: &Event, ui: &mut Ui) {
        match &event.kind {
            EventKind::Message { resource, level, text } => {
                let words = format!("{resource}: {}", indented(text));
                match level {
                    Level::Warning => self.warn(&words, ui),
                    Level::Debug if !self.verbose => {}
                    _ => self.info(&words, ui),
                }
            }
            EventKind::Retrying { resource, failure, after, .. } => {
                let after = time_text::words(*after);
                self.warn(&format!("{resource}: {}; retried in {after}", failure.message), ui);
            }
            EventKind::Waiting { resource, reason, .. } if self.verbose => {
                self.info(&format!("{resource} waiting: {reason}"), ui);
            }
            EventKind::Output { name, value: Ok(value) } => {
                let shown = shown(value, Mode::Apply);
                if self.outputs.insert(name.clone(), shown.clone()).is_none_or(|before| before != shown) {
                    self.info(&format!("output {name} = {shown}"), ui);
                }
            }
            EventKind::Output { name, value: Err(failure) } => {
                self.error(&format!("output {name}: {}", failure.message), ui);
            }
            _ => {}
        }
    }

    fn unwatchable(&mut self, resource: &ResourceId, because: &str, every: Duration, ui: &mut Ui) {
        self.unwatchable += 1;
        let every = time_text::words(every);
        match self.unwatchable {
            ..=MOST_BLIND => {
                let words = format!("{resource} cannot be watched, and is checked every {every}: {because}");
                self.warn(&words, ui);
            }
            more if more == MOST_BLIND + 1 => {
                self.warn("more resources cannot be watched; `uphold status` lists them", ui);
            }
            _ => {}
        }
    }

    pub(crate) fn info(&self, words: &str, ui: &mut Ui) {
        if !self.quiet {
            let time = ui.data_paint().faint(self.time());
            ui.data(format_args!("{time} {}\n", clean(words)));
            ui.flush();
        }
    }

    pub(crate) fn warn(&self, words: &str, ui: &mut Ui) {
        if !self.quiet {
            let warning = ui.talk_paint().changed("warning");
            ui.talk(format_args!("{} {warning}: {}\n", self.time(), clean(words)));
        }
    }

    fn error(&self, words: &str, ui: &mut Ui) {
        let error = ui.talk_paint().error("error");
        ui.talk(format_args!("{} {error}: {}\n", self.time(), clean(words)));
    }

    /// The local time of day.
    fn time(&self) -> impl Display {
        let now = jiff::Timestamp::try_from(self.now).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        now.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string()
    }
}
