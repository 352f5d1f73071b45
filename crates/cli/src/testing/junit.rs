//! Tests as JUnit XML, which every CI can show.

use std::fmt::Write;

use uphold_wire::test_report::{Mismatch, Test, TestReport};
use uphold_wire::{Diagnostic, Place};

use crate::report::{escaped, escaped_text, seconds};

/// The document of a command: each file is a suite.
pub(crate) fn text(document: &TestReport) -> String {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uphold test\">\n".to_owned();
    for suite in document.tests.chunk_by(|one, next| one.file == next.file) {
        write_suite(suite, &mut text);
    }
    write_mistakes(&document.diagnostics, &mut text);
    text + "</testsuites>\n"
}

fn write_suite(tests: &[Test], text: &mut String) {
    let failed = tests.iter().filter(|test| !test.passed).count();
    let file = escaped(&tests[0].file);
    let (count, time) = (tests.len(), seconds(tests.iter().map(|test| test.took_ms).sum()));
    let _ = writeln!(
        text,
        "  <testsuite name=\"{file}\" tests=\"{count}\" failures=\"{failed}\" errors=\"0\" time=\"{time}\">"
    );
    tests.iter().for_each(|test| write_case(test, text));
    text.push_str("  </testsuite>\n");
}

fn write_case(test: &Test, text: &mut String) {
    let (file, name) = (escaped(&test.file), escaped(&test.test));
    let line = test.place.as_ref().map_or(1, |place| place.line);
    let time = seconds(test.took_ms);
    let _ = write!(
        text,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{line}\" time=\"{time}\""
    );
    if test.passed {
        return text.push_str("/>\n");
    }
    text.push_str(">\n");
    for mismatch in &test.mismatches {
        let Mismatch { summary, detail, place, fix, expected, found, .. } = mismatch;
        let problem =
            Problem { sort: "failure", summary, detail, place: place.as_ref(), fix: fix.as_deref() };
        problem.write([("expected", expected.as_deref()), ("found", found.as_deref())], text);
    }
    text.push_str("    </testcase>\n");
}

/// Mistakes in files, so that their tests were not run.
fn write_mistakes(mistakes: &[Diagnostic], text: &mut String) {
    if mistakes.is_empty() {
        return;
    }
    let count = mistakes.len();
    let _ = writeln!(
        text,
        "  <testsuite name=\"mistakes\" tests=\"{count}\" failures=\"0\" errors=\"{count}\" time=\"0.000\">"
    );
    for Diagnostic { summary, detail, place, fix, .. } in mistakes {
        let name = escaped(summary);
        let _ = writeln!(text, "    <testcase classname=\"mistakes\" name=\"{name}\" time=\"0.000\">");
        let problem = Problem { sort: "error", summary, detail, place: place.as_ref(), fix: fix.as_deref() };
        problem.write([], text);
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n");
}

struct Problem<'a> {
    sort: &'static str,
    summary: &'a str,
    detail: &'a str,
    place: Option<&'a Place>,
    fix: Option<&'a str>,
}

impl Problem<'_> {
    fn write<const N: usize>(&self, sides: [(&str, Option<&str>); N], text: &mut String) {
        let (sort, kind, message) = (self.sort, escaped(self.summary), escaped(self.detail));
        let mut lines = Vec::new();
        lines.extend(self.place.map(|place| format!("{}:{}", place.file, place.line)));
        lines.extend(self.fix.map(|fix| format!("help: {fix}")));
        for (side, content) in sides {
            lines.extend(content.map(|content| format!("{side}:\n{content}")));
        }
        let detail = escaped_text(&lines.join("\n"));
        let _ = writeln!(text, "      <{sort} type=\"{kind}\" message=\"{message}\">{detail}</{sort}>");
    }
}
