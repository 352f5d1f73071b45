//! A folder for downloads, and the command.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use uphold_testbed::STATE;

use crate::site::{Ran, Site};

pub(crate) struct Sandbox {
    site: Site,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { site: Site::new() }
    }

    /// A file of the folder.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.site.at(name)
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
        std::fs::remove_file(self.at(name)).expect("it exists");
    }

    /// The names in the folder, without the configuration and the state directory.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.site.path()).expect("a folder").flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "site.hcl" && name != STATE).collect();
        names.sort();
        names
    }

    /// Declares a download of `url` to the file `app`, with more attributes.
    pub(crate) fn declare(&self, url: &str, attributes: &[&str]) {
        let url = format!("url = {url:?}");
        self.site.declare("download", "app", &[&[url.as_str()], attributes].concat());
    }

    pub(crate) fn command(&self, verb: &str) -> Command {
        self.site.command(verb)
    }

    pub(crate) fn run(&self, verb: &str) -> Ran {
        Ran::finish(&mut self.command(verb))
    }

    /// Runs an apply that must succeed.
    #[track_caller]
    pub(crate) fn apply(&self) {
        self.run("apply").succeeds();
    }

    /// Runs an apply that must fail and print this.
    #[track_caller]
    pub(crate) fn refuse(&self, words: &str) -> Ran {
        let ran = self.run("apply");
        ran.fails_with(words);
        ran
    }

    /// Starts an apply without waiting for it.
    pub(crate) fn spawn(&self) -> Child {
        let mut command = self.command("apply");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs")
    }
}
