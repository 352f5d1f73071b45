//! One statistic from several runs.

use std::time::Duration;

use crate::failure::{Failure, Result};

/// Alternates between both sides, so that a slow moment of the machine affects both, and keeps the best of each.
///
/// The best time is the program's own cost; the rest is other load on the machine.
pub(crate) fn best_of(
    runs: usize,
    mut ours: impl FnMut() -> Result<Duration>,
    mut floor: impl FnMut() -> Result<Duration>,
) -> Result<(Duration, Duration)> {
    let (ours, floor) = alternate(runs, &mut ours, &mut floor)?;
    Ok((smallest(&ours)?, smallest(&floor)?))
}

/// As [`best_of`], but the median: for times so short that the best is luck.
pub(crate) fn median_of(
    runs: usize,
    mut ours: impl FnMut() -> Result<Duration>,
    mut floor: impl FnMut() -> Result<Duration>,
) -> Result<(Duration, Duration)> {
    let (ours, floor) = alternate(runs, &mut ours, &mut floor)?;
    Ok((median(ours)?, median(floor)?))
}

fn alternate(
    runs: usize,
    ours: &mut dyn FnMut() -> Result<Duration>,
    floor: &mut dyn FnMut() -> Result<Duration>,
) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let mut times = (Vec::with_capacity(runs), Vec::with_capacity(runs));
    for _ in 0..runs {
        times.0.push(ours()?);
        times.1.push(floor()?);
    }
    Ok(times)
}

fn smallest(times: &[Duration]) -> Result<Duration> {
    times.iter().min().copied().ok_or_else(nothing_measured)
}

pub(crate) fn median(mut times: Vec<Duration>) -> Result<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied().ok_or_else(nothing_measured)
}

/// The smallest time that `percent` of the times do not exceed.
pub(crate) fn percentile(mut times: Vec<Duration>, percent: usize) -> Result<Duration> {
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100);
    times.get(rank.saturating_sub(1)).copied().ok_or_else(nothing_measured)
}

fn nothing_measured() -> Failure {
    Failure::new("nothing was measured: a benchmark needs at least one run")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn runs_alternate_and_the_best_counts() {
        let order = std::cell::RefCell::new(String::new());
        let mut ours = [5, 3, 4].into_iter();
        let mut floor = [2, 9, 9].into_iter();
        let mut next = |name: char, times: &mut dyn Iterator<Item = u64>| {
            order.borrow_mut().push(name);
            times.next().map(ms).ok_or_else(nothing_measured)
        };
        let best = {
            let next = std::cell::RefCell::new(&mut next);
            best_of(3, || (next.borrow_mut())('o', &mut ours), || (next.borrow_mut())('f', &mut floor))
                .unwrap()
        };
        assert_eq!(best, (ms(3), ms(2)));
        assert_eq!(order.into_inner(), "ofofof");
    }

    #[test]
    fn median_is_the_middle() {
        for (times, middle) in [(vec![1], 1), (vec![9, 1, 5], 5), (vec![4, 1, 3, 2], 3)] {
            assert_eq!(median(times.into_iter().map(ms).collect()).unwrap(), ms(middle));
        }
        assert!(median(Vec::new()).is_err());
        assert!(median_of(0, || Ok(ms(1)), || Ok(ms(1))).is_err());
    }

    #[test]
    fn percentile_is_the_nearest_rank() {
        let times: Vec<Duration> = (1..=1000).rev().map(ms).collect();
        for (percent, time) in [(99, 990), (50, 500), (100, 1000), (0, 1)] {
            assert_eq!(percentile(times.clone(), percent).unwrap(), ms(time));
        }
        assert_eq!(percentile(vec![ms(7), ms(3)], 99).unwrap(), ms(7));
        assert!(percentile(Vec::new(), 99).is_err());
    }
}
