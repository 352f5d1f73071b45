//! Words that mark unfinished code or disable a check.

use super::finding::Finding;
use super::mask::code_only;
use crate::workspace::Source;

/// Searched in code only, so that comments and strings may mention them.
const CODE: &[(&str, &str)] = &[
    ("todo!", "finish it, or leave it out"),
    ("unimplemented!", "finish it, or leave it out"),
    ("dbg!", "remove it"),
    ("#[ignore", "a test that is not run is not a test: fix it or delete it"),
    ("#[allow(", "use `#[expect(.., reason = \"..\")]`"),
    ("#![allow(", "use `#![expect(.., reason = \"..\")]`"),
];

/// Searched in every text; assembled, or this file would be the first finding.
const TEXT: &[(&str, &str)] = &[(concat!("FIX", "ME"), "fix it, or open an issue")];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let in_code = sources
        .iter()
        .filter(|source| source.is_rust())
        .flat_map(|source| hits(&source.path, &code_only(&source.text), CODE));
    in_code.chain(sources.iter().flat_map(|source| hits(&source.path, &source.text, TEXT))).collect()
}

fn hits(path: &str, text: &str, words: &[(&str, &str)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (word, advice) in words.iter().filter(|(word, _)| has_word(line, word)) {
            findings.push(Finding::new(path, index + 1, format!("`{word}` is not committed: {advice}")));
        }
    }
    findings
}

/// Whether `word` occurs and is not merely the end of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn each_banned_word_fires() {
        for (word, advice) in CODE {
            assert_eq!(
                found(check, &[("a.rs", &format!("\n    {word}"))]),
                [format!("a.rs:2: `{word}` is not committed: {advice}")]
            );
        }
        for (word, _) in TEXT {
            assert_eq!(found(check, &[("a.md", word), ("b.rs", &format!("// {word}"))]).len(), 2);
        }
    }

    #[test]
    fn prose_strings_and_longer_words_do_not() {
        let fine =
            "// todo!() is banned\nlet x = \"dbg!\";\nmy_todo!();\n#[expect(dead_code, reason = \"x\")]";
        assert_eq!(found(check, &[("a.rs", fine), ("a.md", "no `todo!`")]), [""; 0]);
    }
}
