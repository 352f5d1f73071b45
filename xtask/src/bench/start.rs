//! Start-up time: a plan of one resource, compared with a program that does nothing.

use std::process::Command;
use std::time::Duration;

use super::measure::time;
use super::statistic::median_of;
use super::table::Row;
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

const RUNS: usize = 30;
const LIMIT: Duration = Duration::from_millis(10);
/// Exit code of `uphold plan` when there are changes to make.
const CHANGES_PENDING: i32 = 2;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let root = bench.folder().join("empty");
    disk::make_directory(&root)?;
    let configuration = bench.folder().join("start.hcl");
    disk::write(&configuration, "file \"/motd\" {\n  content = \"hello\\n\"\n}\n")?;
    let (ours, floor) = median_of(
        RUNS,
        || time(&mut bench.uphold("plan", &root, &configuration), CHANGES_PENDING),
        || time(&mut Command::new("/bin/true"), 0),
    )?;
    Ok(vec![Row::difference("start: plan of one resource".to_owned(), ours, floor, LIMIT)])
}
