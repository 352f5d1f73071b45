//! A temporary folder with the configuration `site.hcl`, and the real command to run on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use uphold_testbed::isolate;

const CONFIGURATION: &str = "site.hcl";

pub(crate) struct Site {
    folder: TempDir,
}

/// The exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) printed: String,
}

impl Ran {
    /// Runs the command to its end.
    pub(crate) fn finish(command: &mut Command) -> Self {
        let output = command.output().expect("the command runs");
        let printed =
            [&output.stdout, &output.stderr].map(|printed| String::from_utf8_lossy(printed).into_owned());
        Self { status: output.status.code(), printed: printed.concat() }
    }

    /// Asserts that the run succeeded.
    #[track_caller]
    pub(crate) fn succeeds(&self) {
        assert_eq!(self.status, Some(0), "{}", self.printed);
    }

    /// Asserts that the run failed and printed these words.
    #[track_caller]
    pub(crate) fn fails_with(&self, words: &str) {
        assert!(self.status == Some(1) && self.printed.contains(words), "{words}: {self:?}");
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().expect("a folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a configuration of one block; its label is the path `name` in the folder.
    pub(crate) fn declare(&self, kind: &str, name: &str, attributes: &[&str]) {
        let text = format!("{kind} {:?} {{\n{}\n}}\n", self.at(name), attributes.join("\n"));
        std::fs::write(self.at(CONFIGURATION), text).expect("a file");
    }

    /// `uphold VERB site.hcl`, isolated in the folder.
    pub(crate) fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.arg(verb).arg(self.at(CONFIGURATION));
        self.isolate(&mut command);
        command
    }

    /// Isolates a command in the folder, without standard input.
    pub(crate) fn isolate(&self, command: &mut Command) {
        isolate(command, self.path()).stdin(Stdio::null());
    }
}
