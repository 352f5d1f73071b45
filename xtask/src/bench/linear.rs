//! The cost of planning one resource does not grow with the number of resources.

use std::path::PathBuf;

use super::configuration;
use super::measure::{peak_memory, time};
use super::statistic::best_of;
use super::table::{Row, bytes, microseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

/// The first size is the baseline of the others.
const SIZES: [usize; 3] = [25_000, 50_000, 100_000];
const RUNS: usize = 3;
/// A linear implementation stays near 1; a quadratic one reaches 4.
const LIMIT: f64 = 1.5;
/// Exit code of `uphold plan` when there are changes, as on an empty root.
const CHANGES_PENDING: i32 = 2;

/// The cost of one resource in a configuration of `count`.
struct Cost {
    count: usize,
    seconds: f64,
    bytes: f64,
}

/// The floor column shows our own cost at the smallest size.
pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let base_memory = memory(bench, 1)?;
    let mut costs = Vec::new();
    for count in SIZES {
        costs.push(cost(bench, count, base_memory)?);
    }
    Ok(rows(&costs))
}

fn cost(bench: &Bench, count: usize, base_memory: u64) -> Result<Cost> {
    let (root, configuration) = case(bench, count)?;
    let plan = || time(&mut bench.uphold("plan", &root, &configuration), CHANGES_PENDING);
    let (once, again) = best_of(RUNS, plan, plan)?;
    let memory = memory(bench, count)?.saturating_sub(base_memory);
    Ok(Cost {
        count,
        seconds: once.min(again).as_secs_f64() / count as f64,
        bytes: memory as f64 / count as f64,
    })
}

fn memory(bench: &Bench, count: usize) -> Result<u64> {
    let (root, configuration) = case(bench, count)?;
    peak_memory(&mut bench.uphold("plan", &root, &configuration), CHANGES_PENDING)
}

/// A root with nothing but the directory that the configuration fills, and `count` resources.
fn case(bench: &Bench, count: usize) -> Result<(PathBuf, PathBuf)> {
    let root = bench.folder().join("empty");
    disk::make_directory(&root.join("srv"))?;
    let configuration = bench.folder().join(format!("mixture-{count}.hcl"));
    disk::write(&configuration, &configuration::mixture(count))?;
    Ok((root, configuration))
}

fn rows(costs: &[Cost]) -> Vec<Row> {
    let Some(base) = costs.first() else { return Vec::new() };
    let limit = |cost: &Cost| (Some(&cost.count) == SIZES.last()).then_some(LIMIT);
    let time = costs.iter().map(|cost| {
        let name = format!("plan time a resource, {}", cost.count);
        Row::ratio(name, cost.seconds, base.seconds, limit(cost), microseconds)
    });
    let memory = costs.iter().map(|cost| {
        let name = format!("plan memory a resource, {}", cost.count);
        Row::ratio(name, cost.bytes, base.bytes, limit(cost), bytes)
    });
    time.chain(memory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_growth_is_over_the_limit_and_linear_is_not() {
        let costs = |growth: f64| {
            SIZES.map(|count| {
                let each = (count as f64 / SIZES[0] as f64).powf(growth);
                Cost { count, seconds: each * 1e-5, bytes: each * 500.0 }
            })
        };
        assert_eq!(rows(&costs(0.0)).iter().filter(|row| row.is_over()).count(), 0);
        assert_eq!(rows(&costs(1.0)).iter().filter(|row| row.is_over()).count(), 2);
        assert_eq!(rows(&costs(1.0)).len(), 6);
    }
}
