//! A list of named steps: run in order, timed, stopped at the first failure.

use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};

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
