//! `cargo xtask test`: everything a change must pass.

use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};
use crate::program::cargo;
use crate::{disk, generate, program, requirement, tidy, torture, workspace};

/// Cheap checks first. All compile the whole workspace in the same profile, so that each step can use the dependencies
/// that an earlier one built.
const STEPS: &[Step] = &[
    Step { name: "machine", run: requirement::provide },
    Step { name: "format", run: format },
    Step { name: "tidy", run: tidy::run },
    Step { name: "deny", run: deny },
    Step { name: "clippy", run: clippy },
    Step { name: "features", run: features },
    Step { name: "hosts", run: hosts },
    Step { name: "tests", run: tests },
    Step { name: "torture", run: torture_sample },
    Step { name: "docs", run: docs },
    Step { name: "examples", run: examples },
    Step { name: "own kind", run: own_kind },
    Step { name: "generated", run: generated },
];

pub(crate) fn run() -> Result {
    run_all(STEPS)
}

fn format() -> Result {
    program::run(cargo().args(["fmt", "--all", "--check"]))
}

/// Without advisories: their database is on another server, and a test must not need the network.
fn deny() -> Result {
    if !program::succeeds("cargo-deny", &["--version"]) {
        println!("skipped: cargo-deny is not installed; tidy has checked licences, bans and sources");
        return Ok(());
    }
    program::run(cargo().args(["deny", "--offline", "check", "licenses", "bans", "sources"]))
}

fn clippy() -> Result {
    program::run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Checks the build without features, and tests its messages. It needs no compiler for C or C++, so there is none.
fn features() -> Result {
    let without_c = || {
        let mut command = cargo();
        command.envs(["CC", "CXX"].map(|name| (name, "false")));
        command
    };
    let packages = ["--package", "uphold", "--package", "uphold-cli", "--no-default-features"];
    program::run(without_c().arg("clippy").args(packages).args(["--", "-D", "warnings"]))?;
    let test = ["test", "--package", "uphold", "--no-default-features", "--test", "features"];
    program::run(without_c().args(test))
}

/// Builds and unpacks the base images of the disposable hosts, so that no test has to wait for them.
fn hosts() -> Result {
    if !requirement::wants_hosts() {
        println!("no hosts: they need root, and UPHOLD_BED must not be `skip`; tests on hosts are skipped");
        return Ok(());
    }
    program::run(cargo().args(["run", "--quiet", "--package", "uphold-testbed"]))
}

/// Where hosts are possible, a test that is skipped for lack of one is a failure.
fn tests() -> Result {
    let mut command = cargo();
    command.args(["test", "--workspace"]);
    if requirement::wants_hosts() {
        command.env("UPHOLD_BED", "require");
    }
    program::run(&mut command)
}

/// Planted links need the files of another user, and so root.
fn torture_sample() -> Result {
    if !requirement::is_root() {
        println!("no torture: it needs root");
        return Ok(());
    }
    torture::sample()
}

fn docs() -> Result {
    program::run(cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Runs each example program of the facade; each must succeed.
fn examples() -> Result {
    let files = disk::names(&workspace::root().join("crates/uphold/examples"), ".rs")?;
    if files.is_empty() {
        return Err(Failure::new("no programs in crates/uphold/examples; each extension point needs one"));
    }
    for name in files.iter().filter_map(|file| file.strip_suffix(".rs")) {
        println!("--> example {name}");
        program::run(cargo().args(["run", "--quiet", "--package", "uphold", "--example", name]))?;
    }
    Ok(())
}

/// Tests the example of an author's own repository, with a workspace of its own. It takes the versions and the target
/// directory of ours, so that only our crates are compiled again.
fn own_kind() -> Result {
    let root = workspace::root();
    let folder = root.join("examples/own-kind");
    disk::write(&folder.join("Cargo.lock"), &disk::read(&root.join("Cargo.lock"))?)?;
    program::run(cargo().current_dir(&folder).args(["fmt", "--check"]))?;
    let mut test = cargo();
    test.current_dir(&folder).args(["test", "--offline", "--target-dir"]).arg(root.join("target"));
    program::run(&mut test)
}

fn generated() -> Result {
    generate::run(generate::Mode::Check)
}

// A list of named steps: run in order, timed, stopped at the first failure.

/// A task with its headline.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Result,
}

/// Runs the steps and prints a line for each, then the total.
pub(crate) fn run_all(steps: &[Step]) -> Result {
    let start = Instant::now();
    let mut times = Vec::new();
    let mut outcome = Ok(());
    for step in steps {
        println!("\n==> {}", step.name);
        let step_start = Instant::now();
        outcome = (step.run)();
        times.push(step_start.elapsed());
        if outcome.is_err() {
            break;
        }
    }
    print!("\n{}", summary(steps, &times, outcome.is_err(), start.elapsed()));
    outcome.map_err(|failure| Failure::new(format!("{}: {failure}", steps[times.len() - 1].name)))
}

fn summary(steps: &[Step], times: &[Duration], failed: bool, total: Duration) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let verdict = match times.get(index) {
            None => "not run".to_owned(),
            Some(time) if failed && index + 1 == times.len() => {
                format!("FAILED  {:.1} s", time.as_secs_f64())
            }
            Some(time) => format!("ok      {:.1} s", time.as_secs_f64()),
        };
        text.push_str(&format!("{:<12}{verdict}\n", step.name));
    }
    text.push_str(&format!("{:<12}        {:.1} s\n", "total", total.as_secs_f64()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass() -> Result {
        Ok(())
    }

    fn fail() -> Result {
        Err(Failure::new("it broke"))
    }

    fn never() -> Result {
        panic!("a step after the failed one was run")
    }

    #[test]
    fn stops_at_the_first_failure_and_names_the_step() {
        let steps = [
            Step { name: "one", run: pass },
            Step { name: "two", run: fail },
            Step { name: "three", run: never },
        ];
        assert_eq!(run_all(&steps).unwrap_err().to_string(), "two: it broke");
    }

    #[test]
    fn summary_has_a_line_for_each_step() {
        let steps = [
            Step { name: "one", run: pass },
            Step { name: "two", run: fail },
            Step { name: "three", run: never },
        ];
        let second = Duration::from_secs(1);
        assert_eq!(
            summary(&steps, &[second, second], true, 2 * second),
            "one         ok      1.0 s\ntwo         FAILED  1.0 s\nthree       not run\ntotal               2.0 s\n"
        );
    }
}
