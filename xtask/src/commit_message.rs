//! `cargo xtask commit-message FILE`: the rules for a commit's subject, run by `.githooks/commit-msg`.

use std::path::Path;

use crate::disk;
use crate::failure::{Failure, Result};

/// Git and its tools cut longer subjects.
const SUBJECT_CHARACTERS: usize = 72;

/// Subjects that git writes itself.
const WRITTEN_BY_GIT: &[&str] = &["Merge ", "Revert ", "fixup! ", "squash! ", "amend! "];

/// First words that begin a description of the result rather than an instruction.
const NOT_VERBS: &[&str] =
    &["A", "An", "The", "It", "This", "That", "What", "Who", "When", "Where", "Each", "Every", "No", "Now"];

/// Verbs whose base form has an ending of another form.
const BASE_FORMS: &[&str] = &[
    "Address", "Bring", "Bypass", "Compress", "Cross", "Discuss", "Embed", "Exceed", "Express", "Feed",
    "Focus", "Guess", "Miss", "Need", "Pass", "Press", "Process", "Ring", "Seed", "Shed", "Speed", "Spring",
    "String", "Stress", "Suppress",
];

pub(crate) fn run(file: &str) -> Result {
    let message = disk::read(Path::new(file))?;
    let subject = message.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    match problem(subject) {
        None => Ok(()),
        Some(problem) => Err(Failure::new(format!(
            "the commit's subject {problem}\n  {subject}\nwrite an instruction, for example: \
             Deliver notifications from nested resources once"
        ))),
    }
}

/// The first broken rule, as the rest of a sentence that begins with "the commit's subject".
fn problem(subject: &str) -> Option<String> {
    if WRITTEN_BY_GIT.iter().any(|start| subject.starts_with(start)) {
        return None;
    }
    let characters = subject.chars().count();
    let first = subject.split_whitespace().next().unwrap_or_default();
    if first.is_empty() {
        return Some("is empty".to_owned());
    }
    if characters > SUBJECT_CHARACTERS {
        return Some(format!("has {characters} characters, at most {SUBJECT_CHARACTERS} are allowed"));
    }
    if subject.ends_with('.') {
        return Some("ends with a full stop".to_owned());
    }
    if !first.starts_with(char::is_uppercase) {
        return Some(format!("begins with `{first}`, not with a capital letter"));
    }
    (!is_imperative(first)).then(|| format!("begins with `{first}`, not with a verb in the imperative"))
}

/// Whether the word may be a verb in its base form. English cannot be parsed by endings; this finds the usual slips.
fn is_imperative(word: &str) -> bool {
    let other_form = ["s", "ed", "ing"].iter().any(|ending| word.ends_with(ending));
    !NOT_VERBS.contains(&word) && (!other_form || BASE_FORMS.contains(&word)) && !word.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_pass() {
        for subject in [
            "Deliver notifications from nested resources once",
            "Pass the deadline to nested runs",
            "Merge branch 'docs'",
            "Bring the seeds page up to date",
        ] {
            assert_eq!(problem(subject), None, "{subject}");
        }
    }

    #[test]
    fn everything_else_is_named() {
        let long = format!("Add {}", "x".repeat(SUBJECT_CHARACTERS));
        let table = [
            ("", "is empty"),
            (long.as_str(), "has 76 characters, at most 72 are allowed"),
            ("Add a kind.", "ends with a full stop"),
            ("add a kind", "begins with `add`, not with a capital letter"),
            ("Added a kind", "begins with `Added`, not with a verb in the imperative"),
            ("Fixes the lock", "begins with `Fixes`, not with a verb in the imperative"),
            ("Adding a kind", "begins with `Adding`, not with a verb in the imperative"),
            ("The lock is held", "begins with `The`, not with a verb in the imperative"),
            ("Engine: hold the lock", "begins with `Engine:`, not with a verb in the imperative"),
        ];
        for (subject, expected) in table {
            assert_eq!(problem(subject).as_deref(), Some(expected), "{subject}");
        }
    }
}
