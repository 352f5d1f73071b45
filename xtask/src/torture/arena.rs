//! The scratch directory of one suite, and the command under attack.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::Extent;
use super::snapshot::Snapshot;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;

/// Many file-like kinds in one configuration, below the directory of its param `at`.
const MIXED: &str = include_str!("mixed.hcl");

/// A scratch directory, removed when this is dropped.
pub(crate) struct Arena {
    uphold: PathBuf,
    directory: PathBuf,
    pub(crate) extent: Extent,
}

impl Arena {
    pub(crate) fn new(uphold: PathBuf, extent: Extent) -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("uphold-torture-{}", std::process::id()));
        Self::at(directory, uphold, extent)
    }

    /// An arena for one of several workers at the same time.
    pub(crate) fn another(&self, number: usize) -> Result<Self> {
        let directory = self.directory.with_extension(number.to_string());
        Self::at(directory, self.uphold.clone(), self.extent)
    }

    fn at(directory: PathBuf, uphold: PathBuf, extent: Extent) -> Result<Self> {
        disk::remove_tree(&directory)?;
        disk::make_directory(&directory)?;
        disk::write(&directory.join("mixed.hcl"), MIXED)?;
        Ok(Self { uphold, directory, extent })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The distance between tried points: 1 for the whole, otherwise `sample`.
    pub(crate) fn step(&self, sample: usize) -> usize {
        if self.extent == Extent::Whole { 1 } else { sample }
    }

    /// The number of rounds: `whole`, or a tenth of it in a sample.
    pub(crate) fn rounds(&self, whole: usize) -> usize {
        if self.extent == Extent::Whole { whole } else { whole.div_ceil(10) }
    }

    pub(crate) fn uphold(&self) -> &Path {
        &self.uphold
    }

    /// `uphold VERB …` without standard input.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.uphold);
        self.own_state(command.args(words)).stdin(Stdio::null()).current_dir(&self.directory);
        command
    }

    /// Lets `uphold` keep its journal in this directory: neither the machine nor another arena may share it.
    pub(crate) fn own_state<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("UPHOLD_STATE", self.path("state"))
    }

    /// The arguments that apply the mixed configuration with one job, so in a fixed order.
    pub(crate) fn apply_mixed(&self) -> Vec<String> {
        let at = format!("at={}", self.path("machine").display());
        let configuration = self.path("mixed.hcl").display().to_string();
        ["apply", "--jobs", "1", "-p", &at, &configuration].map(str::to_owned).to_vec()
    }

    /// Writes the initial state: some of the declared things exist and differ, and no run was recorded.
    pub(crate) fn write_initial_state(&self) -> Result {
        let machine = self.path("machine");
        disk::remove_tree(&self.path("state"))?;
        disk::remove_tree(&machine)?;
        for (path, text) in [
            ("conf/replaced", "old\n"),
            ("conf/extra", "not declared\n"),
            ("versions", "version 1\n"),
            (".versions.uphold-backup-1", "version 0\n"),
            (".versions.uphold-backup-2", "version -1\n"),
            ("tree/deep/file", "x\n"),
            ("obsolete", "x\n"),
            ("lines", "first\n"),
            ("settings.json", "{\"a\": {\"b\": 1}, \"c\": 3}\n"),
            ("settings.ini", "[main]\nlevel = 1\n"),
            ("settings.toml", "[a]\nb = 1\n"),
            ("settings.yaml", "a:\n  b: 1\n"),
            ("input/x", "1\n"),
            ("input/sub/y", "2\n"),
        ] {
            disk::write(&machine.join(path), text)?;
        }
        let (input, archive) = (machine.join("input"), machine.join("input.tar"));
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--mtime=@0", "-cf"]).arg(&archive).arg("-C").arg(&input).arg(".");
        program::output(&mut tar)?;
        disk::remove_tree(&input)
    }

    /// The current state. The order of added lines is ignored, because a later run adds a line that failed.
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        Ok(Snapshot::take(&self.path("machine"))?.with_sorted_lines("lines"))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if let Err(failure) = disk::remove_tree(&self.directory) {
            eprintln!("warning: {failure}");
        }
    }
}

/// Runs to the end and captures the output.
pub(crate) fn finish(command: &mut Command) -> Result<Output> {
    command.output().map_err(|error| program::not_started(command, &error))
}

/// A panic or an abort, which no input and no failure may cause.
pub(crate) fn crash(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stderr);
    if let Some(line) = text.lines().find(|line| line.contains("panicked at")) {
        return Some(line.to_owned());
    }
    match (output.status.code(), output.status.signal()) {
        (Some(code @ (101 | 134 | 139)), _) => Some(format!("exit code {code}")),
        (_, Some(signal @ (6 | 7 | 11))) => Some(format!("signal {signal}")),
        _ => None,
    }
}

/// The failure of a run that must succeed.
pub(crate) fn succeeded(output: &Output) -> Result {
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(format!("ended with {}: {}", output.status, text.trim_end())))
}
