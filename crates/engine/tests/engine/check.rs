//! Runs a program and prints its events.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;

use uphold_engine::{Cause, Engine, EventKind, Program, Request, Skip, Unwanted, Verdict};
use uphold_model::{Action, Diagnostics, Place, Side};
use uphold_resource::Files;
use uphold_testkit::MemoryHost;

use super::brought::{Bit, Pack, Part};
use super::edits::Word;
use super::kinds::{Bad, Folder, Note, Owned};
use super::leads::Hand;
use super::relay::Relay;
use super::sign::sign;
use super::tools::{Copy, Parcel, Tool};

/// A machine that the test and the engine share.
#[derive(Clone)]
pub(crate) struct SharedHost(pub(crate) Arc<MemoryHost>);

impl SharedHost {
    pub(crate) fn new() -> Self {
        Self::with(|host| host)
    }

    /// A machine with more on it.
    pub(crate) fn with(more: impl FnOnce(MemoryHost) -> MemoryHost) -> Self {
        Self(Arc::new(more(MemoryHost::new().directory("/d", 0o755))))
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.0.read(path.as_ref(), 0).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// An engine with all kinds of these tests.
pub(crate) fn builder(host: &SharedHost) -> Engine {
    Engine::on(host.0.machine())
        .kind::<Note>()
        .and_then(Engine::kind::<Folder>)
        .and_then(Engine::kind::<Bad>)
        .and_then(Engine::kind::<Hand>)
        .and_then(Engine::kind::<Pack>)
        .and_then(Engine::kind::<Part>)
        .and_then(Engine::kind::<Bit>)
        .and_then(Engine::kind::<Owned>)
        .and_then(Engine::kind::<Tool>)
        .and_then(Engine::kind::<Parcel>)
        .and_then(Engine::kind::<Copy>)
        .and_then(Engine::kind::<Word>)
        .and_then(Engine::kind::<Relay>)
        .expect("the kinds are sound")
}

pub(crate) fn engine(host: &SharedHost, jobs: usize) -> Engine {
    builder(host).jobs(NonZeroUsize::new(jobs).expect("at least one"))
}

/// Diagnostics as text; `at` prints a place.
pub(crate) fn print_diagnostics(diagnostics: &Diagnostics, at: impl Fn(Place) -> String) -> String {
    let mut transcript = String::new();
    for diagnostic in diagnostics.iter() {
        let place = diagnostic.place.map(&at).unwrap_or_default();
        let fix = diagnostic.fix.as_deref().unwrap_or_default();
        writeln!(transcript, "{place} {}: {} | {fix}", diagnostic.summary(), diagnostic.detail)
            .expect("text grows");
        for related in &diagnostic.related {
            writeln!(transcript, "  {} {}", at(related.place), related.label).expect("text grows");
        }
    }
    transcript
}

pub(crate) fn print_run<'a>(engine: &Engine, program: &Program, request: impl Into<Request<'a>>) -> String {
    let mut transcript = String::new();
    let summary = engine.run(program, request, &mut |event| match &event.kind {
        EventKind::Message { resource, text, .. } => {
            writeln!(transcript, "{resource} says {text}").expect("text grows");
        }
        EventKind::Finished { resource, action, cause, verdict, .. } => {
            let sign = sign(verdict);
            writeln!(transcript, "{sign} {resource}{}{}", why(action, cause), details(verdict))
                .expect("text grows");
        }
        EventKind::Retrying { resource, failure, tried, after } => {
            writeln!(transcript, "{resource} failed {tried}, again after {after:?}: {}", failure.message)
                .expect("text grows");
        }
        EventKind::Waiting { resource, reason, after } => {
            writeln!(transcript, "{resource} waits: {reason}, again after {after:?}").expect("text grows");
        }
        EventKind::Merged { resources } => {
            let all: Vec<String> = resources.iter().map(ToString::to_string).collect();
            writeln!(transcript, "together {}", all.join(" ")).expect("text grows");
        }
        EventKind::Output { name, value: Ok(value) } => {
            writeln!(transcript, "{name} = {value}").expect("text grows");
        }
        EventKind::Output { name, value: Err(failure) } => {
            writeln!(transcript, "x {name}: {}", failure.message).expect("text grows");
        }
        _ => {}
    });
    let (ok, changed) = (summary.ok, summary.changed);
    write!(transcript, "{ok} ok, {changed} changed, {} failed, {} skipped", summary.failed, summary.skipped)
        .expect("text grows");
    for (count, word) in
        [(summary.ignored, "ignored"), (summary.differ, "differ"), (summary.paused, "paused")]
    {
        if count > 0 {
            write!(transcript, ", {count} {word}").expect("text grows");
        }
    }
    if summary.not_wanted > 0 {
        write!(transcript, ", {} not wanted", summary.not_wanted).expect("text grows");
    }
    transcript.push('\n');
    transcript
}

/// The sender of a notification, and the action.
fn why(action: &Action, cause: &Cause) -> String {
    match cause {
        Cause::Written | Cause::Woken(_) => String::new(),
        Cause::Pending { by, .. } => format!(".{action} (pending {by})"),
        Cause::Notified { by, moment } => format!(".{action} ({} {by})", moment.word()),
    }
}

fn details(verdict: &Verdict) -> String {
    let mut text = String::new();
    let side = |side: &Side| side.value().map_or("nothing".to_owned(), ToString::to_string);
    match verdict {
        Verdict::Changed(change)
        | Verdict::PutBack(change)
        | Verdict::WouldChange(change)
        | Verdict::Differs(change)
        | Verdict::Paused(change, _) => {
            for difference in &change.differences {
                let (from, to) = (side(&difference.from), side(&difference.to));
                write!(text, " {}: {from} -> {to}", difference.property).expect("text grows");
            }
        }
        Verdict::MayChange { waits_for, because, .. } => {
            let now =
                because.as_ref().map(|failure| format!("; now: {}", failure.message)).unwrap_or_default();
            write!(text, " waits for {waits_for}{now}").expect("text grows");
        }
        Verdict::Failed(failure) | Verdict::Ignored(failure) => {
            let hint = failure.hint.as_deref().unwrap_or_default();
            write!(text, " {} {:?} {hint}", failure.message, failure.causes).expect("text grows");
        }
        Verdict::Skipped(Skip::FailedBefore(root)) => write!(text, " because of {root}").expect("text grows"),
        Verdict::Skipped(Skip::Stopped) => text.push_str(" because the run was stopped"),
        Verdict::Skipped(Skip::TooManyFailures) => text.push_str(" after too many failures"),
        Verdict::Skipped(Skip::TooManyChanges) => text.push_str(" after too many changes"),
        Verdict::Skipped(Skip::NotAsPlanned(why)) => {
            write!(text, " not as planned: {why}").expect("text grows");
        }
        Verdict::NotWanted(Unwanted::Guard { word, command, of_group }) => {
            let of = if *of_group { " of its group" } else { "" };
            write!(text, " {word}{of} {}", command.as_deref().unwrap_or_default()).expect("text grows");
        }
        Verdict::NotWanted(Unwanted::NothingChanged) => text.push_str(" nothing changed"),
        Verdict::NotWanted(Unwanted::RunFailed) => text.push_str(" the run failed"),
        Verdict::Unchanged | Verdict::NotWanted(Unwanted::When) => {}
    }
    text
}
