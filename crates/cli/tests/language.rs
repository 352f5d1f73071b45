//! The page about the language tells the truth: each of its blocks is taken, or refused with the words it shows.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs the binary on real files"
)]

use std::path::Path;
use std::process::Command;

use uphold::model::{META_ARGUMENTS, RESERVED_BLOCKS};

const PAGE: &str = include_str!("../../../docs/language.md");

/// The text of every block with exactly this word after its fence.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    PAGE.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// Whether a configuration is valid, and all that was said about it.
fn validate(text: &str, folder: &Path) -> (bool, String) {
    let file = folder.join("page.hcl");
    std::fs::write(&file, text).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_uphold")).arg("validate").arg(&file).output();
    let output = output.expect("the binary runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The lines of a wrong block that say what is wrong with them, from 1, and what they say.
fn refusals(block: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(block.lines());
    lines.filter_map(|(line, text)| Some((line, text.rsplit_once(" # ")?.1))).collect()
}

#[test]
fn every_block_is_valid() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let blocks = blocks("hcl");
    assert!(blocks.len() >= 7, "the page has lost its examples");
    for block in blocks {
        let (valid, said) = validate(block, folder.path());
        assert!(valid && said.is_empty(), "{block}\n{said}");
    }
}

#[test]
fn every_wrong_line_is_refused_in_these_words() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let blocks = blocks("hcl,wrong");
    assert!(blocks.len() >= 7, "the page has lost its mistakes");
    for block in blocks {
        let refusals = refusals(block);
        assert!(!refusals.is_empty(), "no line says what is wrong:\n{block}");
        // Mistakes in the text hide those in its meaning, so each line is tried without the other wrong ones.
        for (wrong, summary) in &refusals {
            let others = |line: usize| line != *wrong && refusals.iter().any(|(other, _)| *other == line);
            let kept = (1..).zip(block.lines()).filter(|(line, _)| !others(*line));
            let text: Vec<&str> = kept.map(|(_, text)| text).collect();
            let (valid, said) = validate(&text.join("\n"), folder.path());
            assert!(!valid && said.contains(&format!("error: {summary}\n")), "{summary}:\n{block}\n{said}");
        }
    }
}

#[test]
fn every_word_of_the_language_is_on_the_page() {
    for word in META_ARGUMENTS.into_iter().chain(RESERVED_BLOCKS) {
        let named = PAGE.contains(&format!("`{word}`")) || PAGE.contains(&format!("\n  {word} "));
        assert!(named, "`{word}` is not in docs/language.md");
    }
}
