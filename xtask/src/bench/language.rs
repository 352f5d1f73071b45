//! The language: reading, evaluating and checking, compared with parsing of the same text by `hcl-edit`, and with reading it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::configuration;
use super::measure::{peak_memory, printed_number, time};
use super::statistic::best_of;
use super::table::{Row, bytes, microseconds, milliseconds};
use super::work::Bench;
use crate::disk;
use crate::failure::Result;

const BLOCKS: usize = 10_000;
const RUNS: usize = 5;
const TIME_LIMIT: f64 = 0.25;
const MEMORY_LIMIT: f64 = 0.125;
/// A linear implementation stays near 1; a quadratic one reaches 4.
const GROWTH_LIMIT: f64 = 1.5;
/// `validate` of inline contents, compared with a program that reads the text and looks at each byte once.
const SCAN_LIMIT: f64 = 3.0;
/// Memory, compared with the size of the text.
const TEXT_LIMIT: f64 = 2.0;

pub(crate) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let mut rows = compared_with_hcl_edit(bench)?;
    rows.extend(compared_with_reading(bench)?);
    for (name, sizes, text) in GROWING {
        rows.push(growth(bench, name, *sizes, *text)?);
    }
    Ok(rows)
}

/// Name, smaller and larger size, and generator of a growing configuration.
type Growing = (&'static str, [usize; 2], fn(usize) -> String);

const GROWING: &[Growing] = &[
    ("blocks with references", [25_000, 100_000], configuration::references),
    ("for_each elements", [25_000, 100_000], configuration::for_each),
    ("calls of a module", [250, 1_000], configuration::calls),
];

fn compared_with_hcl_edit(bench: &Bench) -> Result<Vec<Row>> {
    let file = write(bench, "references", &configuration::references(BLOCKS))?;
    let one = write(bench, "reference", &configuration::references(1))?;
    let read = || time(&mut read(bench, &file), 0);
    let validate = || time(&mut validate(bench, &file), 0);
    let oracle = || time(&mut oracle(bench, &file), 0);
    let (ours, theirs) = best_of(RUNS, read, oracle)?;
    let (whole, again) = best_of(RUNS, validate, oracle)?;
    let theirs = theirs.min(again).as_secs_f64();
    let more = |program: fn(&Bench, &Path) -> Command| -> Result<f64> {
        let base = printed_number(&mut program(bench, &one))?;
        Ok(printed_number(&mut program(bench, &file))?.saturating_sub(base) as f64)
    };
    let (read_memory, oracle_memory) = (more(self::read)?, more(self::oracle)?);
    // The base of this process is a small part, and too short-lived to be sampled.
    let whole_memory = peak_memory(&mut self::validate(bench, &file), 0)? as f64;
    let name = |what: &str| format!("{what}, {BLOCKS} blocks, floor is hcl-edit");
    Ok(vec![
        Row::ratio(name("read, evaluate, check"), ours.as_secs_f64(), theirs, Some(TIME_LIMIT), milliseconds),
        Row::ratio(name("the same, memory"), read_memory, oracle_memory, Some(MEMORY_LIMIT), bytes),
        Row::ratio(name("whole `validate`, kinds too"), whole.as_secs_f64(), theirs, None, milliseconds),
        Row::ratio(name("the same, memory"), whole_memory, oracle_memory, None, bytes),
    ])
}

fn compared_with_reading(bench: &Bench) -> Result<[Row; 2]> {
    let text = configuration::files(BLOCKS);
    let file = write(bench, "contents", &text)?;
    let run = || time(&mut validate(bench, &file), 0);
    let (ours, floor) = best_of(RUNS, run, || time(&mut bench.floor("scan", &file, 1), 0))?;
    let memory = peak_memory(&mut validate(bench, &file), 0)? as f64;
    let name = |what: &str| format!("{what}, {BLOCKS} blocks of 1 KiB");
    Ok([
        Row::ratio(
            name("`validate`; floor reads and scans"),
            ours.as_secs_f64(),
            floor.as_secs_f64(),
            Some(SCAN_LIMIT),
            milliseconds,
        ),
        Row::ratio(
            name("the same, memory; floor is the text"),
            memory,
            text.len() as f64,
            Some(TEXT_LIMIT),
            bytes,
        ),
    ])
}

/// The floor column shows our own cost at the smaller size.
fn growth(bench: &Bench, name: &str, sizes: [usize; 2], text: fn(usize) -> String) -> Result<Row> {
    let mut each = [0.0; 2];
    for (each, size) in each.iter_mut().zip(sizes) {
        let file = write(bench, &format!("growing-{size}"), &text(size))?;
        let run = || time(&mut validate(bench, &file), 0);
        let (once, again) = best_of(2, run, run)?;
        *each = once.min(again).as_secs_f64() / size as f64;
    }
    let name = format!("{name}, time each, {} to {}", sizes[0], sizes[1]);
    Ok(Row::ratio(name, each[1], each[0], Some(GROWTH_LIMIT), microseconds))
}

fn write(bench: &Bench, name: &str, text: &str) -> Result<PathBuf> {
    let folder = bench.folder().join(name);
    disk::make_directory(&folder.join("site"))?;
    disk::write(&folder.join("site/main.hcl"), configuration::MODULE)?;
    let file = folder.join("main.hcl");
    disk::write(&file, text)?;
    Ok(file)
}

fn validate(bench: &Bench, file: &Path) -> Command {
    bench.program(Bench::UPHOLD, &["validate", "--quiet"], file)
}

/// Only the configuration reader, without kinds.
fn read(bench: &Bench, file: &Path) -> Command {
    bench.program(Bench::READER, &[], file)
}

fn oracle(bench: &Bench, file: &Path) -> Command {
    bench.program(Bench::ORACLE, &[], file)
}
