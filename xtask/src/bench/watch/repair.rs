//! The time from the tampering system call to the repaired file, one tampering at a time.

use std::time::Duration;

use super::side::{Repair, Side};
use super::tampering::{Sort, Tampering, tamperings};
use super::{Case, FILES};
use crate::bench::statistic::{median, percentile};
use crate::bench::table::{Row, microseconds};
use crate::failure::Result;

/// An arbitrary seed.
const SEED: u64 = 20_261_116;
const MEDIAN_LIMIT: f64 = 3.0;
const TAIL_LIMIT: f64 = 10.0;
/// The pause after a tampering, long enough for the side to become idle again.
const PAUSE: Duration = Duration::from_millis(2);
/// The pause after a moved directory: the side still receives events of a hundred files that it wrote itself.
const LONG_PAUSE: Duration = Duration::from_millis(30);

/// The roots that are tampered with: ours, and those of the floor.
struct Sides<'a> {
    ours: &'a Side,
    /// Watches one directory with one file.
    floor: &'a Side,
    /// Watches one directory with as many files as each of ours has.
    full_floor: &'a Side,
}

/// The same tampering on both sides, at nearly the same time.
struct Pair {
    sort: Sort,
    ours: Repair,
    floor: Repair,
    /// If the parent was moved: the floor's time for the same number of files.
    full_floor: Option<Duration>,
}

/// Watches all sides and alternates between them, so that a slow moment of the machine affects all of them.
pub(crate) fn run(case: &Case<'_>) -> Result<Vec<Row>> {
    let (ours, floor, full_floor) =
        (case.ours()?, case.floor_side("floor", 1)?, case.floor_side("full", FILES)?);
    let mut watch = case.watch(&ours)?;
    let _floors = (case.floor_watch(&floor, 1)?, case.floor_watch(&full_floor, FILES)?);
    let sides = Sides { ours: &ours, floor: &floor, full_floor: &full_floor };
    let mut pairs = Vec::new();
    for tampering in tamperings(SEED, case.tamperings(), FILES, &Sort::possible(ours.user())) {
        pairs.push(sides.measure(tampering)?);
    }
    watch.expect_running()?;
    watch.end()?;
    case.verify(&ours)?;
    rows(&pairs)
}

impl Sides<'_> {
    fn measure(&self, tampering: Tampering) -> Result<Pair> {
        let sort = tampering.sort;
        let first = Tampering { sort, file: 0 };
        let pause = if sort == Sort::ParentMoved { LONG_PAUSE } else { PAUSE };
        let measure = |side: &Side, tampering| {
            let repair = side.measure(tampering);
            std::thread::sleep(pause);
            repair
        };
        let (ours, floor) = (measure(self.ours, tampering)?, measure(self.floor, first)?);
        let full_floor = match sort {
            Sort::ParentMoved => Some(measure(self.full_floor, first)?.whole),
            _ => None,
        };
        Ok(Pair { sort, ours, floor, full_floor })
    }
}

impl Pair {
    /// Both times until everything is repaired; both sides had the same number of files to write.
    fn same_work(&self) -> (Duration, Duration) {
        (self.ours.whole, self.full_floor.unwrap_or(self.floor.whole))
    }

    /// Both times until the changed file is repaired. If its parent was moved, we write up to a hundred files before it,
    /// and the floor writes one.
    fn one_file(&self) -> (Duration, Duration) {
        (self.ours.file, self.floor.file)
    }
}

/// The limits apply to the same work, with moved parents and without, since those would hide the rest.
fn rows(pairs: &[Pair]) -> Result<Vec<Row>> {
    let limits = Some((MEDIAN_LIMIT, TAIL_LIMIT));
    let of = |wanted: &dyn Fn(Sort) -> bool, times: fn(&Pair) -> (Duration, Duration)| -> Vec<_> {
        pairs.iter().filter(|pair| wanted(pair.sort)).map(times).collect()
    };
    let mut rows = compare("repair", &of(&|_| true, Pair::same_work), limits)?;
    let alone = of(&|sort| sort != Sort::ParentMoved, Pair::same_work);
    rows.extend(compare("repair, no parent moved", &alone, limits)?);
    for sort in Sort::ALL {
        let name = format!("repair, {}", sort.name());
        rows.extend(compare(&name, &of(&|one| one == sort, Pair::same_work), None)?);
    }
    let literal = of(&|_| true, Pair::one_file);
    rows.extend(compare("repair, just the file; floor has one file", &literal, None)?);
    Ok(rows)
}

/// Median and 99th percentile of both sides; empty if there are no times.
fn compare(name: &str, times: &[(Duration, Duration)], limits: Option<(f64, f64)>) -> Result<Vec<Row>> {
    if times.is_empty() {
        return Ok(Vec::new());
    }
    let (ours, floor): (Vec<_>, Vec<_>) = times.iter().copied().unzip();
    let row = |what: &str, ours: Duration, floor: Duration, limit| {
        let name = format!("{name} ({} times): {what}", times.len());
        Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), limit, microseconds)
    };
    let tail = (percentile(ours.clone(), 99)?, percentile(floor.clone(), 99)?);
    Ok(vec![
        row("median", median(ours)?, median(floor)?, limits.map(|limits| limits.0)),
        row("99th percentile", tail.0, tail.1, limits.map(|limits| limits.1)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sort_has_rows_and_only_the_totals_have_limits() {
        let ms = Duration::from_millis;
        let pair = |sort, file, whole, full_floor: Option<u64>| Pair {
            sort,
            ours: Repair { file: ms(file), whole: ms(whole) },
            floor: Repair { file: ms(1), whole: ms(1) },
            full_floor: full_floor.map(ms),
        };
        let pairs = [
            pair(Sort::Delete, 2, 2, None),
            pair(Sort::Delete, 4, 4, None),
            pair(Sort::ParentMoved, 20, 200, Some(50)),
        ];
        let rows = rows(&pairs).unwrap();
        let shown: Vec<_> =
            rows.iter().map(|row| (row.name.as_str(), row.ratio.as_str(), row.over)).collect();
        assert_eq!(
            shown,
            [
                ("repair (3 times): median", "4.00x", Some(true)),
                ("repair (3 times): 99th percentile", "4.00x", Some(false)),
                ("repair, no parent moved (2 times): median", "4.00x", Some(true)),
                ("repair, no parent moved (2 times): 99th percentile", "4.00x", Some(false)),
                ("repair, deleted (2 times): median", "4.00x", None),
                ("repair, deleted (2 times): 99th percentile", "4.00x", None),
                ("repair, parent moved away (1 times): median", "4.00x", None),
                ("repair, parent moved away (1 times): 99th percentile", "4.00x", None),
                ("repair, just the file; floor has one file (3 times): median", "4.00x", None),
                ("repair, just the file; floor has one file (3 times): 99th percentile", "20.00x", None),
            ]
        );
    }
}
