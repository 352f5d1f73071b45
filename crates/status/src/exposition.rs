//! Metrics in the text format 0.0.4 of Prometheus: `docs/status.md` lists them.

use std::fmt::{Display, Write};
use std::time::{Duration, SystemTime};

use uphold_model::{ChangeKind, Name};
use uphold_wire::status::Phase;

use crate::ledger::Ledger;
use crate::tally::{KindTally, SPANS};

/// What the body of an answer is.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Text that grows metric by metric.
#[derive(Default)]
struct Exposition(String);

/// Whether a metric can shrink.
#[derive(Clone, Copy)]
enum Sort {
    Counter,
    Gauge,
    Histogram,
}

impl Exposition {
    /// What the next samples are about.
    fn metric(&mut self, name: &str, sort: Sort, help: &str) {
        let sort = match sort {
            Sort::Counter => "counter",
            Sort::Gauge => "gauge",
            Sort::Histogram => "histogram",
        };
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {sort}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (at, (label, value)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"{}\"", if at == 0 { '{' } else { ',' }, escaped(value));
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }

    /// A metric with one sample.
    fn single(&mut self, name: &str, sort: Sort, help: &str, value: impl Display) {
        self.metric(name, sort, help);
        self.sample(name, &[], value);
    }
}

/// A label's value as the format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs_f64()
}

/// Everything that is counted. Costs as much as there are kinds, not resources.
pub(crate) fn exposition(ledger: &Ledger, version: &str) -> String {
    let mut text = Exposition::default();
    text.metric("uphold_build_info", Sort::Gauge, "The version of uphold; always 1.");
    text.sample("uphold_build_info", &[("version", version)], 1);
    let began = "When the watch began, in seconds since the epoch.";
    text.single("process_start_time_seconds", Sort::Gauge, began, seconds(ledger.began));
    now(&mut text, ledger);
    configuration(&mut text, ledger);
    by_kind(&mut text, ledger);
    reasons(&mut text, ledger);
    durations(&mut text, ledger);
    let lost = "How often reports of the machine were lost, so that everything was looked at.";
    text.single("uphold_reports_lost_total", Sort::Counter, lost, ledger.tally.reports_lost);
    text.0
}

/// How it is right now.
fn now(text: &mut Exposition, ledger: &Ledger) {
    let totals = ledger.totals();
    text.metric("uphold_resources", Sort::Gauge, "Actions on resources that are held, by state.");
    let states = [
        ("waiting", totals.waiting),
        ("held", totals.held),
        ("failed", totals.failed),
        ("ignored", totals.ignored),
        ("blocked", totals.blocked),
        ("differs", totals.differ),
        ("left_alone", totals.left_alone),
    ];
    for (state, count) in states {
        text.sample("uphold_resources", &[("state", state)], count);
    }
    let gauges = [
        ("uphold_resources_busy", "Visited right now.", totals.busy),
        (
            "uphold_resources_pending",
            "Not visited yet, visited right now, or to be tried again.",
            totals.pending,
        ),
        ("uphold_resources_blind", "Looked at now and then, because they cannot be watched.", totals.blind),
        (
            "uphold_resources_watched",
            "Looked at when something changes.",
            totals.all.saturating_sub(totals.blind),
        ),
    ];
    for (name, help, count) in gauges {
        text.single(name, Sort::Gauge, help, count);
    }
    let watching = u8::from(matches!(ledger.overview(0).phase, Phase::Watching { .. }));
    text.single("uphold_watching", Sort::Gauge, "1 once everything was visited, 0 before.", watching);
}

fn configuration(text: &mut Exposition, ledger: &Ledger) {
    let overview = ledger.overview(0);
    let generation = "Which configuration is held; the first is 0.";
    text.single("uphold_configuration_generation", Sort::Gauge, generation, overview.generation);
    let swapped = "When another configuration was taken up, in seconds since the epoch; 0 if never.";
    let at = overview.swapped.map_or(0.0, seconds);
    text.single("uphold_configuration_swap_timestamp_seconds", Sort::Gauge, swapped, at);
    let refused = "1 if the configuration as it is written now was refused.";
    text.single("uphold_configuration_refused", Sort::Gauge, refused, u8::from(overview.refused.is_some()));
    let swaps = "How often another configuration was taken up.";
    text.single("uphold_configuration_swaps_total", Sort::Counter, swaps, ledger.tally.swaps);
    let refusals = "How often another configuration was refused.";
    text.single("uphold_configuration_refusals_total", Sort::Counter, refusals, ledger.tally.refusals);
}

/// A counter that each kind has.
type OfKind = (&'static str, &'static str, fn(&KindTally) -> u64);

const OF_KIND: [OfKind; 4] = [
    ("uphold_visits_total", "Visits that ended, by kind of resource.", |kind| kind.visits),
    ("uphold_visit_failures_total", "Visits that failed, by kind of resource.", |kind| kind.failures),
    ("uphold_drifts_total", "How often something else changed what was as declared.", |kind| kind.drifted),
    ("uphold_repairs_total", "How often that was put right.", |kind| kind.repaired),
];

fn by_kind(text: &mut Exposition, ledger: &Ledger) {
    let mut kinds: Vec<(&Name, &KindTally)> = ledger.tally.kinds.iter().collect();
    kinds.sort_by_key(|(kind, _)| *kind);
    for (name, help, number) in OF_KIND {
        text.metric(name, Sort::Counter, help);
        for (kind, tally) in &kinds {
            text.sample(name, &[("kind", kind)], number(tally));
        }
    }
    text.metric(
        "uphold_changes_total",
        Sort::Counter,
        "Changes that were made, by kind of resource and sort.",
    );
    for (kind, tally) in &kinds {
        for (change, count) in ChangeKind::ALL.iter().zip(tally.changes) {
            text.sample("uphold_changes_total", &[("kind", kind), ("change", change.word())], count);
        }
    }
}

fn reasons(text: &mut Exposition, ledger: &Ledger) {
    let mut reasons: Vec<(&&str, &u64)> = ledger.tally.reasons.iter().collect();
    reasons.sort();
    text.metric(
        "uphold_wakes_total",
        Sort::Counter,
        "Visits that ended, by the reason for which they were made.",
    );
    for (reason, count) in reasons {
        text.sample("uphold_wakes_total", &[("reason", reason)], count);
    }
}

fn durations(text: &mut Exposition, ledger: &Ledger) {
    let name = "uphold_visit_duration_seconds";
    text.metric(name, Sort::Histogram, "How long visits took.");
    let mut below = 0;
    let ends = SPANS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
    for (end, count) in ends.zip(ledger.tally.spans) {
        below += count;
        text.sample(&format!("{name}_bucket"), &[("le", &end)], below);
    }
    text.sample(&format!("{name}_sum"), &[], ledger.tally.span_sum.as_secs_f64());
    text.sample(&format!("{name}_count"), &[], below);
}
