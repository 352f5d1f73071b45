//! A first apply on a disk, where syncing costs most, compared with a program that syncs everything once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::configuration;
use super::machine::filesystem_of;
use super::measure::time;
use super::root::fresh_root;
use super::statistic::best_of;
use super::table::{Row, milliseconds};
use super::work::Bench;
use crate::failure::Result;
use crate::{disk, workspace};

const FILES: usize = 10_000;
const RUNS: usize = 5;
const LIMIT: f64 = 1.5;

/// Nothing on a machine whose repository is in memory.
pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let folder = workspace::root().join(format!("target/bench-{}", std::process::id()));
    disk::make_directory(&folder)?;
    let rows = match filesystem_of(&folder).as_deref() {
        None | Some("tmpfs" | "ramfs") => Ok(Vec::new()),
        Some(filesystem) => first_applies(bench, &folder, filesystem),
    };
    disk::remove_tree(&folder)?;
    rows
}

fn first_applies(bench: &Bench, folder: &Path, filesystem: &str) -> Result<Vec<Row>> {
    let file = bench.folder().join("durable.hcl");
    disk::write(&file, &configuration::files(FILES))?;
    // ext4 avoids inodes that were freed a moment ago, so each run has a root of its own, and none is removed before the end.
    let roots = std::cell::Cell::new(0);
    let fresh = || -> Result<PathBuf> {
        roots.set(roots.get() + 1);
        let root = folder.join(roots.get().to_string());
        fresh_root(&root)?;
        rustix::fs::sync();
        Ok(root)
    };
    let ours = || -> Result<Duration> { time(&mut bench.uphold("apply", &fresh()?, &file), 0) };
    let floor = || -> Result<Duration> { time(&mut bench.floor("write-together", &fresh()?, FILES), 0) };
    let (ours, floor) = best_of(RUNS, ours, floor)?;
    let name = format!("first apply on {filesystem}, {FILES} files; floor syncs once");
    Ok(vec![Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), Some(LIMIT), milliseconds)])
}
