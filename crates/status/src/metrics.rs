//! Counters, and their exposition in the Prometheus text format 0.0.4; `docs/status.md` lists the metrics.

use std::fmt::{Display, Write};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use uphold_model::{ChangeKind, Name};
use uphold_wire::status::Phase;

use crate::event_fold::EventFold;

/// The histogram buckets of a visit's duration, in seconds: a check takes microseconds, a package minutes.
const BUCKETS: [f64; 9] = [0.000_1, 0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 300.0, 1_800.0];

/// Counters since the watch started, by kind and by reason, never by resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) kinds: FxHashMap<Name, KindCounters>,
    /// Visits by reason.
    pub(crate) reasons: FxHashMap<&'static str, u64>,
    /// Visits in each of the [`BUCKETS`], and longer ones.
    durations: [u64; BUCKETS.len() + 1],
    total_duration: Duration,
    pub(crate) reports_lost: u64,
    pub(crate) swaps: u64,
    pub(crate) refusals: u64,
}

/// The counters of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KindCounters {
    pub(crate) visits: u64,
    pub(crate) failures: u64,
    pub(crate) drifted: u64,
    pub(crate) repaired: u64,
    /// By kind of change, in the order of [`ChangeKind::ALL`].
    pub(crate) changes: [u64; ChangeKind::ALL.len()],
}

impl Counters {
    /// Counts a finished visit.
    pub(crate) fn visit(&mut self, kind: &Name, reason: &'static str, took: Duration) -> &mut KindCounters {
        *self.reasons.entry(reason).or_default() += 1;
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|end| seconds <= *end).unwrap_or(BUCKETS.len());
        self.durations[bucket] += 1;
        self.total_duration = self.total_duration.saturating_add(took);
        let counters = self.kinds.entry(kind.clone()).or_default();
        counters.visits += 1;
        counters
    }

    /// The sum over all kinds.
    pub(crate) fn sum(&self, number: impl Fn(&KindCounters) -> u64) -> u64 {
        self.kinds.values().map(number).sum()
    }
}

impl KindCounters {
    pub(crate) fn change(&mut self, kind: ChangeKind) {
        if let Some(at) = ChangeKind::ALL.iter().position(|known| *known == kind) {
            self.changes[at] += 1;
        }
    }

    pub(crate) fn all_changes(&self) -> u64 {
        self.changes.iter().sum()
    }
}

pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The text of the metrics.
#[derive(Default)]
struct Exposition(String);

impl Exposition {
    fn header(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (at, (label, value)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"{}\"", if at == 0 { '{' } else { ',' }, escaped(value));
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.header(name, "gauge", help);
        self.sample(name, &[], value);
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.header(name, "counter", help);
        self.sample(name, &[], value);
    }
}

/// Escapes the value of a label.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs_f64()
}

/// All metrics. Linear in the number of kinds, not of resources.
pub(crate) fn exposition(fold: &EventFold, version: &str) -> String {
    let mut text = Exposition::default();
    text.header("uphold_build_info", "gauge", "The version of Uphold; always 1.");
    text.sample("uphold_build_info", &[("version", version)], 1);
    let started = "Start time of the watch, in seconds since the epoch.";
    text.gauge("process_start_time_seconds", started, seconds(fold.began));
    states(&mut text, fold);
    configuration(&mut text, fold);
    by_kind(&mut text, fold);
    reasons(&mut text, fold);
    durations(&mut text, fold);
    let lost = "How often change events were lost, and everything was checked.";
    text.counter("uphold_watch_events_lost_total", lost, fold.counters.reports_lost);
    text.0
}

fn states(text: &mut Exposition, fold: &EventFold) {
    let totals = fold.totals();
    text.header("uphold_resources", "gauge", "Actions on resources, by state.");
    let states = [
        ("not_visited", totals.not_visited),
        ("ok", totals.ok),
        ("failed", totals.failed),
        ("ignored", totals.ignored),
        ("blocked", totals.blocked),
        ("differs", totals.differs),
        ("paused", totals.paused),
        ("skipped", totals.skipped),
    ];
    for (state, count) in states {
        text.sample("uphold_resources", &[("state", state)], count);
    }
    text.gauge("uphold_resources_busy", "Resources being visited.", totals.busy);
    let pending = "Resources not visited yet, being visited, or waiting for another attempt.";
    text.gauge("uphold_resources_pending", pending, totals.pending);
    text.gauge("uphold_resources_polled", "Resources that cannot be watched, and are polled.", totals.polled);
    let watched = totals.all.saturating_sub(totals.polled);
    text.gauge("uphold_resources_watched", "Resources that are visited when they change.", watched);
    let watching = u8::from(matches!(fold.overview(0).phase, Phase::Watching { .. }));
    text.gauge("uphold_watching", "1 after the first run, 0 before.", watching);
}

fn configuration(text: &mut Exposition, fold: &EventFold) {
    let overview = fold.overview(0);
    let generation = "Number of the configuration in force; the first is 0.";
    text.gauge("uphold_configuration_generation", generation, overview.generation);
    let reloaded = "Time of the last reload, in seconds since the epoch; 0 if never.";
    let at = overview.reloaded_at.map_or(0.0, seconds);
    text.gauge("uphold_configuration_reload_timestamp_seconds", reloaded, at);
    let failed = "1 if the configuration on the disk is invalid, and the previous one stays in force.";
    text.gauge("uphold_configuration_reload_failed", failed, u8::from(overview.reload_error.is_some()));
    text.counter("uphold_configuration_reloads_total", "Successful reloads.", fold.counters.swaps);
    text.counter("uphold_configuration_reload_failures_total", "Failed reloads.", fold.counters.refusals);
}

/// A counter by kind: name, help and value.
type OfKind = (&'static str, &'static str, fn(&KindCounters) -> u64);

const OF_KIND: [OfKind; 4] = [
    ("uphold_visits_total", "Finished visits, by kind of resource.", |kind| kind.visits),
    ("uphold_visit_failures_total", "Failed visits, by kind of resource.", |kind| kind.failures),
    ("uphold_drifts_total", "Detected drifts, by kind of resource.", |kind| kind.drifted),
    ("uphold_repairs_total", "Repaired drifts, by kind of resource.", |kind| kind.repaired),
];

fn by_kind(text: &mut Exposition, fold: &EventFold) {
    let mut kinds: Vec<(&Name, &KindCounters)> = fold.counters.kinds.iter().collect();
    kinds.sort_by_key(|(kind, _)| *kind);
    for (name, help, number) in OF_KIND {
        text.header(name, "counter", help);
        for (kind, counters) in &kinds {
            text.sample(name, &[("kind", kind)], number(counters));
        }
    }
    text.header("uphold_changes_total", "counter", "Changes, by kind of resource and kind of change.");
    for (kind, counters) in &kinds {
        for (change, count) in ChangeKind::ALL.iter().zip(counters.changes) {
            text.sample("uphold_changes_total", &[("kind", kind), ("change", change.word())], count);
        }
    }
}

fn reasons(text: &mut Exposition, fold: &EventFold) {
    let mut reasons: Vec<(&&str, &u64)> = fold.counters.reasons.iter().collect();
    reasons.sort();
    text.header("uphold_visit_reasons_total", "counter", "Finished visits, by reason.");
    for (reason, count) in reasons {
        text.sample("uphold_visit_reasons_total", &[("reason", reason)], count);
    }
}

fn durations(text: &mut Exposition, fold: &EventFold) {
    let name = "uphold_visit_duration_seconds";
    text.header(name, "histogram", "Duration of visits.");
    let mut below = 0;
    let ends = BUCKETS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
    for (end, count) in ends.zip(fold.counters.durations) {
        below += count;
        text.sample(&format!("{name}_bucket"), &[("le", &end)], below);
    }
    text.sample(&format!("{name}_sum"), &[], fold.counters.total_duration.as_secs_f64());
    text.sample(&format!("{name}_count"), &[], below);
}
