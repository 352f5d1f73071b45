//! The search for drift: an audit that shows only what was changed outside Uphold.

use std::path::Path;
use std::time::SystemTime;

use jiff::tz::TimeZone;
use uphold::journal::{Records, Run, RunState, system_time};
use uphold::model::{Diagnostics, DifferenceCause, DifferenceCauses, Sources};
use uphold::resource::Clock;
use uphold::{Change, ChangeKind, Event, EventKind, LocalHost, Mode, Request, Summary, Verdict};
use uphold_wire::stream::OtherDifferences;

use crate::diagnostics::count;
use crate::execution::{Memory, execute};
use crate::journal::{Subject, plan_journal};
use crate::report::{Json, Report, Scene};
use crate::run::{self, reporter};
use crate::time_text::Now;
use crate::{CliError, Exit, Flags, HintCommand, Input, Session, Ui, clean, demo};

/// Finds and reports drift.
pub(crate) fn run(input: &Input, session: &mut Session) -> Exit {
    let shown = reporter(session, true);
    let mut report = DriftReport::new(shown, session.flags.command_on("apply", input), &session.flags);
    let mut find_in_root = || {
        if input.demo {
            return demo::in_root(Mode::Plan, session, |session| find(input, session, &mut report))?;
        }
        find(input, session, &mut report)
    };
    find_in_root().unwrap_or_else(|error| {
        report.error(&error, &mut session.ui);
        Exit::Failure
    })
}

fn find(input: &Input, session: &mut Session, report: &mut DriftReport) -> Result<Exit, CliError> {
    let configuration = input.read(input.reader(&session.engine()?))?;
    let Some(checked) = run::check(configuration, session, report)? else { return Ok(Exit::Failure) };
    let subject = Subject::of_input(input, session);
    if let Some(records) = session.journal()?.records() {
        report.known = Known::of(&records, &subject);
        report.overlapping = overlapping(&records, &subject, session);
    }
    let memory = plan_journal(&subject, session).map_or(Memory::None, Memory::Plan);
    let request = Request { audit: true, ..Mode::Plan.into() };
    let summary = execute(&checked, request, None, &memory, session, report);
    Ok(Exit::of(summary.is_success(), report.drifted > 0))
}

/// What is known of the last apply of a configuration.
struct Known {
    /// The end of the last run that checked every resource.
    checked: Option<SystemTime>,
}

impl Known {
    /// None if no resource of the configuration was applied.
    fn of(records: &Records, subject: &Subject) -> Option<Self> {
        let (applied, _) = records.read_applied().ok()?;
        let resources = applied.of_configuration(&subject.name).filter(|record| !record.is_left).count();
        let paths = subject.shown_paths();
        // A run of selected resources, or one with failures, did not check everything.
        let is_complete = |run: &Run| {
            let counts = run.end.as_ref().map(|end| &end.counts);
            let is_clean = counts
                .is_some_and(|counts| !counts.contains_key("failed") && !counts.contains_key("skipped"));
            let visited: u64 = counts.into_iter().flat_map(|counts| counts.values()).sum();
            run.state == RunState::Ended
                && run.begin.paths == paths
                && is_clean
                && visited >= resources as u64
        };
        let mut runs = records.runs().newest_first().ok()?.filter_map(Result::ok);
        let last = runs.find(is_complete);
        let checked = last.and_then(|run| run.end).map(|end| system_time(end.time));
        (resources > 0).then_some(Self { checked })
    }
}

/// The last applied configuration that has a file or directory in common with this one.
fn overlapping(records: &Records, subject: &Subject, session: &Session) -> Option<Overlapping> {
    let root = session.root_of_runs().ok()?;
    let shares = |path: &String| {
        let (path, own) = (Path::new(path), subject.paths());
        own.iter().any(|own| own == path || own.parent() == Some(path) || path.parent() == Some(own))
    };
    let mut runs = records.runs().newest_first().ok()?.filter_map(Result::ok);
    let last = runs.find(|run| {
        let is_here = root.as_ref().is_none_or(|root| run.begin.root.as_ref() == Some(root));
        is_here && matches!(&*run.begin.mode, "apply" | "watch") && run.begin.paths.iter().any(shares)
    });
    let paths = last.map(|run| run.begin.paths).filter(|paths| *paths != subject.shown_paths())?;
    let drift = paths.iter().fold(session.flags.command("drift"), |command, path| command.word(path));
    Some(Overlapping { paths, drift })
}

/// Another configuration that was applied, and has a file or directory in common with this one.
struct Overlapping {
    paths: Vec<String>,
    drift: HintCommand,
}

/// Passes on what drifted and what failed, and counts other differences.
struct DriftReport {
    shown: Box<dyn Report>,
    /// The command that repairs drift.
    apply: HintCommand,
    json: bool,
    quiet: bool,
    known: Option<Known>,
    overlapping: Option<Overlapping>,
    drifted: usize,
    other: OtherDifferences,
}

impl DriftReport {
    fn new(shown: Box<dyn Report>, apply: HintCommand, flags: &Flags) -> Self {
        let &Flags { json, quiet, .. } = flags;
        let (known, overlapping, other) = (None, None, OtherDifferences::default());
        Self { shown, apply, json, quiet, known, overlapping, drifted: 0, other }
    }

    /// The verdict to show, if it is to be shown.
    fn visible(&mut self, verdict: &Verdict) -> Option<Verdict> {
        match verdict {
            Verdict::Differs(change) => {
                let cause = change.causes.whole;
                if cause.is_drift() {
                    self.drifted += 1;
                    let change = only_drift(change);
                    // For people in the words of a plan.
                    return Some(if self.json {
                        Verdict::Differs(change)
                    } else {
                        Verdict::WouldChange(change)
                    });
                }
                match cause {
                    // A command that would run is no state of the machine.
                    _ if change.kind == ChangeKind::Run => {}
                    DifferenceCause::New => self.other.new += 1,
                    _ => self.other.unknown += 1,
                }
                None
            }
            Verdict::Failed(_) | Verdict::Ignored(_) | Verdict::Skipped(_) => Some(verdict.clone()),
            _ => None,
        }
    }

    fn end(&mut self, summary: &Summary, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        let now = LocalHost::new().now();
        let since = self.known.as_ref().and_then(|known| known.checked);
        let clock = since.map(|since| Now::new(now, TimeZone::system()).clock(since));
        let sentence = self.sentence(clock.as_deref());
        if self.json {
            ui.json_line(&Json::drift(self.drifted, self.other, since, sentence, now));
            self.shown.event(event, scene, ui);
        } else if !self.quiet {
            let gap = if self.drifted == 0 { "" } else { "\n" };
            ui.data(format_args!("{gap}{sentence}\n"));
            if self.drifted > 0 && summary.is_success() {
                let pronoun = if self.drifted == 1 { "it" } else { "them" };
                ui.data(format_args!("To repair {pronoun}: {}\n", self.apply));
            }
            ui.flush();
        }
    }

    fn sentence(&self, since: Option<&str>) -> String {
        if let (None, Some(Overlapping { paths, drift })) = (&self.known, &self.overlapping) {
            let paths = paths.join(", ");
            return format!(
                "No apply of exactly these files is recorded, but one of {}. To compare with it: {drift}",
                clean(&paths)
            );
        }
        if self.known.is_none() {
            return format!(
                "No apply of this configuration is recorded yet. To get a record: {}",
                self.apply
            );
        }
        let since =
            since.map(|since| format!(" since the last complete run, at {since}")).unwrap_or_default();
        let what = match self.drifted {
            0 => "Nothing was".to_owned(),
            1 => "1 resource was".to_owned(),
            more => format!("{more} resources were"),
        };
        let others = |number: usize, one: &str, several: &str| match number {
            0 => String::new(),
            1 => format!(" 1 other difference {one}."),
            more => format!(" {} {several}.", count(more, "other difference")),
        };
        let new = others(self.other.new, "is new in the configuration", "are new in the configuration");
        let unknown = others(self.other.unknown, "has no known cause", "have no known cause");
        format!("{what} changed outside Uphold{since}.{new}{unknown}")
    }
}

/// The differences that are drift.
fn only_drift(change: &Change) -> Change {
    let causes = (0..change.differences.len()).map(|index| change.causes.of(index));
    let drifted = change.differences.iter().cloned().zip(causes).filter(|(_, cause)| cause.is_drift());
    let (differences, each) = drifted.unzip();
    let causes = DifferenceCauses { whole: change.causes.whole, each };
    Change { differences, causes, ..change.clone() }
}

impl Report for DriftReport {
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.shown.diagnostics(diagnostics, sources, ui);
    }

    fn happened(&mut self, event: &Event, ui: &mut Ui) {
        self.shown.happened(event, ui);
    }

    fn shows(&self, event: &Event) -> bool {
        matches!(event.kind, EventKind::Finished { .. }) || self.shown.shows(event)
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        match &event.kind {
            EventKind::Finished { resource, action, cause, verdict, took } => {
                let Some(verdict) = self.visible(verdict) else { return };
                let (resource, action, cause) = (resource.clone(), action.clone(), cause.clone());
                let kind = EventKind::Finished { resource, action, cause, verdict, took: *took };
                self.shown.event(&Event { at: event.at, kind }, scene, ui);
            }
            EventKind::Started { .. } | EventKind::Output { .. } | EventKind::OutputLeftOut { .. } => {}
            EventKind::RunFinished(summary) => self.end(summary, event, scene, ui),
            _ => self.shown.event(event, scene, ui),
        }
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        self.shown.error(error, ui);
    }
}
