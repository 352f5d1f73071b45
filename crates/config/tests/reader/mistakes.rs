//! Golden diagnostics: every mistake of `tests/mistakes/*.txt`, and all of its messages.
//!
//! A case is `===` and a heading, the text of `a.hcl`, further files after `--- name`, and the expected messages after
//! `>>>`. Names with a `/` belong to modules, `params.…` are params files, and `-p name=value` is a param on the
//! command line. With `UPHOLD_BLESS=1` the expectations are rewritten: review the difference.

use std::collections::BTreeSet;

use uphold_config::{Given, read_params};
use uphold_model::{Diagnostic, Sources};

use crate::print::{flag, problems};
use crate::surroundings::InMemory;

const FILES: [(&str, &str); 16] = [
    ("addresses", include_str!("../mistakes/addresses.txt")),
    ("blocks", include_str!("../mistakes/blocks.txt")),
    ("expressions", include_str!("../mistakes/expressions.txt")),
    ("functions", include_str!("../mistakes/functions.txt")),
    ("given", include_str!("../mistakes/given.txt")),
    ("handling", include_str!("../mistakes/handling.txt")),
    ("meta", include_str!("../mistakes/meta.txt")),
    ("modules", include_str!("../mistakes/modules.txt")),
    ("moves", include_str!("../mistakes/moves.txt")),
    ("names", include_str!("../mistakes/names.txt")),
    ("newcomers", include_str!("../mistakes/newcomers.txt")),
    ("params", include_str!("../mistakes/params.txt")),
    ("references", include_str!("../mistakes/references.txt")),
    ("spreads", include_str!("../mistakes/spreads.txt")),
    ("unclosed", include_str!("../mistakes/unclosed.txt")),
    ("values", include_str!("../mistakes/values.txt")),
];

/// A case with one or more mistakes.
struct Case<'t> {
    /// Its text in the file, without the expectation.
    written: &'t str,
    /// File names and texts.
    files: Vec<(&'t str, String)>,
    expected: &'t str,
}

fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    let after_mark = text.strip_prefix("===").expect("a case begins with `===`");
    after_mark.split("\n===").map(|case| {
        let (written, expected) = case.split_once("\n>>>\n").expect("`>>>` comes before the expectation");
        let (_, body) = written.split_once('\n').expect("a heading is a line");
        let mut files = vec![("a.hcl", String::new())];
        for line in body.lines() {
            match line.strip_prefix("--- ") {
                Some(name) => files.push((name, String::new())),
                None => {
                    files.iter_mut().last().into_iter().for_each(|(_, text)| *text += &format!("{line}\n"));
                }
            }
        }
        Case { written, files, expected: expected.trim_end() }
    })
}

impl Case<'_> {
    fn read(&self) -> (Sources, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        let (mut ids, mut inside, mut given, mut found) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, text) in &self.files {
            match name.strip_prefix("-p ") {
                Some(value) => given.push(flag(value)),
                None if name.contains('/') => inside.push((*name, text.as_str())),
                None if name.starts_with("params.") => {
                    given.extend(params(name, text, &mut sources, &mut found));
                }
                None => ids.push(sources.add(*name, text)),
            }
        }
        let reading =
            uphold_config::Reader::new(InMemory::with(inside)).given(given).read(&mut sources, &ids);
        found.extend(reading.diagnostics);
        (sources, found)
    }
}

/// Reads a params file.
fn params(name: &str, text: &str, sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Vec<Given> {
    let id = sources.add(name, text);
    let (given, diagnostics) = read_params(sources, id, &InMemory::with([]));
    found.extend(diagnostics);
    given
}

/// Style rules for every message.
fn check_style(problem: &Diagnostic, case: &Case<'_>) {
    let written = &case.written;
    let plain = |text: &str| !text.is_empty() && !text.ends_with('.') && !text.contains("  ");
    assert!(plain(problem.summary()) && plain(&problem.detail), "{problem:?}: {written}");
    assert!(
        !problem.summary().starts_with(char::is_uppercase) || problem.summary().starts_with("YAML"),
        "{problem:?}"
    );
    let fix = problem.fix.as_deref().unwrap_or_else(|| panic!("no fix: {problem:?}: {written}"));
    assert!(plain(fix), "{problem:?}: {written}");
    let outside = |name: &str| name.starts_with("-p ") || name.starts_with("params.");
    let flagged = case.files.iter().any(|(name, _)| outside(name));
    assert!(problem.place.is_some() || flagged, "no place: {problem:?}: {written}");
}

#[test]
fn golden() {
    let (mut wrong, mut count, mut codes) = (Vec::new(), 0, BTreeSet::new());
    for (name, text) in FILES {
        let mut anew = String::new();
        for case in cases(text) {
            let (sources, found) = case.read();
            found.iter().for_each(|problem| check_style(problem, &case));
            let said = problems(&sources, &found);
            anew += &format!("==={}\n>>>\n{said}\n\n", case.written);
            // No message contains a secret.
            if said != case.expected || said.is_empty() || said.contains("hunter2") {
                wrong
                    .push(format!("{name}: {}\nexpected:\n{}\nsaid:\n{said}\n", case.written, case.expected));
            }
            count += 1;
            codes.extend(found.iter().map(|problem| problem.code));
        }
        bless(name, anew.trim_end());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 250 && codes.len() >= 80, "{count} cases, {} codes", codes.len());
}

#[expect(clippy::disallowed_methods, reason = "the test writes its own expectations, on request")]
fn bless(name: &str, text: &str) {
    if std::env::var_os("UPHOLD_BLESS").is_some() {
        let path = format!("{}/tests/mistakes/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, format!("{text}\n")).expect("the expectations can be written");
    }
}
