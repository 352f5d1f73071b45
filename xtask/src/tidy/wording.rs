//! Comments, messages, help and docs use ordinary technical English: one word for one concept.

use super::finding::Finding;
use super::mask::{Prose, prose};
use crate::workspace::Source;

/// Words that earlier versions used with a meaning of their own, and the word to use instead.
///
/// In pieces, or this file would be the first finding.
const WORDS: &[(&str, &str)] = &[
    (concat!("to", "ld"), "reported, notified or given"),
    (concat!("tidi", "ngs"), "changes"),
    (concat!("err", "and"), "notification"),
    (concat!("err", "ands"), "notifications"),
    (concat!("no", "body"), "name the actor, or use the passive"),
    (concat!("some", "body"), "name the actor: another user, a process"),
    (concat!("who", "ever"), "name the actor: the caller, the user"),
    (concat!("stands", " on"), "depends on"),
    (concat!("stand", " on"), "depend on"),
    (concat!("kind", "ly"), "gracefully"),
    (concat!("me", "nd"), "fix"),
    (concat!("me", "nds"), "fixes"),
    (concat!("me", "nded"), "fixed"),
    (concat!("look", " after"), "manage"),
    (concat!("looks", " after"), "manages"),
    (concat!("looked", " after"), "managed"),
    (concat!("the one", " before"), "the previous one"),
    (concat!("make it", " so"), "apply"),
    (concat!("keep it", " so"), "keep it as declared"),
];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter_map(|source| Some((source, text(source)?))).flat_map(findings).collect()
}

/// The part of a file that people read. Strings of tests are left out: they hold other people's words, too.
fn text(source: &Source) -> Option<String> {
    if source.is_rust() {
        let part = if source.is_test() { Prose::Comments } else { Prose::CommentsAndStrings };
        return Some(prose(&source.text, part));
    }
    source.path.ends_with(".md").then(|| source.text.clone())
}

fn findings((source, text): (&Source, String)) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.to_lowercase();
        for (word, instead) in WORDS.iter().filter(|(word, _)| says(&line, word)) {
            let message = format!("\"{word}\" is not a word of this project: {instead}");
            findings.push(Finding::new(&source.path, number, message));
        }
    }
    findings
}

/// Whether the line has the word in running text, so neither as a part of a name nor in quotes.
fn says(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(start, _)| {
        let begins =
            line[..start].chars().next_back().is_none_or(|before| before == '(' || before.is_whitespace());
        let ends = line[start + word.len()..]
            .chars()
            .next()
            .is_none_or(|after| after.is_whitespace() || ",.;!?)".contains(after));
        begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn each_word_fires_in_comments_messages_and_docs() {
        for (word, instead) in WORDS {
            let files = [
                ("a.md", format!("It is {word}.")),
                ("b.rs", format!("\n// Is {word}, too")),
                ("c.rs", format!("fail(\"cannot be {word} now\")")),
                ("crates/x/tests/d.rs", format!("/// Is {word}")),
            ];
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
            let expected =
                [("a.md", 1), ("b.rs", 2), ("c.rs", 1), ("crates/x/tests/d.rs", 1)].map(|(path, line)| {
                    format!("{path}:{line}: \"{word}\" is not a word of this project: {instead}")
                });
            assert_eq!(found(check, &files), expected);
        }
    }

    #[test]
    fn names_quotations_and_strings_of_tests_do_not() {
        let (user, past) = (WORDS[4].0, WORDS[0].0);
        let files = [
            ("a.md", format!("The user `{user}`, or \"{user}\", or {user}:nogroup")),
            ("b.rs", format!("let {past} = 1;")),
            ("crates/x/tests/c.rs", format!("run(\"sudo -u {user} true\")")),
            ("d.hcl", format!("# {past}")),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        assert_eq!(found(check, &files), [""; 0]);
    }
}
