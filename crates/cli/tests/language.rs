//! The page about the language is correct: each of its examples is run and compared with the page.
//!
//! The word after the fence says how: see [`page::What`]. Blocks with `file=` are files for the examples after them,
//! up to the next heading of the second level; `console` blocks are run in the folder of the previous example.

mod page;
mod sandbox;

use page::{Example, What, examples};
use sandbox::{FILE, Sandbox};
use uphold::model::{Code, META_ARGUMENTS, RESERVED_BLOCKS, Severity};

/// Runs `check` on all of these examples and reports all failures at once.
#[track_caller]
fn check_each(examples: &[Example], at_least: usize, check: impl Fn(&Example) -> Result<(), String>) {
    assert!(examples.len() >= at_least, "the page has lost its examples: only {}", examples.len());
    let failures = examples.iter().filter_map(|example| {
        let problem = check(example).err()?;
        Some(format!("docs/language.md:{}\n{}\n{problem}\n", example.line, example.text))
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// An error with this problem unless the condition is true.
fn ensure(well: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if well { Ok(()) } else { Err(problem()) }
}

fn ensure_equal(found: &str, expected: &str) -> Result<(), String> {
    ensure(found == expected, || format!("the page says:\n{expected}\nit is:\n{found}"))
}

#[test]
fn every_example_is_valid() {
    check_each(&examples(What::Valid), 20, |example| {
        let ran = Sandbox::new(example).uphold(&["validate", FILE]);
        ensure(ran.success && ran.stderr.is_empty(), || ran.stderr)
    });
}

#[test]
fn every_example_is_formatted() {
    let examples: Vec<Example> = [What::Valid, What::Values].into_iter().flat_map(examples).collect();
    check_each(&examples, 35, |example| {
        let ran = Sandbox::new(example).uphold(&["fmt", "--diff", "--check", FILE]);
        ensure(ran.success, || ran.stdout + &ran.stderr)
    });
}

/// The lines with a comment, numbered from 1, and their comments.
fn remarks(text: &'static str) -> Vec<(usize, &'static str)> {
    let lines = (1..).zip(text.lines());
    lines.filter_map(|(line, text)| Some((line, text.rsplit_once(" # ")?.1))).collect()
}

/// The first line of a diagnostic with this summary.
fn titled(summary: &str) -> String {
    let code = Code::ALL.iter().find(|code| code.summary() == summary);
    let code = code.unwrap_or_else(|| panic!("no code has the summary {summary:?}"));
    let severity = if code.severity() == Severity::Error { "error" } else { "warning" };
    format!("{severity}[{code}]: {summary}")
}

#[test]
fn every_wrong_line_gets_its_error() {
    check_each(&examples(What::Wrong), 20, |example| {
        let sandbox = Sandbox::new(example);
        let remarks = remarks(example.text);
        ensure(!remarks.is_empty(), || "no line says what is wrong".into())?;
        // Syntax errors hide semantic ones, so each line is tried without the other wrong ones.
        remarks.iter().try_for_each(|(wrong, summary)| {
            let other = |line: usize| line != *wrong && remarks.iter().any(|(other, _)| *other == line);
            let lines = (1..).zip(example.text.lines());
            let kept: Vec<&str> = lines.map(|(line, text)| if other(line) { "" } else { text }).collect();
            sandbox.write(FILE, &kept.join("\n"));
            let ran = sandbox.uphold(&["validate", FILE]);
            let message = !ran.success && ran.says(&titled(summary), *wrong);
            ensure(message, || format!("line {wrong}, {summary}:\n{}", ran.stderr))
        })
    });
}

#[test]
fn every_marked_line_gets_its_warning() {
    check_each(&examples(What::Warned), 1, |example| {
        let ran = Sandbox::new(example).uphold(&["validate", FILE]);
        let remarks = remarks(example.text);
        let printed = |(line, summary): &(usize, &str)| ran.says(&titled(summary), *line);
        let only = ran.stderr.matches("warning[").count() == remarks.len();
        ensure(ran.success && only && remarks.iter().all(printed), || ran.stderr.clone())
    });
}

/// The names that are set with an indentation of two, each with the value in the comment after or below it.
fn values(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut name = None;
    let mut values = Vec::new();
    for line in text.lines() {
        let inner =
            line.strip_prefix("  ").filter(|inner| inner.starts_with(|c: char| c.is_ascii_lowercase()));
        name = inner.and_then(|inner| Some(inner.split_once('=')?.0.trim())).or(name);
        if let (Some(name), Some((_, value))) = (name, line.split_once("# => ")) {
            values.push((name, value));
        }
    }
    values
}

#[test]
fn every_value_is_as_the_page_shows() {
    check_each(&examples(What::Values), 15, |example| {
        let (names, values): (Vec<&str>, Vec<&str>) = values(example.text).into_iter().unzip();
        ensure(!names.is_empty(), || "no line says what it is".into())?;
        let asked: Vec<String> = names.iter().map(|name| format!("local.{name}")).collect();
        let expressions = asked.iter().flat_map(|expression| ["-e", expression]);
        let arguments: Vec<&str> = ["console", FILE].into_iter().chain(expressions).collect();
        let ran = Sandbox::new(example).uphold(&arguments);
        ensure(ran.success && !ran.stderr.contains("error"), || ran.stderr)?;
        ensure_equal(ran.stdout.trim_end(), &values.join("\n"))
    });
}

/// Removes durations, which differ between runs.
fn without_times(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(" in 0.").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_command_matches_the_page() {
    let all = page::sections().into_iter().flat_map(|section| section.examples);
    let examples: Vec<Example> = all.filter(|example| !example.commands.is_empty()).collect();
    check_each(&examples, 8, |example| {
        let sandbox = Sandbox::new(example);
        example.commands.iter().try_for_each(|(command, shown)| {
            ensure_equal(&without_times(&sandbox.shell(command)), &without_times(shown))
        })
    });
}

#[test]
fn every_row_leads_to_an_example() {
    let (sections, rows) = (page::sections(), page::conformance());
    assert!(rows.len() >= 35, "the table has lost its rows: {}", rows.len());
    let link = |row: &[&'static str]| row.last()?.split_once("](#")?.1.strip_suffix(')');
    let links: Vec<&str> = rows.iter().filter_map(|row| link(row)).collect();
    for (row, link) in rows.iter().zip(&links) {
        assert!(row.len() == 4 && page::has_example(&sections, link), "{row:?}");
    }
    assert_eq!(rows.len(), links.len(), "each row has a link");
    for section in sections.iter().filter(|section| !section.examples.is_empty()) {
        assert!(links.contains(&&*section.anchor), "no row leads to `{}`", section.anchor);
    }
}

#[test]
fn every_word_of_the_language_is_on_the_page() {
    for word in META_ARGUMENTS.into_iter().chain(RESERVED_BLOCKS) {
        assert!(page::text().contains(&format!("`{word}`")), "`{word}` is not in docs/language.md");
    }
}
