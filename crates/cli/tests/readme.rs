//! The README tells the truth: its example is run, and what it shows is compared.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs a shell on real files"
)]

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The texts of the blocks in this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begun = README.split("\n```").filter_map(|block| block.strip_prefix(&format!("{language}\n")));
    begun.collect()
}

/// Commands with what is shown for each.
fn steps(console: &str) -> Vec<(&str, String)> {
    let mut steps: Vec<(&str, String)> = Vec::new();
    for line in console.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command, String::new())),
            (None, Some((_, shown))) => {
                shown.push_str(line);
                shown.push('\n');
            }
            (None, None) => panic!("the block begins with a command"),
        }
    }
    steps
}

fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_uphold")).parent().expect("it is in a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    // One job is always the same run; what is shown does not depend on it otherwise.
    let script = format!("umask 022; uphold() {{ command uphold --jobs 1 \"$@\"; }}; {{ {command}; }} 2>&1");
    let output = Command::new("/bin/sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output();
    String::from_utf8(output.expect("the shell runs").stdout).expect("output is UTF-8")
}

/// How long it took differs from run to run.
fn without_times(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(" in 0.").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_prints_what_the_readme_shows() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("site.hcl"), blocks("hcl")[0]).expect("it can be written");
    show(folder.path(), blocks("console")[0], 4);
}

#[test]
fn the_kind_prints_what_the_readme_shows() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(folder.path().join("kinds")).expect("it can be made");
    std::fs::write(folder.path().join("kinds/site.luau"), blocks("lua")[0]).expect("it can be written");
    show(folder.path(), blocks("console")[1], 1);
}

fn show(folder: &Path, console: &str, count: usize) {
    let steps = steps(console);
    assert_eq!(steps.len(), count);
    for (command, shown) in steps {
        assert_eq!(without_times(&run(command, folder)), without_times(&shown), "{command}");
    }
}
