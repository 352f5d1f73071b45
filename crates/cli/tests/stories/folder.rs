//! A folder with a configuration, and the machine that it is about.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::running_watch::{Ended, RunningWatch};

/// Copies what a story writes last, so that the story knows when everything before it was heard.
const SENTINEL: &str = r#"
file "HOME/heard" {
  source = "HOME/told"
}
"#;

/// A configuration, and a directory for what it declares: `DIR`.
pub(crate) struct Folder {
    home: TempDir,
    /// How often something new was said.
    words: Cell<usize>,
}

impl Folder {
    /// An empty machine, in memory where that is possible.
    pub(crate) fn new() -> Self {
        let home = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        let folder = Self { home, words: Cell::new(0) };
        fs::create_dir(folder.at("")).expect("a directory");
        fs::write(folder.home("told"), "0").expect("a file");
        folder
    }

    /// The same with a configuration.
    pub(crate) fn with(text: &str) -> Self {
        let folder = Self::new();
        folder.declare(text);
        folder
    }

    /// Beside the machine.
    pub(crate) fn home(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// On the machine.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.home.path().join("dir").join(name)
    }

    /// Puts a configuration in the place of the one before.
    pub(crate) fn declare(&self, text: &str) {
        let home = self.home.path().to_str().expect("a plain path");
        let text = format!("{text}{SENTINEL}").replace("DIR", "HOME/dir").replace("HOME", home);
        fs::write(self.home("next"), text).expect("a file");
        fs::rename(self.home("next"), self.home("site.hcl")).expect("the same directory");
    }

    /// Says something to the sentinel that it has not heard yet.
    pub(crate) fn say_something_new(&self) -> String {
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

    /// Whether there is something, be it a link to nowhere.
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

    /// Which file it is, and when it was last touched in any way.
    pub(crate) fn traces(&self, name: &str) -> (u64, i64, i64) {
        let about = fs::symlink_metadata(self.at(name)).expect(name);
        (about.ino(), about.ctime(), about.ctime_nsec())
    }

    /// `uphold watch`, not yet started: it never looks although nothing is reported.
    pub(crate) fn command(&self, flags: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args(["watch", "--json", "--recheck", "never", "--socket", "none", "--jobs", "8"]);
        command.args(flags).arg("site.hcl");
        command.current_dir(self.home.path()).env_clear().env("PATH", "/usr/bin:/bin");
        command
    }

    /// A watch from its beginning on.
    pub(crate) fn start(&self, flags: &[&str]) -> RunningWatch<'_> {
        RunningWatch::start(self, self.command(flags))
    }

    /// A watch that has visited everything once.
    #[track_caller]
    pub(crate) fn hold(&self) -> RunningWatch<'_> {
        self.hold_with(&[])
    }

    /// The same with flags.
    #[track_caller]
    pub(crate) fn hold_with(&self, flags: &[&str]) -> RunningWatch<'_> {
        let watch = self.start(flags);
        watch.hears("watching");
        watch.settled();
        watch
    }

    /// A watch that ends by itself as soon as nothing changes any more.
    #[track_caller]
    pub(crate) fn converge(&self, flags: &[&str]) -> Ended {
        self.start(&[flags, &["--until-converged", "100ms"]].concat()).ends()
    }
}
