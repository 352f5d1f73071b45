//! JUnit XML, which every CI can show: reports of runs and of tests.

use std::fmt::Write;

use uphold::model::is_invisible;
use uphold_wire::report::{Record, Report};
use uphold_wire::test_report::{Test, TestReport};
use uphold_wire::{Diagnostic, Failure, Place, Verdict};

/// A run as one suite: each action is a test case.
pub(crate) fn run_report(document: &Report) -> String {
    let run = &document.run;
    let cases = run_cases(document);
    let count = |element: &str| cases.iter().filter(|case| case.has(element)).count();
    let numbers = format!(
        r#"tests="{}" failures="{}" errors="{}" skipped="{}" time="{}""#,
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped"),
        seconds(run.duration_ms),
    );
    let what = if run.audit { "audit" } else { &*run.mode };
    // The schema of JUnit allows neither fractions nor a time zone here.
    let began = run.started_at.split('.').next().unwrap_or_default();
    let host = escaped(run.host.as_deref().unwrap_or_default());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uphold\" {numbers}>\n  \
         <testsuite name=\"uphold {what}\" hostname=\"{host}\" timestamp=\"{began}\" {numbers}>\n"
    );
    cases.iter().for_each(|case| case.write(&mut text));
    text + "  </testsuite>\n</testsuites>\n"
}

/// The results of `uphold test`: each file is a suite.
pub(crate) fn test_report(document: &TestReport) -> String {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uphold test\">\n".to_owned();
    for tests in document.tests.chunk_by(|one, next| one.file == next.file) {
        let took = tests.iter().map(|test| test.duration_ms).sum();
        write_suite(&tests[0].file, took, &tests.iter().map(of_test).collect::<Vec<_>>(), &mut text);
    }
    if !document.diagnostics.is_empty() {
        // Files with errors, whose tests were not run.
        let cases = document.diagnostics.iter().map(|one| of_diagnostic(one, "invalid test files"));
        write_suite("invalid test files", 0, &cases.collect::<Vec<_>>(), &mut text);
    }
    text + "</testsuites>\n"
}

fn write_suite(name: &str, duration_ms: u64, cases: &[Case<'_>], text: &mut String) {
    let count = |element: &str| cases.iter().filter(|case| case.has(element)).count();
    let _ = writeln!(
        text,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">",
        escaped(name),
        cases.len(),
        count("failure"),
        count("error"),
        seconds(duration_ms)
    );
    cases.iter().for_each(|case| case.write(text));
    text.push_str("  </testsuite>\n");
}

/// A test case.
struct Case<'a> {
    class: String,
    name: String,
    duration_ms: u64,
    place: Option<&'a Place>,
    outcomes: Vec<Outcome>,
    /// The text of `system-out`.
    output: String,
}

/// A failure, an error, or the reason why a case was skipped.
struct Outcome {
    element: &'static str,
    kind: String,
    message: String,
    detail: String,
}

impl Case<'_> {
    fn has(&self, element: &str) -> bool {
        self.outcomes.iter().any(|outcome| outcome.element == element)
    }

    fn write(&self, text: &mut String) {
        let Self { class, name, duration_ms, place, outcomes, output } = self;
        let _ = write!(text, "    <testcase classname=\"{}\" name=\"{}\"", escaped(class), escaped(name));
        if let Some(Place { file, line, .. }) = place {
            let _ = write!(text, " file=\"{}\" line=\"{line}\"", escaped(file));
        }
        let _ = write!(text, " time=\"{}\"", seconds(*duration_ms));
        if outcomes.is_empty() && output.is_empty() {
            text.push_str("/>\n");
            return;
        }
        text.push_str(">\n");
        outcomes.iter().for_each(|outcome| outcome.write(text));
        if !output.is_empty() {
            let _ = writeln!(text, "      <system-out>{}</system-out>", escaped_text(output));
        }
        text.push_str("    </testcase>\n");
    }
}

impl Outcome {
    fn write(&self, text: &mut String) {
        let Self { element, kind, message, detail } = self;
        let _ = write!(text, "      <{element}");
        if !kind.is_empty() {
            let _ = write!(text, " type=\"{}\"", escaped(kind));
        }
        let _ = write!(text, " message=\"{}\"", escaped(message));
        if detail.is_empty() {
            text.push_str("/>\n");
        } else {
            let _ = writeln!(text, ">{}</{element}>", escaped_text(detail));
        }
    }
}

/// Errors of the configuration, then the actions, then failed outputs.
fn run_cases(document: &Report) -> Vec<Case<'_>> {
    let errors = document.diagnostics.iter().filter(|diagnostic| diagnostic.severity == "error");
    let errors = errors.map(|error| of_diagnostic(error, "configuration"));
    let records = document.records.iter().map(|record| of_record(record, document.run.audit));
    let outputs = document.outputs.iter().filter_map(|one| Some(of_output(&one.name, one.failure.as_ref()?)));
    errors.chain(records).chain(outputs).collect()
}

fn of_diagnostic<'a>(diagnostic: &'a Diagnostic, class: &str) -> Case<'a> {
    let outcome = Outcome {
        element: "error",
        kind: diagnostic.summary.clone(),
        message: diagnostic.detail.clone(),
        detail: diagnostic.fix.clone().unwrap_or_default(),
    };
    Case {
        class: class.to_owned(),
        name: diagnostic.summary.clone(),
        duration_ms: 0,
        place: diagnostic.location.as_ref(),
        outcomes: vec![outcome],
        output: String::new(),
    }
}

fn of_test(test: &Test) -> Case<'_> {
    let failure = |mismatch: &uphold_wire::test_report::Mismatch| {
        let place = mismatch.location.as_ref().map(|place| format!("{}:{}", place.file, place.line));
        let fix = mismatch.fix.as_ref().map(|fix| format!("help: {fix}"));
        let expected = mismatch.expected.as_ref().map(|text| format!("expected:\n{text}"));
        let found = mismatch.actual.as_ref().map(|text| format!("found:\n{text}"));
        let lines: Vec<String> = [place, fix, expected, found].into_iter().flatten().collect();
        let (kind, message) = (mismatch.summary.clone(), mismatch.detail.clone());
        Outcome { element: "failure", kind, message, detail: lines.join("\n") }
    };
    let untested = test.untested.iter().map(|why| Outcome {
        element: "skipped",
        kind: String::new(),
        message: why.to_string(),
        detail: String::new(),
    });
    Case {
        class: test.file.clone(),
        name: test.test.clone(),
        duration_ms: test.duration_ms,
        place: test.location.as_ref(),
        outcomes: test.mismatches.iter().map(failure).chain(untested).collect(),
        output: String::new(),
    }
}

fn of_record(record: &Record, audit: bool) -> Case<'_> {
    let resource = &record.resource;
    let (kind, address) = (&resource.kind, &resource.address);
    let messages: Vec<&str> = record.messages.iter().map(|message| &*message.text).collect();
    Case {
        class: resource.module.as_ref().map_or(kind.clone(), |module| format!("{module}.{kind}")),
        name: match &*record.action {
            "converge" => address.clone(),
            action => format!("{address}: {action}"),
        },
        duration_ms: record.duration_ms,
        place: record.location.as_ref(),
        outcomes: of_verdict(record, audit).into_iter().collect(),
        output: messages.join("\n"),
    }
}

/// In an audit, a difference is a failure, too. Resources that were not visited, only audited,
/// paused or put back are skipped.
fn of_verdict(record: &Record, audit: bool) -> Option<Outcome> {
    let message = record.message.clone();
    match &record.verdict {
        Verdict::Failed { failure } => Some(of_failure(failure)),
        Verdict::Differs { change } if audit => {
            let detail = uphold_wire::document(&change.differences).trim_end().to_owned();
            Some(Outcome { element: "failure", kind: "differs".into(), message, detail })
        }
        Verdict::Skipped(_)
        | Verdict::Ignored { .. }
        | Verdict::Differs { .. }
        | Verdict::Paused { .. }
        | Verdict::PutBack { .. } => {
            Some(Outcome { element: "skipped", kind: String::new(), message, detail: String::new() })
        }
        _ => None,
    }
}

fn of_output<'a>(name: &str, failure: &'a Failure) -> Case<'a> {
    let (name, outcomes, place) = (name.to_owned(), vec![of_failure(failure)], failure.location.as_ref());
    Case { class: "output".into(), name, duration_ms: 0, place, outcomes, output: String::new() }
}

fn of_failure(failure: &Failure) -> Outcome {
    let causes = failure.causes.iter().map(|cause| format!("because: {cause}"));
    let hint = failure.hint.iter().map(|hint| format!("hint: {hint}"));
    let detail = causes.chain(hint).collect::<Vec<_>>().join("\n");
    Outcome { element: "failure", kind: failure.kind.to_string(), message: failure.message.clone(), detail }
}

/// `1.250`.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// Text in an attribute, where line ends and tabs would become spaces.
fn escaped(text: &str) -> String {
    escaped_text(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text between tags. Control characters are shown as escapes, because XML cannot represent most of them.
fn escaped_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' | '\t' => safe.push(character),
            '\u{fffe}' | '\u{ffff}' => safe.extend(character.escape_unicode()),
            other if is_invisible(other) => safe.extend(other.escape_default()),
            other => match markup_entity(other) {
                Some(entity) => safe.push_str(entity),
                None => safe.push(other),
            },
        }
    }
    safe
}

/// The entity for a character that has a meaning in XML.
pub(crate) fn markup_entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_xml() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected);
        check("a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d");
        check("a\nb\tc", "a&#10;b&#9;c");
        check("\u{1b}[2J\r\0\u{ffff}", r"\u{1b}[2J\r\u{0}\u{ffff}");
        check("a\u{202e}b\u{9b}", r"a\u{202e}b\u{9b}");
        check("]]>", "]]&gt;");
        assert_eq!(escaped_text("a\nb"), "a\nb");
    }

    #[test]
    fn reports_an_invalid_configuration() {
        let document = r#"{
            "format_version": "3.0", "uphold": "0.1.0", "batches": [], "records": [],
            "run": { "mode": "plan", "audit": false, "host": "web1", "root": null,
                     "started_at": "2026-11-15T22:02:45.545Z", "duration_ms": 0, "actions": 0, "error": true,
                     "message": null, "summary": { "changed": 0, "created": 0, "differs": 0, "failed": 0,
                     "ignored": 0, "may_change": 0, "ok": 0, "ran": 0, "removed": 0,
                     "put_back": 0, "skipped": 0, "skipped_by_condition": 0, "updated": 0 } },
            "diagnostics": [
                { "severity": "warning", "summary": "w", "detail": "d", "location": null, "fix": null, "related": [] },
                { "severity": "error", "summary": "unknown kind", "detail": "there is no kind `a`", "related": [],
                  "location": { "file": "site.hcl", "line": 3, "column": 1, "start": 0, "end": 1 },
                  "fix": "did you mean `b`?" }],
            "outputs": [{ "name": "o", "failure": { "kind": "invalid", "message": "m", "causes": ["c"],
                          "hint": null, "location": null, "differences": [] } }]
        }"#;
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="uphold" tests="2" failures="1" errors="1" skipped="0" time="0.000">
  <testsuite name="uphold plan" hostname="web1" timestamp="2026-11-15T22:02:45" tests="2" failures="1" errors="1" skipped="0" time="0.000">
    <testcase classname="configuration" name="unknown kind" file="site.hcl" line="3" time="0.000">
      <error type="unknown kind" message="there is no kind `a`">did you mean `b`?</error>
    </testcase>
    <testcase classname="output" name="o" time="0.000">
      <failure type="invalid" message="m">because: c</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(run_report(&uphold_wire::read(document).expect("a report")), expected);
    }
}
