//! Which seeds are run.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the seeds may come from outside, are divided among threads, and one alone is shown"
)]

use std::env;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::trial;

/// With one visit at a time: always the same story.
const ALONE: Range<u64> = 0..1_000;
/// With several visits at a time: another story each time.
const TOGETHER: Range<u64> = 0..100;

/// Runs seeds on all processors; panics with the first that fails.
fn check(seeds: Range<u64>, jobs: usize) {
    let count = seeds.clone().count();
    let seeds = Mutex::new(seeds);
    let failed: Mutex<Vec<(u64, String)>> = Mutex::default();
    let repairs = AtomicUsize::new(0);
    let work = || {
        loop {
            let next = seeds.lock().expect("nobody panics with it").next();
            let Some(seed) = next else { return };
            let trial = trial::run(seed, jobs);
            repairs.fetch_add(trial.repairs, Ordering::Relaxed);
            if let Err(why) = trial.result {
                failed.lock().expect("nobody panics with it").push((seed, why));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut failed = failed.into_inner().expect("nobody panics with it");
    failed.sort();
    let told: Vec<String> = failed.iter().take(20).map(|(seed, why)| format!("seed {seed}: {why}")).collect();
    assert!(failed.is_empty(), "{} seeds failed:\n{}\nsee UPHOLD_SEED", failed.len(), told.join("\n"));
    assert!(repairs.into_inner() > count, "hardly anything was repaired");
}

/// The range that was asked for, or this one.
fn range(usual: Range<u64>) -> Range<u64> {
    let Ok(asked) = env::var("UPHOLD_SEEDS") else { return usual };
    let (from, to) = asked.split_once("..").expect("UPHOLD_SEEDS is like 0..100");
    from.parse().expect("a number")..to.parse().expect("a number")
}

#[test]
fn every_seed_ends_converged() {
    if let Ok(seed) = env::var("UPHOLD_SEED") {
        let jobs = env::var("UPHOLD_JOBS").map_or(1, |jobs| jobs.parse().expect("UPHOLD_JOBS is a number"));
        let trial = trial::run(seed.parse().expect("UPHOLD_SEED is a number"), jobs);
        println!("{}", trial.told.join("\n"));
        assert_eq!(trial.result, Ok(()));
        return;
    }
    check(range(ALONE), 1);
}

#[test]
fn every_seed_ends_converged_with_several_visits_at_a_time() {
    if env::var("UPHOLD_SEED").is_err() {
        check(range(TOGETHER), 4);
    }
}
