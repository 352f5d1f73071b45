//! Compares plans with the applies that follow, and counts correct predictions.
#![expect(clippy::print_stdout, reason = "the table is for people, and shown with --nocapture")]

use std::collections::BTreeMap;

use super::outcome::Outcome;

/// The planned and the actual outcomes.
pub(crate) struct Forecast {
    pub(crate) planned: Vec<Outcome>,
    pub(crate) applied: Vec<Outcome>,
}

/// Totals of all forecasts.
#[derive(Default)]
pub(crate) struct Tally {
    configurations: usize,
    total: usize,
    exact: usize,
    may: Vec<String>,
    /// Actions that failed, or were skipped after a failure, which the plan could not predict.
    failed: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    /// Counts every action.
    pub(crate) fn add(&mut self, name: &str, forecast: Forecast) {
        let Forecast { planned, applied } = forecast;
        self.configurations += 1;
        let mut came: BTreeMap<_, Vec<&Outcome>> = BTreeMap::new();
        for outcome in applied.iter().rev() {
            came.entry(&outcome.key).or_default().push(outcome);
        }
        // Certain predictions are matched first, because possible changes may not happen.
        let (open, certain): (Vec<_>, Vec<_>) =
            planned.iter().partition(|planned| planned.verdict == "may_change");
        for planned in certain.into_iter().chain(open) {
            let came = came.get_mut(&planned.key).and_then(Vec::pop);
            self.total += 1;
            self.count(name, planned, came);
        }
        let unplanned = came.into_values().flatten();
        self.wrong.extend(unplanned.map(|outcome| format!("{name}: {} was not planned", described(outcome))));
    }

    fn count(&mut self, name: &str, planned: &Outcome, came: Option<&Outcome>) {
        let verdict = came.map_or("nothing", |came| came.verdict.as_str());
        let line = format!("{name}: {}", described(planned));
        match (planned.verdict.as_str(), verdict) {
            ("may_change", came) => self.may.push(format!("{line}; came {came}")),
            ("would_change", "changed") => self.exact += 1,
            (planned, came) if planned == came => self.exact += 1,
            (_, "failed" | "ignored" | "skipped") => self.failed.push(format!("{line}; came {verdict}")),
            _ => self.wrong.push(format!("{line}; came {verdict}")),
        }
    }

    /// Prints the table and asserts that no prediction was wrong, and that at most `most` percent were uncertain.
    #[track_caller]
    pub(crate) fn check(&self, what: &str, least: usize, most: usize) {
        let Self { configurations, total, exact, may, failed, wrong } = self;
        println!("{what}: {configurations} configurations, {exact} of {total} actions as planned");
        println!("{} may change:\n  {}", may.len(), may.join("\n  "));
        println!("{} failed in the run alone:\n  {}", failed.len(), failed.join("\n  "));
        assert!(wrong.is_empty(), "{} came otherwise than planned:\n{}", wrong.len(), wrong.join("\n"));
        assert!(*configurations >= least, "only {configurations} {what} could be planned");
        assert!(may.len() * 100 <= total * most, "{} of {total} may change", may.len());
    }
}

fn described(outcome: &Outcome) -> String {
    let (address, action, notified) = &outcome.key;
    let asked = if *notified { " on request" } else { "" };
    let reason = if outcome.reason.is_empty() { String::new() } else { format!(" ({})", outcome.reason) };
    format!("{address} {action}{asked}: {}{reason}", outcome.verdict)
}
