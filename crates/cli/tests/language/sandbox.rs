//! A folder with one example, and a machine for it.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use uphold_testbed::isolate;

use super::page::Example;

/// The file name of an example.
pub(crate) const FILE: &str = "site.hcl";

/// A temporary folder for an example.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// Writes the example and the files beside it; `machine` is the root that it may change.
    pub(crate) fn new(example: &Example) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let sandbox = Self { folder };
        sandbox.write(FILE, example.text);
        example.files.iter().for_each(|(name, text)| sandbox.write(name, text));
        std::fs::create_dir_all(sandbox.folder.path().join("machine/srv")).expect("a folder can be made");
        sandbox
    }

    /// Writes a file and creates its parent folders.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("it can be written");
    }

    fn command(&self, program: &str) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_uphold")).parent().expect("it is in a folder");
        let mut command = Command::new(program);
        isolate(&mut command, self.folder.path());
        command.env("PATH", format!("{}:/usr/bin:/bin", binary.display()));
        command
    }

    /// Runs the binary.
    pub(crate) fn uphold(&self, arguments: &[&str]) -> Ran {
        Ran::new(self.command(env!("CARGO_BIN_EXE_uphold")).args(arguments).output())
    }

    /// Runs a shell command; returns standard output and error together, as if the folder were `/srv/site`.
    pub(crate) fn shell(&self, line: &str) -> String {
        // One job makes the order of the output the same in every run.
        let script = format!("umask 022; uphold() {{ command uphold --jobs 1 \"$@\"; }}; {{ {line}; }} 2>&1");
        let printed = Ran::new(self.command("/bin/sh").args(["-c", &script]).output()).stdout;
        printed.replace(&*self.folder.path().to_string_lossy(), "/srv/site")
    }
}

/// The output and exit code of a command.
pub(crate) struct Ran {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn new(output: std::io::Result<Output>) -> Self {
        let output = output.expect("the command starts");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Whether a line got a diagnostic that begins with this text: `error: …`.
    pub(crate) fn says(&self, words: &str, line: usize) -> bool {
        let mut lines = self.stderr.lines();
        let place = format!("--> {FILE}:{line}:");
        while let Some(found) = lines.next() {
            if found == words && lines.clone().next().is_some_and(|next| next.trim().starts_with(&place)) {
                return true;
            }
        }
        false
    }
}
