//! The work for an event depends on the affected resources, not on the size of the graph.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::tampering::{Sort, Tampering};
use super::{Case, FILES};
use crate::bench::table::Row;
use crate::disk;
use crate::failure::{Failure, Result};

/// An arbitrary file; its directory and 99 others in it are watched, too.
const FILE: usize = 4711;
/// The time after the repair: long enough for other woken resources to show.
const SETTLE: Duration = Duration::from_millis(300);

/// The number of visits for one tampering, for each sort that affects one file.
pub(crate) fn run(case: &Case<'_>) -> Result<Vec<Row>> {
    let side = case.ours()?;
    let log = case.folder().join("watch.json");
    let output = File::create(&log)
        .map_err(|error| Failure::new(format!("cannot make `{}`: {error}", log.display())))?;
    let watch = case.watch_json(&side, output)?;
    let mut most: usize = 0;
    for sort in Sort::possible(side.user()).into_iter().filter(|sort| *sort != Sort::ParentMoved) {
        let before = visits(&log)?;
        side.measure(Tampering { sort, file: FILE })?;
        std::thread::sleep(SETTLE);
        let visits = visits(&log)? - before;
        if visits == 0 {
            return Err(Failure::new(format!(
                "no report of a repair ({}) in `{}`",
                sort.name(),
                log.display()
            )));
        }
        most = most.max(visits);
    }
    watch.end()?;
    let name = format!("most visits for one tampering among {FILES} files; floor is one");
    Ok(vec![Row::ratio(name, most as f64, 1.0, Some(1.0), |count| format!("{count:.0}"))])
}

fn visits(log: &Path) -> Result<usize> {
    Ok(finished(&disk::read(log)?))
}

/// The number of lines that report a finished action.
fn finished(lines: &str) -> usize {
    lines.lines().filter(|line| line.contains("\"type\":\"resource_finished\"")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_actions_are_counted() {
        let lines =
            "{\"type\":\"started\",\"x\":1}\n{\"level\":\"info\",\"type\":\"resource_finished\",\"x\":1}\n";
        assert_eq!(finished(lines), 1);
    }
}
