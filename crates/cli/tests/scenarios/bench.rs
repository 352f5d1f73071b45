//! A folder for a scenario, and a shell in it.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use uphold_testbed::isolate;

/// One job, so that the order of the output is the same in every run.
const BEFORE: &str = "umask 022; uphold() { command uphold --jobs 1 \"$@\"; }; ";

/// A fresh folder with an empty machine in `root`.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("its machine");
        Self { folder }
    }

    /// Writes a file and creates its parent directories.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("its directory");
        fs::write(path, text).expect("a file");
    }

    /// The command after a prompt, and its output.
    pub(crate) fn answer(&self, command: &str) -> String {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{BEFORE}{command}")]);
        isolate(&mut shell, self.folder.path()).env("PATH", path()).env("HOME", "/home/ann");
        let output = shell.output().expect("a shell");
        let mut outputs = format!("$ {command}\n{}", self.readable(output.stdout));
        if !output.stderr.is_empty() {
            outputs += &format!("[stderr]\n{}", self.readable(output.stderr));
        }
        match output.status.code().expect("no signal ends it") {
            0 => outputs,
            code => outputs + &format!("[exit {code}]\n"),
        }
    }

    /// The output without parts that differ between runs, with a newline at its end.
    fn readable(&self, output: Vec<u8>) -> String {
        let text = String::from_utf8(output).expect("commands write UTF-8");
        let text = text.replace(&*self.folder.path().to_string_lossy(), "FOLDER");
        text.lines().map(|line| format!("{}\n", without_account(&without_time(line)))).collect()
    }
}

/// The `PATH`: the binary of this build, then the system directories.
fn path() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_uphold"));
    format!("{}:/usr/bin:/bin", binary.parent().expect("it is in a directory").display())
}

/// Removes the user name, which differs between machines.
fn without_account(line: &str) -> String {
    let about_one = ["owner", "group"].iter().any(|word| line.trim_start().starts_with(word));
    let is_account = |word: &str| word.starts_with('"') || word.parse::<u32>().is_ok();
    let words = line.split(' ').map(|word| if about_one && is_account(word) { "ME" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Removes durations such as `in 0.12s.`, which differ between runs.
fn without_time(line: &str) -> String {
    match line.rsplit_once(" in ") {
        Some((before, _)) if line.starts_with("Applied: ") => format!("{before} in TIME"),
        _ => line.to_owned(),
    }
}
