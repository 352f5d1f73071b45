//! A configuration with its own root and state directory.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::{Run, uphold};

pub(crate) struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    pub(crate) fn with(text: &str) -> Self {
        let sandbox = Self { dir: tempfile::tempdir().expect("a directory for the test") };
        fs::create_dir_all(sandbox.at("root/etc")).expect("a root for the test");
        sandbox.configure(text);
        sandbox
    }

    /// Replaces the configuration.
    pub(crate) fn configure(&self, text: &str) {
        fs::write(self.at("site.hcl"), text).expect("a file for the test");
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The arguments that each command has.
    pub(crate) fn places(&self) -> Vec<String> {
        let text = |name: &str| self.at(name).to_str().expect("a plain path").to_owned();
        vec!["--root".to_owned(), text("root"), "--state".to_owned(), text("state")]
    }

    /// A command of a hint, with the same arguments.
    pub(crate) fn hint(&self, verb: &str) -> String {
        format!("uphold {verb} {}", self.places().join(" "))
    }

    /// Runs a command without a configuration.
    pub(crate) fn plain(&self, arguments: &[&str]) -> Run {
        let places = self.places();
        uphold(arguments.iter().map(OsStr::new).chain(places.iter().map(OsStr::new)))
    }

    /// Runs a command on the configuration.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let site = self.at("site.hcl");
        let site = site.to_str().expect("a plain path");
        self.plain(&[arguments, &[site]].concat())
    }

    /// Applies, and expects success.
    #[track_caller]
    pub(crate) fn apply(&self) -> String {
        let run = self.run(&["apply"]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        run.out
    }

    /// The JSON lines of a type.
    pub(crate) fn lines(&self, arguments: &[&str], kind: &str) -> Vec<Value> {
        let out = self.run(&[arguments, &["--json"]].concat()).out;
        let lines = out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
        lines.filter(|line: &Value| line["type"] == kind).collect()
    }

    pub(crate) fn chmod(&self, name: &str, mode: u32) {
        fs::set_permissions(self.at(name), Permissions::from_mode(mode)).expect("the file exists");
    }

    /// A file of the state directory; empty if it does not exist.
    pub(crate) fn state(&self, name: &str) -> String {
        fs::read_to_string(self.at("state").join(name)).unwrap_or_default()
    }
}
