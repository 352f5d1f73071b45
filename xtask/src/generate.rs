//! `cargo xtask generate`: the pages that come out of the binary, so that they never lie.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Where the pages of kinds live, from the root.
const FOLDER: &str = "docs/kinds";

/// File name to text.
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
    Ok(())
}

/// Builds the binary with the same features as the tests, and says where it is.
fn binary() -> Result<PathBuf> {
    program::run(cargo().args(["build", "--quiet", "--workspace", "--bin", "uphold"]))?;
    workspace::built("debug", "uphold")
}

fn pages(binary: &Path) -> Result<Pages> {
    let explain = |arguments: &[&str]| program::output(Command::new(binary).arg("explain").args(arguments));
    let kinds = kinds(&explain(&["--list"])?)?;
    let mut pages = Pages::new();
    for kind in &kinds {
        pages.insert(format!("{kind}.md"), explain(&[kind, "--markdown"])?);
    }
    pages.insert("README.md".to_owned(), index(&pages));
    Ok(pages)
}

/// The first word of each line. The names become file names, so nothing else than a name may pass.
fn kinds(list: &str) -> Result<Vec<String>> {
    let kinds: Vec<String> =
        list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    let is_name =
        |kind: &String| kind.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    match kinds.iter().find(|kind| !is_name(kind)) {
        Some(odd) => {
            Err(Failure::new(format!("`uphold explain --list` printed `{odd}`, which is not a kind's name")))
        }
        None if kinds.is_empty() => Err(Failure::new("`uphold explain --list` printed no kind")),
        None => Ok(kinds),
    }
}

/// A list of links, each with the first sentence of its page.
fn index(pages: &Pages) -> String {
    let mut text =
        "# Kinds\n\nWritten by `cargo xtask generate` from the doc comments; do not edit.\n\n".to_owned();
    for (file, page) in pages {
        let kind = file.trim_end_matches(".md");
        let summary = page.lines().find(|line| !line.is_empty() && !line.starts_with(['#', '<']));
        text.push_str(&format!("- [`{kind}`]({file}): {}\n", summary.unwrap_or("no summary")));
    }
    text
}

fn present(folder: &Path) -> Result<Pages> {
    let names = disk::names(folder, ".md")?;
    names.into_iter().map(|name| Ok((name.clone(), disk::read(&folder.join(name))?))).collect()
}

fn write(folder: &Path, expected: &Pages, present: &Pages) -> Result {
    for name in present.keys().filter(|name| !expected.contains_key(*name)) {
        disk::remove_file(&folder.join(name))?;
    }
    expected.iter().try_for_each(|(name, text)| disk::write(&folder.join(name), text))
}

/// One line for each file that is missing, stale or different, with the first line that differs.
fn differences(expected: &Pages, present: &Pages) -> Vec<String> {
    let stale = present.keys().filter(|name| !expected.contains_key(*name));
    let stale = stale.map(|name| format!("{name}: no kind has this page any more"));
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
                "old.md: no kind has this page any more",
                "end.md: only line endings differ",
                "file.md: line 2 is `b`, should be `c`",
                "new.md: missing",
            ]
        );
        assert_eq!(differences(&expected, &expected), [""; 0]);
        assert_eq!(first_difference("a", "a\nb"), "line 2 is the end, should be `b`");
    }

    #[test]
    fn kinds_are_names() {
        assert_eq!(kinds("file  One file.\nsystem_user\n").unwrap(), ["file", "system_user"]);
        assert!(kinds("../evil").unwrap_err().to_string().contains("not a kind's name"));
        assert!(kinds("\n").unwrap_err().to_string().contains("printed no kind"));
    }

    #[test]
    fn index_takes_the_first_sentence() {
        let index = index(&tree(&[("file.md", "# file\n\nOne regular file.\n\nMore.")]));
        assert!(index.ends_with("- [`file`](file.md): One regular file.\n"), "{index}");
    }

    #[test]
    fn a_binary_that_fails_is_a_failure() {
        assert!(pages(Path::new("/bin/false")).unwrap_err().to_string().contains("false explain --list"));
    }
}
