//! A kind in Luau compared with the same kind in Rust: a no-op apply.

use std::path::PathBuf;
use std::time::Duration;

use super::configuration;
use super::measure::time;
use super::root::fresh_root;
use super::statistic::best_of;
use super::table::{Row, milliseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

const COUNT: usize = 10_000;
const RUNS: usize = 5;
/// The time of the scripted kind as a multiple of the compiled one, at most.
const LIMIT: f64 = 3.0;

/// The part of `file` that the configuration uses, as a script.
const KIND: &str = include_str!("scripted_file.luau");

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.folder().join("script");
    disk::make_directory(&folder)?;
    disk::make_directory(&folder.join("kinds"))?;
    disk::write(&folder.join("kinds/scripted_file.luau"), KIND)?;
    let compiled = Case::new(bench, folder.join("compiled.hcl"), &configuration::files(COUNT), "compiled")?;
    let text = configuration::files(COUNT).replace("\nfile \"", "\nscripted_file \"");
    let scripted = Case::new(bench, folder.join("scripted.hcl"), &text, "scripted")?;
    let (ours, floor) = best_of(RUNS, || scripted.apply(), || compiled.apply())?;
    let name = format!("no-op apply of {COUNT} files of a scripted kind; floor is the kind in Rust");
    Ok(vec![Row::ratio(name, ours.as_secs_f64(), floor.as_secs_f64(), Some(LIMIT), milliseconds)])
}

/// A configuration that was applied once, and its root.
struct Case<'a> {
    bench: &'a Bench,
    configuration: PathBuf,
    root: PathBuf,
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench, configuration: PathBuf, text: &str, root: &str) -> Result<Self> {
        disk::write(&configuration, text)?;
        let case = Self { bench, configuration, root: bench.folder().join(root) };
        fresh_root(&case.root)?;
        case.apply()?;
        Ok(case)
    }

    fn apply(&self) -> Result<Duration> {
        time(&mut self.bench.uphold("apply", &self.root, &self.configuration), 0)
    }
}
