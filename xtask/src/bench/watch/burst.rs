//! Many tamperings at once, compared with an apply that repairs the same ones.

use std::time::{Duration, Instant};

use crate::bench::statistic::best_of;
use crate::bench::table::{Row, milliseconds};
use crate::failure::Result;

use super::side::Side;
use super::tampering::{Sort, Tampering, tamperings};
use super::{Case, FILES};

const SEED: u64 = 5;
const TAMPERINGS: usize = 1_000;
const RUNS: usize = 3;

/// The floor column shows our own apply, which has to start and to check everything.
pub(crate) fn run(case: &Case<'_>) -> Result<Vec<Row>> {
    let (watched, applied) = (case.ours()?, case.applied()?);
    let watch = case.watch(&watched)?;
    let drift = drift(watched.user());
    let (ours, apply) = best_of(
        RUNS,
        || repaired(&watched, &drift),
        || {
            drift.iter().try_for_each(|tampering| applied.tamper(*tampering))?;
            case.apply(&applied)
        },
    )?;
    watch.end()?;
    case.verify(&watched)?;
    case.verify(&applied)?;
    let name = format!("{} tamperings at once; floor is an apply of the same", drift.len());
    Ok(vec![Row::ratio(name, ours.as_secs_f64(), apply.as_secs_f64(), None, milliseconds)])
}

/// Changes each file at most once and moves no directory, so that the order does not matter on either side.
fn drift(user: u32) -> Vec<Tampering> {
    let sorts: Vec<Sort> =
        Sort::possible(user).into_iter().filter(|sort| *sort != Sort::ParentMoved).collect();
    let mut drift = tamperings(SEED, TAMPERINGS, FILES, &sorts);
    drift.sort_by_key(|tampering| tampering.file);
    drift.dedup_by_key(|tampering| tampering.file);
    drift
}

/// From the first tampering to the last repair.
fn repaired(side: &Side, drift: &[Tampering]) -> Result<Duration> {
    let begin = Instant::now();
    drift.iter().try_for_each(|tampering| side.tamper(*tampering))?;
    drift.iter().try_for_each(|tampering| side.wait_for_file(begin, *tampering).map(drop))?;
    Ok(begin.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_changed_twice() {
        let drift = drift(0);
        assert!(drift.len() > 900, "{}", drift.len());
        assert!(drift.windows(2).all(|pair| pair[0].file < pair[1].file));
        assert!(drift.iter().all(|tampering| tampering.sort != Sort::ParentMoved));
    }
}
