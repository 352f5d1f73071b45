//! Watching: how soon drift is repaired, and what it costs to wait for it.

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
mod holder;
mod idle;
mod random;
mod repair;
mod side;
mod tampering;
mod visits;

use holder::Holder;
use side::Side;

/// How many files are held.
const FILES: usize = 10_000;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let case = Case::new(bench)?;
    let mut rows = repair::run(&case)?;
    rows.extend(burst::run(&case)?);
    rows.extend(visits::run(&case)?);
    rows.extend(idle::run(&case)?);
    Ok(rows)
}

/// The configuration, and the sides that it is held on.
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

    /// A root that was just applied to.
    fn side(&self, name: &str, files: usize, configuration: &Path) -> Result<Side> {
        let side = Side::new(self.folder().join(name), files)?;
        fresh_root(side.root())?;
        time(&mut self.bench.uphold("apply", side.root(), configuration), 0)?;
        Ok(side)
    }

    fn ours(&self) -> Result<Side> {
        self.side("held", FILES, &self.configuration)
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

    fn hold(&self, side: &Side, files: usize) -> Result<Holder> {
        Holder::start(&mut self.bench.floor("hold", side.root(), files), self.folder())
    }

    fn apply(&self, side: &Side) -> Result<Duration> {
        time(&mut self.bench.uphold("apply", side.root(), &self.configuration), 0)
    }

    /// What is there is what was declared, by the floor's own eyes.
    fn prove(&self, side: &Side) -> Result {
        time(&mut self.bench.floor("check", side.root(), FILES), 0).map(drop)
    }

    fn watch(&self, side: &Side) -> Result<Holder> {
        Holder::start(self.watch_command(side).stdout(Stdio::null()), self.folder())
    }

    fn watch_one(&self, side: &Side) -> Result<Holder> {
        Holder::start(self.watch_of(side, &self.smallest).stdout(Stdio::null()), self.folder())
    }

    fn watch_json(&self, side: &Side, output: File) -> Result<Holder> {
        Holder::start(self.watch_command(side).arg("--json").stdout(output), self.folder())
    }

    fn watch_command(&self, side: &Side) -> Command {
        self.watch_of(side, &self.configuration)
    }

    /// Without a socket: others may watch on this machine.
    fn watch_of(&self, side: &Side, configuration: &Path) -> Command {
        let mut command = self.bench.program(Bench::UPHOLD, &["watch", "--socket", "none"], configuration);
        command.arg("--root").arg(side.root());
        command
    }
}
