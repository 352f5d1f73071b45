//! Where a scenario is played: a folder, and a shell in it.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// One visit at a time, so that a run says the same each time.
const BEFORE: &str = "umask 022; uphold() { command uphold --jobs 1 \"$@\"; }; ";

/// A fresh folder with an empty `root` in it for the machine.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("its machine");
        Self { folder }
    }

    /// Puts a file there, with the directories that lead to it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("its directory");
        fs::write(path, text).expect("a file");
    }

    /// A command as it is asked for, and all that came back.
    pub(crate) fn answer(&self, command: &str) -> String {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{BEFORE}{command}")]).current_dir(self.folder.path()).env_clear();
        let output = shell.env("PATH", path()).env("HOME", "/home/ann").output().expect("a shell");
        let mut said = format!("$ {command}\n{}", self.readable(output.stdout));
        if !output.stderr.is_empty() {
            said += &format!("[stderr]\n{}", self.readable(output.stderr));
        }
        match output.status.code().expect("no signal ends it") {
            0 => said,
            code => said + &format!("[exit {code}]\n"),
        }
    }

    /// Without what differs from run to run, and with a newline at its end.
    fn readable(&self, output: Vec<u8>) -> String {
        let text = String::from_utf8(output).expect("commands write UTF-8");
        let text = text.replace(&*self.folder.path().to_string_lossy(), "FOLDER");
        text.lines().map(|line| format!("{}\n", without_account(&without_time(line)))).collect()
    }
}

/// The binary of this build, then what every machine has.
fn path() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_uphold"));
    format!("{}:/usr/bin:/bin", binary.parent().expect("it is in a directory").display())
}

/// Who runs the tests differs from machine to machine.
fn without_account(line: &str) -> String {
    let about_one = ["owner", "group"].iter().any(|word| line.trim_start().starts_with(word));
    let words = line.split(' ').map(|word| match word.parse::<u32>() {
        Ok(_) if about_one => "ME",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `in 0.12s.` differs from run to run.
fn without_time(line: &str) -> String {
    match line.rsplit_once(" in ") {
        Some((before, _)) if line.starts_with("Applied: ") => format!("{before} in TIME"),
        _ => line.to_owned(),
    }
}
