//! Totals of recorded runs.

use std::collections::BTreeMap;
use std::fmt;

use uphold::journal::{Run, RunState};

use crate::clean;
use crate::diagnostics::count;

/// The number of resources that are listed.
const LISTED: usize = 10;

/// Totals of runs.
#[derive(Default)]
pub(crate) struct Statistics {
    runs: BTreeMap<String, usize>,
    interrupted: usize,
    changed: usize,
    failed: usize,
    /// How often each resource was changed.
    resources: BTreeMap<String, usize>,
}

impl Statistics {
    pub(crate) fn of(runs: &[Run]) -> Self {
        let mut all = Self::default();
        for run in runs {
            *all.runs.entry(run.begin.mode.clone()).or_default() += 1;
            all.interrupted += usize::from(run.state == RunState::Interrupted);
            for action in &run.actions {
                match action.end.as_ref().map(|end| &*end.verdict) {
                    Some("changed") => {
                        all.changed += 1;
                        *all.resources.entry(action.begin.address.clone()).or_default() += 1;
                    }
                    Some("failed") => all.failed += 1,
                    _ => {}
                }
            }
        }
        all
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.runs.values().sum();
        let modes: Vec<String> = self.runs.iter().map(|(mode, number)| format!("{number} {mode}")).collect();
        let modes = if modes.is_empty() { String::new() } else { format!(" ({})", modes.join(", ")) };
        writeln!(f, "{}{modes}, {} interrupted", count(total, "run"), self.interrupted)?;
        writeln!(f, "{}, {}", count(self.changed, "change"), count(self.failed, "failure"))?;
        let mut resources: Vec<_> = self.resources.iter().collect();
        resources.sort_by_key(|(address, number)| (std::cmp::Reverse(**number), *address));
        if !resources.is_empty() {
            writeln!(f, "Changed most often:")?;
        }
        resources
            .iter()
            .take(LISTED)
            .try_for_each(|(address, number)| writeln!(f, "{number:>6}  {}", clean(address)))
    }
}
