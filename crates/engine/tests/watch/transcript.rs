//! Events and questions as text.

use std::sync::Arc;
use std::time::Duration;

use uphold_engine::{Cause, Event, EventKind, Skip, Summary, Unwanted, Verdict};
use uphold_model::Action;
use uphold_testkit::MemoryHost;

use crate::engine::sign::sign;

/// The events of a watch, and the questions of kinds.
#[derive(Default)]
pub(crate) struct Transcript {
    /// The events, a line each; `-` for a step of the script.
    pub(crate) lines: Vec<String>,
    /// Questions of kinds: the word and the name.
    pub(crate) asked: Vec<(&'static str, String)>,
    /// Paths that were read while they were not watched.
    pub(crate) unwatched: Vec<String>,
    /// Durations of backoffs.
    pub(crate) waits: Vec<Duration>,
    pub(crate) events: usize,
    pub(crate) summary: Summary,
    pub(crate) host: Option<Arc<MemoryHost>>,
}

/// More events than any watch here has.
const MOST_EVENTS: usize = 100_000;

impl Transcript {
    pub(crate) fn hear(&mut self, event: &Event, line: Option<String>) {
        self.events += 1;
        assert!(
            self.events < MOST_EVENTS,
            "it never comes to rest: {:?}",
            &self.lines[self.lines.len() - 9..]
        );
        if let EventKind::BackingOff { after, .. } = event.kind {
            self.waits.push(after);
        }
        self.lines.extend(line);
    }

    pub(crate) fn ask(&mut self, word: &'static str, name: &str, watched: bool) {
        self.asked.push((word, name.to_owned()));
        // A resource that only acts when it is notified is not watched.
        if !watched && word != "shout" {
            self.unwatched.push(format!("{word} {name}"));
        }
    }

    /// How many times a kind asked this.
    pub(crate) fn count(&self, word: &str, name: &str) -> usize {
        self.asked.iter().filter(|(asked, of)| *asked == word && of == name).count()
    }

    /// Compares all events, line by line, without indentation.
    #[track_caller]
    pub(crate) fn check(self, expected: &str) -> Self {
        let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
        assert!(
            self.lines == expected,
            "said:\n{}\nexpected:\n{}",
            self.lines.join("\n"),
            expected.join("\n")
        );
        assert!(self.unwatched.is_empty(), "visited before it was watched: {:?}", self.unwatched);
        self
    }

    /// The events after the first run.
    pub(crate) fn later(&self) -> &[String] {
        let first = self.lines.iter().position(|line| line.starts_with("watching"));
        first.map_or(&[], |first| &self.lines[first + 1..])
    }

    /// The lines that begin with this.
    pub(crate) fn lines_of(&self, begin: &str) -> Vec<&str> {
        self.lines.iter().map(String::as_str).filter(|line| line.starts_with(begin)).collect()
    }
}

/// The text of an event, if it has one.
pub(crate) fn line(event: &Event) -> Option<String> {
    Some(match &event.kind {
        EventKind::Finished { resource, action, cause, verdict, .. } => {
            let verb = if *action == Action::Converge { String::new() } else { format!(".{action}") };
            format!("{} {}{verb}{}{}", sign(verdict), resource.name, why(cause), details(verdict))
        }
        EventKind::Retrying { resource, tried, after, .. } => {
            format!("{} failed {tried}, again after {after:?}", resource.name)
        }
        EventKind::Waiting { resource, reason, after } => {
            format!("{} waits: {reason}, again after {after:?}", resource.name)
        }
        EventKind::Merged { resources } => {
            let all: Vec<&str> = resources.iter().map(|resource| &*resource.name).collect();
            format!("together {}", all.join(" "))
        }
        EventKind::Watching { resources } => format!("watching {resources}"),
        EventKind::BackingOff { resource, failures, .. } => {
            format!("{} backs off, failed {failures}", resource.name)
        }
        EventKind::Blind { resource, because, every } => {
            format!("{} is blind: {because}, looked at every {every:?}", resource.name)
        }
        EventKind::Output { name, value: Ok(value) } => format!("{name} = {value}"),
        EventKind::ReportsLost => "reports lost".to_owned(),
        EventKind::Swapped { generation, kept, visited, left } => {
            format!("swapped {generation}: {kept} kept, {visited} visited, {left} left")
        }
        _ => return None,
    })
}

fn why(cause: &Cause) -> String {
    match cause {
        Cause::Written => String::new(),
        Cause::Notified { by, moment } => format!(" ({} {})", moment.word(), by.first.name),
        Cause::Pending { by, .. } => format!(" (pending {by})"),
        Cause::Woken(wake) => format!(" because {wake}"),
    }
}

fn details(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Failed(failure) | Verdict::Ignored(failure) => format!(": {}", failure.message),
        Verdict::Skipped(Skip::FailedBefore(root)) => format!(", {} failed", root.name),
        Verdict::Skipped(Skip::Stopped) => ", stopped".to_owned(),
        Verdict::NotWanted(Unwanted::RunFailed) => ", the run failed".to_owned(),
        _ => String::new(),
    }
}
