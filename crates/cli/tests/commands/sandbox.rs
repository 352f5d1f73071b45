//! A temporary folder with a configuration, and the command.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use uphold_testbed::isolate;

/// A fresh folder with the configuration, and with the machine in `root`.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// The output and exit code of a command.
#[must_use]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    /// An empty machine, on a file system in memory where possible.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("its machine");
        Self { folder }
    }

    /// An empty machine with a configuration.
    pub(crate) fn with(configuration: impl AsRef<[u8]>) -> Self {
        let sandbox = Self::new();
        sandbox.write("site.hcl", configuration);
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text")
    }

    /// The command, not yet started, in a fixed environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        isolate(command.args(arguments), self.folder.path());
        command
    }

    /// Runs the command.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().expect("the command starts");
        self.ran(&output)
    }

    /// Runs the command on the machine below `root`, with one job.
    pub(crate) fn rooted(&self, arguments: &[&str]) -> Ran {
        self.run(&[arguments, &["--root", "root", "--jobs", "1"]].concat())
    }

    pub(crate) fn ran(&self, output: &Output) -> Ran {
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8");
            without_times(&text.replace(&*self.folder.path().to_string_lossy(), "FOLDER"))
        };
        Ran { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Everything below `root`: names, modes, times and content.
    pub(crate) fn machine(&self) -> Vec<String> {
        let mut seen = Vec::new();
        collect(&self.path("root"), &mut seen);
        seen.sort();
        seen
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn check(&self, code: i32, stdout: &str, stderr: &str) {
        let shown = (self.stdout.as_str(), self.stderr.as_str());
        assert_eq!(shown, (stdout, stderr), "\n{}\n---\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, Some(code));
    }
}

fn collect(directory: &Path, seen: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let about = fs::symlink_metadata(&path).expect("it exists");
        let content = about.is_file().then(|| fs::read(&path).expect("a file"));
        let modified = about.modified().expect("a time");
        let mode = about.permissions().mode();
        seen.push(format!("{} {mode:o} {modified:?} {content:?}", path.display()));
        if about.is_dir() {
            collect(&path, seen);
        }
    }
}

/// Removes durations such as `in 0.12s.`, which differ between runs.
fn without_times(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        match line.rsplit_once(" in ") {
            Some((before, _)) if line.starts_with("Applied: ") => lines.push(format!("{before} in TIME")),
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}
