//! A folder to download into, and the command.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs the real command")]

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) struct Ground {
    home: TempDir,
}

/// How a run ended, and all that it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) said: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said).into_owned());
        Self { status: output.status.code(), said: said.concat() }
    }
}

impl Ground {
    pub(crate) fn new() -> Self {
        Self { home: TempDir::new().expect("a folder") }
    }

    /// A file of the folder.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.at(name)).ok()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.at(name), content).expect("a file");
    }

    /// The SHA-256 of a file.
    pub(crate) fn digest(&self, name: &str) -> String {
        let output = Command::new("sha256sum").arg(self.at(name)).output().expect("sha256sum runs");
        String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap_or_default().to_owned()
    }

    /// Gives a file to another user.
    pub(crate) fn own(&self, name: &str, owner: u32, mode: u32) {
        use std::os::unix::fs::{PermissionsExt as _, chown};
        chown(self.at(name), Some(owner), None).expect("root may");
        std::fs::set_permissions(self.at(name), std::fs::Permissions::from_mode(mode)).expect("root may");
    }

    pub(crate) fn delete(&self, name: &str) {
        std::fs::remove_file(self.at(name)).expect("it is there");
    }

    /// The names in the folder, but that of the configuration.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.home.path()).expect("a folder").flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "site.hcl").collect();
        names.sort();
        names
    }

    /// Declares a download of `url` to the file `app`, with more attributes.
    pub(crate) fn declare(&self, url: &str, attributes: &[&str]) {
        let path = self.at("app");
        let text = format!("download {path:?} {{\nurl = {url:?}\n{}\n}}\n", attributes.join("\n"));
        self.write("site.hcl", text);
    }

    pub(crate) fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.arg(verb).arg(self.at("site.hcl")).current_dir(self.home.path());
        command.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, verb: &str) -> Ran {
        Ran::of(&self.command(verb).output().expect("the command runs"))
    }

    /// An apply that has to succeed.
    #[track_caller]
    pub(crate) fn apply(&self) {
        let ran = self.run("apply");
        assert_eq!(ran.status, Some(0), "{}", ran.said);
    }

    /// An apply that has to fail, and to say this.
    #[track_caller]
    pub(crate) fn refuse(&self, words: &str) -> Ran {
        let ran = self.run("apply");
        assert!(ran.status == Some(1) && ran.said.contains(words), "{words}: {ran:?}");
        ran
    }

    /// An apply that is not waited for.
    pub(crate) fn spawn(&self) -> Child {
        let mut command = self.command("apply");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs")
    }
}
