//! Watching: how fast drift is repaired, and the cost of waiting for it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::configuration;
use super::measure::time;
use super::root::fresh_root;
use super::table::Row;
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

mod burst;
mod idle;
mod process;
mod repair;
mod side;
mod tampering;

use process::WatchProcess;
use side::Side;

/// The number of watched files.
const FILES: usize = 10_000;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let case = Case::new(bench)?;
    let mut rows = repair::run(&case)?;
    rows.extend(burst::run(&case)?);
    rows.extend(tampering::run(&case)?);
    rows.extend(idle::run(&case)?);
    Ok(rows)
}

/// The configuration, and the folder for the roots.
struct Case<'a> {
    bench: &'a Bench,
    configuration: PathBuf,
    /// The same directories with one file in them.
    smallest: PathBuf,
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench) -> Result<Self> {
        let write = |count: usize| -> Result<PathBuf> {
            let path = bench.folder().join(format!("watch-{count}")).join("main.hcl");
            disk::write(&path, &configuration::forced_files(count))?;
            Ok(path)
        };
        Ok(Self { bench, configuration: write(FILES)?, smallest: write(1)? })
    }

    fn folder(&self) -> &Path {
        self.bench.folder()
    }

    fn tamperings(&self) -> usize {
        if self.bench.is_quick() { 200 } else { 1_000 }
    }

    fn idle_span(&self) -> Duration {
        Duration::from_secs(if self.bench.is_quick() { 10 } else { 60 })
    }

    /// A root to which the configuration was just applied.
    fn side(&self, name: &str, files: usize, configuration: &Path) -> Result<Side> {
        let side = Side::new(self.folder().join(name), files)?;
        fresh_root(side.root())?;
        time(&mut self.bench.uphold("apply", side.root(), configuration), 0)?;
        Ok(side)
    }

    fn ours(&self) -> Result<Side> {
        self.side("watched", FILES, &self.configuration)
    }

    fn applied(&self) -> Result<Side> {
        self.side("applied", FILES, &self.configuration)
    }

    fn one(&self) -> Result<Side> {
        self.side("one", 1, &self.smallest)
    }

    /// An empty root: the floor fills it.
    fn floor_side(&self, name: &str, files: usize) -> Result<Side> {
        let side = Side::new(self.folder().join(name), files)?;
        fresh_root(side.root())?;
        Ok(side)
    }

    fn floor_watch(&self, side: &Side, files: usize) -> Result<WatchProcess> {
        WatchProcess::start(&mut self.bench.floor("watch", side.root(), files), self.folder())
    }

    fn apply(&self, side: &Side) -> Result<Duration> {
        time(&mut self.bench.uphold("apply", side.root(), &self.configuration), 0)
    }

    /// Lets the floor check that the root is as declared.
    fn verify(&self, side: &Side) -> Result {
        time(&mut self.bench.floor("check", side.root(), FILES), 0).map(drop)
    }

    fn watch(&self, side: &Side) -> Result<WatchProcess> {
        WatchProcess::start(self.watch_command(side).stdout(Stdio::null()), self.folder())
    }

    fn watch_one(&self, side: &Side) -> Result<WatchProcess> {
        WatchProcess::start(self.watch_of(side, &self.smallest).stdout(Stdio::null()), self.folder())
    }

    fn watch_json(&self, side: &Side, output: File) -> Result<WatchProcess> {
        WatchProcess::start(self.watch_command(side).arg("--json").stdout(output), self.folder())
    }

    fn watch_command(&self, side: &Side) -> Command {
        self.watch_of(side, &self.configuration)
    }

    /// Without a socket, because other watches may run on this machine.
    fn watch_of(&self, side: &Side, configuration: &Path) -> Command {
        let mut command = self.bench.program(Bench::UPHOLD, &["watch", "--socket", "none"], configuration);
        command.arg("--root").arg(side.root());
        command
    }
}
