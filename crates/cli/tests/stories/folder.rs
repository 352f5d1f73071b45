//! A folder with a configuration and its machine.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use uphold_testbed::{isolate, tied_command};

use super::running_watch::{Ended, RunningWatch};

/// A resource that copies the last write of a story, which shows that all earlier events were handled.
const SENTINEL: &str = r#"
file "HOME/heard" {
  source = "HOME/told"
}
"#;

/// A configuration, and the directory `DIR` for its resources.
pub(crate) struct Folder {
    home: TempDir,
    /// The number of messages to the sentinel.
    words: Cell<usize>,
}

impl Folder {
    /// An empty machine, on a file system in memory where possible.
    pub(crate) fn new() -> Self {
        let home = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        let folder = Self { home, words: Cell::new(0) };
        fs::create_dir(folder.at("")).expect("a directory");
        fs::write(folder.home("told"), "0").expect("a file");
        folder
    }

    /// An empty machine with a configuration.
    pub(crate) fn with(text: &str) -> Self {
        let folder = Self::new();
        folder.declare(text);
        folder
    }

    /// A path beside the machine.
    pub(crate) fn home(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A path on the machine.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.home.path().join("dir").join(name)
    }

    /// Replaces the configuration.
    pub(crate) fn declare(&self, text: &str) {
        let home = self.home.path().to_str().expect("a plain path");
        let text = format!("{text}{SENTINEL}").replace("DIR", "HOME/dir").replace("HOME", home);
        fs::write(self.home("next"), text).expect("a file");
        fs::rename(self.home("next"), self.home("site.hcl")).expect("the same directory");
    }

    /// Sends a new message to the sentinel.
    pub(crate) fn notify_sentinel(&self) -> String {
        self.words.set(self.words.get() + 1);
        let word = self.words.get().to_string();
        fs::write(self.home("next"), &word).expect("a file");
        fs::rename(self.home("next"), self.home("told")).expect("the same directory");
        word
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).expect(name);
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.at(name)).ok()
    }

    /// Whether an entry exists, including dangling links.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.at(name).symlink_metadata().is_ok()
    }

    pub(crate) fn make_dir(&self, name: &str) {
        fs::create_dir(self.at(name)).expect(name);
    }

    pub(crate) fn delete(&self, name: &str) {
        fs::remove_file(self.at(name)).expect(name);
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).expect(from);
    }

    /// The inode of a file and the times of its last changes.
    pub(crate) fn traces(&self, name: &str) -> (u64, i64, i64) {
        let about = fs::symlink_metadata(self.at(name)).expect(name);
        (about.ino(), about.ctime(), about.ctime_nsec())
    }

    /// `uphold watch` without polling, not yet started.
    pub(crate) fn command(&self, flags: &[&str]) -> Command {
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        command.args(["watch", "--json", "--recheck", "never", "--socket", "none", "--jobs", "8"]);
        command.args(flags).arg("site.hcl");
        isolate(&mut command, self.home.path());
        command
    }

    /// Starts a watch without waiting for the first visits.
    pub(crate) fn start(&self, flags: &[&str]) -> RunningWatch<'_> {
        RunningWatch::start(self, self.command(flags))
    }

    /// Starts a watch and waits until all resources were visited once.
    #[track_caller]
    pub(crate) fn watch(&self) -> RunningWatch<'_> {
        self.watch_with(&[])
    }

    /// As [`watch`](Self::watch), with flags.
    #[track_caller]
    pub(crate) fn watch_with(&self, flags: &[&str]) -> RunningWatch<'_> {
        let watch = self.start(flags);
        watch.await_type("watching");
        watch.visits_until_idle();
        watch
    }

    /// Runs a watch that ends as soon as it has converged.
    #[track_caller]
    pub(crate) fn converge(&self, flags: &[&str]) -> Ended {
        self.start(&[flags, &["--until-converged", "100ms"]].concat()).ends()
    }
}
