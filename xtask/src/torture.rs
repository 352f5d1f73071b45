//! `cargo xtask torture`: crashes, failing system calls, planted links, hostile programs and archives, leaked secrets.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::program::{self, cargo};
use crate::workspace;

mod arena;
mod faults;
mod hostile;
mod links;
mod parallel_runs;
mod secrets;
mod snapshot;
mod tally;

use arena::Arena;
use tally::Tally;

/// Runs the attacks of a suite in `arena` and reports those that succeeded.
type Suite = fn(&Arena) -> Result<Tally>;

const SUITES: &[(&str, Suite)] = &[
    ("kills", faults::kills),
    ("errors", faults::errors),
    ("links", links::run),
    ("parallel-runs", parallel_runs::run),
    ("hostile", hostile::run),
    ("secrets", secrets::run),
];

/// The thoroughness of the attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Every point.
    Whole,
    /// A fixed selection of points, for every test run.
    Sample,
}

struct Choice {
    suites: Vec<(&'static str, Suite)>,
    extent: Extent,
}

/// Builds the command, runs the named suites or all, and fails if an attack succeeded.
pub(crate) fn run(words: &[&str]) -> Result {
    let choice = choose(words)?;
    program::run(cargo().args(["build", "--workspace", "--bin", "uphold"]))?;
    attack(&choice)
}

/// The sample for every test run. Earlier steps have built the command.
pub(crate) fn sample() -> Result {
    attack(&choose(&["--sample"])?)
}

fn attack(choice: &Choice) -> Result {
    if !program::succeeds("strace", &["--version"]) {
        return Err(Failure::new("torture needs `strace`; install it: apt-get install strace"));
    }
    let uphold: PathBuf = workspace::built("debug", "uphold")?;
    let mut total = Tally::default();
    for (name, suite) in &choice.suites {
        let arena = Arena::new(uphold.clone(), choice.extent)?;
        let tally = suite(&arena)?;
        println!("{name:<14} {tally}");
        total.add(tally);
    }
    println!("{:<14} {total}", "total");
    total.into_result()
}

fn choose(words: &[&str]) -> Result<Choice> {
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(flag) = flags.iter().find(|flag| **flag != "--sample") {
        return Err(Failure::new(format!("torture has no flag `{flag}`; it has `--sample`")));
    }
    if let Some(name) = names.iter().find(|name| SUITES.iter().all(|(known, _)| known != *name)) {
        let known: Vec<&str> = SUITES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::new(format!("torture has no suite `{name}`; it has {}", known.join(", "))));
    }
    let suites =
        SUITES.iter().filter(|(name, _)| names.is_empty() || names.contains(name)).copied().collect();
    Ok(Choice { suites, extent: if flags.is_empty() { Extent::Whole } else { Extent::Sample } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: std::result::Result<(usize, Extent), &str>) {
        match (choose(words), expected) {
            (Ok(choice), Ok(expected)) => assert_eq!((choice.suites.len(), choice.extent), expected),
            (Err(failure), Err(part)) => assert!(failure.to_string().contains(part), "{failure}"),
            (found, _) => panic!("{words:?}: {:?}", found.map(|choice| choice.suites.len())),
        }
    }

    #[test]
    fn words_choose_suites() {
        check(&[], Ok((SUITES.len(), Extent::Whole)));
        check(&["--sample"], Ok((SUITES.len(), Extent::Sample)));
        check(&["kills", "links"], Ok((2, Extent::Whole)));
        check(&["floods"], Err("has no suite `floods`; it has kills, errors"));
        check(&["--all"], Err("no flag `--all`"));
    }
}
