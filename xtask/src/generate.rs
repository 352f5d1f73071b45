//! `cargo xtask generate`: reference pages that the binary generates, so that they match it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::workspace::CONTENTS;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::program::{self, cargo};
use crate::workspace;

/// Whether to write the files or only to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

/// The folder of the reference, relative to the root.
const FOLDER: &str = "docs/reference";

/// Contents of files by their path below the folder.
type Pages = BTreeMap<String, String>;

pub(crate) fn run(mode: Mode) -> Result {
    let folder = workspace::root().join(FOLDER);
    let expected = pages(&binary()?)?;
    let present = present(&folder)?;
    let differences = differences(&expected, &present);
    match mode {
        _ if differences.is_empty() => println!("{FOLDER}: {} files up to date", expected.len()),
        Mode::Write => write(&folder, &expected, &present)?,
        Mode::Check => {
            let list = differences.join("\n  ");
            return Err(Failure::new(format!(
                "{FOLDER} is out of date; run `cargo xtask generate` and commit the result\n  {list}"
            )));
        }
    }
    differences.iter().for_each(|difference| println!("{FOLDER}/{difference}"));
    update_contents(mode)
}

/// Updates the lists of the table of contents after the pages were written.
fn update_contents(mode: Mode) -> Result {
    let path = workspace::root().join(CONTENTS);
    let present = disk::read(&path)?;
    let expected = workspace::updated(&present, &workspace::sources()?);
    match mode {
        _ if present == expected => Ok(()),
        Mode::Write => disk::write(&path, &expected),
        Mode::Check => Err(Failure::new(format!(
            "{CONTENTS} is out of date: {}; run `cargo xtask generate` and commit the result",
            first_difference(&present, &expected)
        ))),
    }
}

/// Builds the binary with the same features as the tests; returns its path.
fn binary() -> Result<PathBuf> {
    program::run(cargo().args(["build", "--quiet", "--workspace", "--bin", "uphold"]))?;
    workspace::built("debug", "uphold")
}

/// The pages that the binary writes into a scratch folder beside it.
fn pages(binary: &Path) -> Result<Pages> {
    let folder = workspace::built("debug", "reference")?;
    disk::remove_tree(&folder)?;
    program::output(Command::new(binary).args(["explain", "--write"]).arg(&folder))?;
    let pages = present(&folder)?;
    if pages.is_empty() {
        return Err(Failure::new("`uphold explain --write` wrote nothing"));
    }
    Ok(pages)
}

fn present(folder: &Path) -> Result<Pages> {
    let paths = disk::tree(folder)?;
    paths.into_iter().map(|path| Ok((path.clone(), disk::read(&folder.join(path))?))).collect()
}

fn write(folder: &Path, expected: &Pages, present: &Pages) -> Result {
    for path in present.keys().filter(|path| !expected.contains_key(*path)) {
        disk::remove_file(&folder.join(path))?;
    }
    expected.iter().try_for_each(|(path, text)| disk::write(&folder.join(path), text))
}

/// One line for each file that is missing, stale or different, with the first line that differs.
fn differences(expected: &Pages, present: &Pages) -> Vec<String> {
    let stale = present.keys().filter(|name| !expected.contains_key(*name));
    let stale = stale.map(|name| format!("{name}: this page is no longer generated"));
    let changed = expected.iter().filter_map(|(name, text)| match present.get(name) {
        None => Some(format!("{name}: missing")),
        Some(old) if old == text => None,
        Some(old) => Some(format!("{name}: {}", first_difference(old, text))),
    });
    stale.chain(changed).collect()
}

fn first_difference(old: &str, new: &str) -> String {
    let (mut olds, mut news) = (old.lines(), new.lines());
    let mut number = 1;
    loop {
        match (olds.next(), news.next()) {
            (None, None) => return "only line endings differ".to_owned(),
            (was, is) if was == is => number += 1,
            (was, is) => {
                let shown =
                    |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("`{line}`"));
                return format!("line {number} is {}, should be {}", shown(was), shown(is));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Pages {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn every_kind_of_difference_is_named() {
        let present = tree(&[("old.md", ""), ("same.md", "x"), ("file.md", "a\nb\n"), ("end.md", "a")]);
        let expected = tree(&[("new.md", ""), ("same.md", "x"), ("file.md", "a\nc\n"), ("end.md", "a\n")]);
        assert_eq!(
            differences(&expected, &present),
            [
                "old.md: this page is no longer generated",
                "end.md: only line endings differ",
                "file.md: line 2 is `b`, should be `c`",
                "new.md: missing",
            ]
        );
        assert_eq!(differences(&expected, &expected), [""; 0]);
        assert_eq!(first_difference("a", "a\nb"), "line 2 is the end, should be `b`");
    }

    #[test]
    fn a_binary_that_fails_is_a_failure() {
        assert!(pages(Path::new("/bin/false")).unwrap_err().to_string().contains("false explain --write"));
    }
}
