//! `cargo xtask bench`: compares Uphold with the floor, a program that makes only the necessary system calls.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::program::{self, cargo};
use crate::workspace;

pub(crate) mod compare;
mod configuration;
mod durable;
mod files;
pub(crate) mod floor;
mod journal;
mod language;
mod linear;
mod machine;
mod measure;
mod root;
mod run;
mod script;
mod start;
mod statistic;
mod table;
mod watch;
mod work;

use table::Row;
use work::Bench;

/// A named benchmark; its limits are in its own file.
type Benchmark = fn(&Bench) -> Result<Vec<Row>>;

/// The parsed command line.
struct Choice {
    benchmarks: Vec<(&'static str, Benchmark)>,
    strict: bool,
    quick: bool,
}

const BENCHMARKS: &[(&str, Benchmark)] = &[
    ("durable", durable::run),
    ("files", files::run),
    ("journal", journal::run),
    ("language", language::run),
    ("linear", linear::run),
    ("run", run::run),
    ("script", script::run),
    ("start", start::run),
    ("watch", watch::run),
];

/// Runs the named benchmarks, or all of them. Stores no results.
pub(crate) fn run(words: &[&str]) -> Result {
    let Choice { benchmarks, strict, quick } = choose(words)?;
    let (uphold, xtask) = build()?;
    program::run(cargo().args(["build", "--release", "--package", "uphold-config", "--examples"]))?;
    program::run(cargo().args([
        "build",
        "--release",
        "--package",
        "uphold-engine",
        "--example",
        "run_cost",
    ]))?;
    let bench = Bench::new(uphold, xtask, quick)?;
    print!("{}", machine::facts(bench.folder()));
    let mut rows = Vec::new();
    for (name, benchmark) in benchmarks {
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

/// Builds release versions of `uphold` and of this program; returns their paths.
fn build() -> Result<(PathBuf, PathBuf)> {
    program::run(cargo().args(["build", "--release", "--package", "uphold-cli", "--package", "xtask"]))?;
    Ok((workspace::built("release", "uphold")?, workspace::built("release", "xtask")?))
}

fn choose(words: &[&str]) -> Result<Choice> {
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let known = |name: &str| BENCHMARKS.iter().any(|(known, _)| *known == name);
    if let Some(word) = flags.iter().find(|flag| !["--strict", "--quick"].contains(flag)) {
        return Err(Failure::new(format!("bench has no flag `{word}`; it has `--strict` and `--quick`")));
    }
    if let Some(word) = names.iter().find(|name| !known(name)) {
        return Err(Failure::new(format!(
            "no benchmark `{word}`; the benchmarks are durable, files, journal, language, linear, run, script, start and watch"
        )));
    }
    let chosen = BENCHMARKS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)).copied();
    Ok(Choice {
        benchmarks: chosen.collect(),
        strict: flags.contains(&"--strict"),
        quick: flags.contains(&"--quick"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: std::result::Result<(&[&str], bool, bool), &str>) {
        match (choose(words), expected) {
            (Ok(choice), Ok((names, strict, quick))) => {
                assert_eq!(choice.benchmarks.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
                assert_eq!((choice.strict, choice.quick), (strict, quick));
            }
            (Err(failure), Err(part)) => assert!(failure.to_string().contains(part), "{failure}"),
            (found, _) => panic!("{words:?}: {:?}", found.map(|choice| choice.benchmarks.len())),
        }
    }

    #[test]
    fn words_choose_benchmarks() {
        check(
            &[],
            Ok((
                &["durable", "files", "journal", "language", "linear", "run", "script", "start", "watch"],
                false,
                false,
            )),
        );
        check(&["start", "--strict"], Ok((&["start"], true, false)));
        check(&["watch", "--quick"], Ok((&["watch"], false, true)));
        check(&["fast"], Err("no benchmark `fast`"));
        check(&["--fast"], Err("has no flag `--fast`"));
    }
}
