//! A fresh folder with an empty machine, in which a configuration is planned and applied.

use std::fs;
use std::process::Command;

use tempfile::TempDir;
use uphold_testbed::isolate;

use super::forecast::Forecast;
use super::outcome::{self, Outcome};

/// A folder with files, and with an empty machine in `root`.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("its machine");
        Self { folder }
    }

    /// The root of the machine.
    pub(crate) fn root(&self) -> String {
        self.folder.path().join("root").display().to_string()
    }

    /// Writes a file beside the machine and creates its parent directories.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("its directory");
        fs::write(path, text).expect("a file");
    }

    /// Plans and applies.
    ///
    /// # Errors
    /// The reason for which the configuration was refused.
    pub(crate) fn forecast(&self, arguments: &[&str]) -> Result<Forecast, String> {
        let planned = self.run("plan", arguments)?;
        let applied = self.run("apply", arguments)?;
        Ok(Forecast { planned, applied })
    }

    /// Runs the command and replaces the name of the folder, which differs between runs.
    fn run(&self, verb: &str, arguments: &[&str]) -> Result<Vec<Outcome>, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.arg(verb).args(["--json", "--jobs", "1"]).args(arguments);
        isolate(&mut command, self.folder.path()).env("HOME", "/home/ann");
        let output = command.output().expect("the binary runs");
        let stream = String::from_utf8(output.stdout).expect("output is UTF-8");
        outcome::read(&stream.replace(&*self.folder.path().to_string_lossy(), "FOLDER"))
    }
}
