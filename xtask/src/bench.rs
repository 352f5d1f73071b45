//! `cargo xtask bench`: our times against the floor, a program that makes the same system calls and nothing else.

use crate::failure::{Failure, Result};
use crate::program::{self, cargo};
use crate::workspace;

mod configuration;
mod files;
pub(crate) mod floor;
mod language;
mod linear;
mod machine;
mod measure;
mod run;
mod start;
mod statistic;
mod table;
mod work;

use table::Row;
use work::Bench;

/// A named benchmark; its limits are in its own file.
type Benchmark = fn(&Bench) -> Result<Vec<Row>>;

const BENCHMARKS: &[(&str, Benchmark)] = &[
    ("files", files::run),
    ("language", language::run),
    ("linear", linear::run),
    ("run", run::run),
    ("start", start::run),
];

/// Runs the named benchmarks, or all. Stores nothing.
pub(crate) fn run(words: &[&str]) -> Result {
    let (chosen, strict) = choose(words)?;
    program::run(cargo().args(["build", "--release", "--package", "uphold-cli", "--package", "xtask"]))?;
    program::run(cargo().args(["build", "--release", "--package", "uphold-config", "--examples"]))?;
    program::run(cargo().args([
        "build",
        "--release",
        "--package",
        "uphold-engine",
        "--example",
        "run_cost",
    ]))?;
    let bench = Bench::new(workspace::built("release", "uphold")?, workspace::built("release", "xtask")?)?;
    print!("{}", machine::facts(bench.folder()));
    let mut rows = Vec::new();
    for (name, benchmark) in chosen {
        println!("==> {name}");
        rows.extend(benchmark(&bench)?);
    }
    print!("\n{}", table::render(&rows));
    let over = rows.iter().filter(|row| row.is_over()).count();
    if strict && over > 0 {
        Err(Failure::new(format!("{over} of the results are over their limits")))
    } else {
        Ok(())
    }
}

fn choose(words: &[&str]) -> Result<(Vec<(&'static str, Benchmark)>, bool)> {
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let known = |name: &str| BENCHMARKS.iter().any(|(known, _)| *known == name);
    if let Some(word) = flags.iter().find(|flag| **flag != "--strict") {
        return Err(Failure::new(format!("bench does not know `{word}`; it knows `--strict`")));
    }
    if let Some(word) = names.iter().find(|name| !known(name)) {
        return Err(Failure::new(format!(
            "there is no benchmark `{word}`; there are files, language, linear, run and start"
        )));
    }
    let chosen = BENCHMARKS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)).copied();
    Ok((chosen.collect(), !flags.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: std::result::Result<(&[&str], bool), &str>) {
        match (choose(words), expected) {
            (Ok((chosen, strict)), Ok((names, expected_strict))) => {
                assert_eq!(chosen.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
                assert_eq!(strict, expected_strict);
            }
            (Err(failure), Err(part)) => assert!(failure.to_string().contains(part), "{failure}"),
            (found, _) => panic!("{words:?}: {:?}", found.map(|(chosen, strict)| (chosen.len(), strict))),
        }
    }

    #[test]
    fn words_choose_benchmarks() {
        check(&[], Ok((&["files", "language", "linear", "run", "start"], false)));
        check(&["start", "--strict"], Ok((&["start"], true)));
        check(&["fast"], Err("no benchmark `fast`"));
        check(&["--quick"], Err("does not know `--quick`"));
    }
}
