//! Tests as JUnit XML, which every CI can show.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::report::{escaped, escaped_text};

/// The document of a command: each file is a suite.
pub(crate) fn text(document: &Json) -> String {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uphold test\">\n".to_owned();
    let tests: Vec<&Json> = all(&document["tests"]).collect();
    for suite in tests.chunk_by(|one, next| one["file"] == next["file"]) {
        write_suite(suite, &mut text);
    }
    write_mistakes(&all(&document["diagnostics"]).collect::<Vec<_>>(), &mut text);
    text + "</testsuites>\n"
}

fn write_suite(tests: &[&Json], text: &mut String) {
    let failed = tests.iter().filter(|test| test["passed"] == false).count();
    let took: u64 = tests.iter().filter_map(|test| test["took_ms"].as_u64()).sum();
    let file = escaped(word(&tests[0]["file"]));
    let (count, time) = (tests.len(), seconds(took));
    let _ = writeln!(
        text,
        "  <testsuite name=\"{file}\" tests=\"{count}\" failures=\"{failed}\" errors=\"0\" time=\"{time}\">"
    );
    tests.iter().for_each(|test| write_case(test, text));
    text.push_str("  </testsuite>\n");
}

fn write_case(test: &Json, text: &mut String) {
    let (file, name) = (escaped(word(&test["file"])), escaped(word(&test["test"])));
    let line = test["place"]["line"].as_u64().unwrap_or(1);
    let time = seconds(test["took_ms"].as_u64().unwrap_or_default());
    let _ = write!(
        text,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{line}\" time=\"{time}\""
    );
    if test["passed"] == true {
        return text.push_str("/>\n");
    }
    text.push_str(">\n");
    all(&test["mismatches"]).for_each(|mismatch| write_problem("failure", mismatch, text));
    text.push_str("    </testcase>\n");
}

/// Mistakes in files, so that their tests were not run.
fn write_mistakes(mistakes: &[&Json], text: &mut String) {
    if mistakes.is_empty() {
        return;
    }
    let count = mistakes.len();
    let _ = writeln!(
        text,
        "  <testsuite name=\"mistakes\" tests=\"{count}\" failures=\"0\" errors=\"{count}\" time=\"0.000\">"
    );
    for mistake in mistakes {
        let name = escaped(word(&mistake["summary"]));
        let _ = writeln!(text, "    <testcase classname=\"mistakes\" name=\"{name}\" time=\"0.000\">");
        write_problem("error", mistake, text);
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n");
}

fn write_problem(sort: &str, problem: &Json, text: &mut String) {
    let (kind, message) = (escaped(word(&problem["summary"])), escaped(word(&problem["detail"])));
    let place = &problem["place"];
    let mut lines = Vec::new();
    if let (Some(file), Some(line)) = (place["file"].as_str(), place["line"].as_u64()) {
        lines.push(format!("{file}:{line}"));
    }
    lines.extend(problem["fix"].as_str().map(|fix| format!("help: {fix}")));
    for side in ["expected", "found"] {
        lines.extend(problem[side].as_str().map(|content| format!("{side}:\n{content}")));
    }
    let detail = escaped_text(&lines.join("\n"));
    let _ = writeln!(text, "      <{sort} type=\"{kind}\" message=\"{message}\">{detail}</{sort}>");
}

fn all(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn word(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}
