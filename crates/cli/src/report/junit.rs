//! A report as JUnit XML, which every CI can show.

use std::fmt::Write;

use uphold::model::is_invisible;
use uphold_wire::report::{Record, Report};
use uphold_wire::{Diagnostic, Failure, Place, Verdict};

/// The document of a run as one suite: each action is a test case.
pub(crate) fn text(document: &Report) -> String {
    let run = &document.run;
    let cases: Vec<Case> = cases(document);
    let count = |wanted: &str| cases.iter().filter(|case| case.sort() == wanted).count();
    let numbers = format!(
        r#"tests="{}" failures="{}" errors="{}" skipped="{}" time="{}""#,
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped"),
        seconds(run.took_ms),
    );
    let what = if run.audit { "audit" } else { &*run.mode };
    // The schema of JUnit wants neither fractions nor a zone here.
    let began = run.started_at.split('.').next().unwrap_or_default();
    let host = escaped(run.host.as_deref().unwrap_or_default());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uphold\" {numbers}>\n  \
         <testsuite name=\"uphold {what}\" hostname=\"{host}\" timestamp=\"{began}\" {numbers}>\n"
    );
    cases.iter().for_each(|case| case.write(&mut text));
    text + "  </testsuite>\n</testsuites>\n"
}

/// One test case.
struct Case<'a> {
    class: String,
    name: String,
    time: String,
    place: Option<&'a Place>,
    outcome: Option<Outcome>,
    said: String,
}

/// Why a case did not simply pass.
struct Outcome {
    sort: &'static str,
    kind: String,
    message: String,
    detail: String,
}

impl Case<'_> {
    fn sort(&self) -> &'static str {
        self.outcome.as_ref().map_or("", |outcome| outcome.sort)
    }

    fn write(&self, text: &mut String) {
        let Self { class, name, time, place, outcome, said } = self;
        let _ = write!(text, "    <testcase classname=\"{}\" name=\"{}\"", escaped(class), escaped(name));
        if let Some(Place { file, line, .. }) = place {
            let _ = write!(text, " file=\"{}\" line=\"{line}\"", escaped(file));
        }
        let _ = write!(text, " time=\"{time}\"");
        if outcome.is_none() && said.is_empty() {
            text.push_str("/>\n");
            return;
        }
        text.push_str(">\n");
        outcome.iter().for_each(|outcome| outcome.write(text));
        if !said.is_empty() {
            let _ = writeln!(text, "      <system-out>{}</system-out>", escaped_text(said));
        }
        text.push_str("    </testcase>\n");
    }
}

impl Outcome {
    fn write(&self, text: &mut String) {
        let Self { sort, kind, message, detail } = self;
        let _ = write!(text, "      <{sort}");
        if !kind.is_empty() {
            let _ = write!(text, " type=\"{}\"", escaped(kind));
        }
        let _ = write!(text, " message=\"{}\"", escaped(message));
        match detail.is_empty() {
            true => text.push_str("/>\n"),
            false => {
                let _ = writeln!(text, ">{}</{sort}>", escaped_text(detail));
            }
        }
    }
}

/// What is wrong with the configuration, then the actions, then outputs that could not be had.
fn cases(document: &Report) -> Vec<Case<'_>> {
    let wrong = document.diagnostics.iter().filter(|diagnostic| diagnostic.severity == "error");
    let records = document.records.iter().map(|record| of_record(record, document.run.audit));
    let outputs = document.outputs.iter().filter_map(|one| Some(of_output(&one.name, one.failure.as_ref()?)));
    wrong.map(of_diagnostic).chain(records).chain(outputs).collect()
}

fn of_diagnostic(diagnostic: &Diagnostic) -> Case<'_> {
    let outcome = Outcome {
        sort: "error",
        kind: diagnostic.summary.clone(),
        message: diagnostic.detail.clone(),
        detail: diagnostic.fix.clone().unwrap_or_default(),
    };
    Case {
        class: "configuration".into(),
        name: diagnostic.summary.clone(),
        time: "0.000".into(),
        place: diagnostic.place.as_ref(),
        outcome: Some(outcome),
        said: String::new(),
    }
}

fn of_record(record: &Record, audit: bool) -> Case<'_> {
    let resource = &record.resource;
    let (kind, address) = (&resource.kind, &resource.address);
    let said: Vec<&str> = record.messages.iter().map(|message| &*message.text).collect();
    Case {
        class: resource.module.as_ref().map_or(kind.clone(), |module| format!("{module}.{kind}")),
        name: match &*record.action {
            "converge" => address.clone(),
            action => format!("{address}: {action}"),
        },
        time: seconds(record.took_ms),
        place: record.place.as_ref(),
        outcome: of_verdict(record, audit),
        said: said.join("\n"),
    }
}

/// What went wrong is a failure; so is what differs, if the whole run is an audit. What was not done is skipped.
fn of_verdict(record: &Record, audit: bool) -> Option<Outcome> {
    let message = record.message.clone();
    match &record.verdict {
        Verdict::Failed { failure } => Some(of_failure(failure)),
        Verdict::Differs { change } if audit => {
            let detail = uphold_wire::document(&change.differences).trim_end().to_owned();
            Some(Outcome { sort: "failure", kind: "differs".into(), message, detail })
        }
        Verdict::Skipped(_)
        | Verdict::NotWanted { .. }
        | Verdict::Ignored { .. }
        | Verdict::Differs { .. } => {
            Some(Outcome { sort: "skipped", kind: String::new(), message, detail: String::new() })
        }
        _ => None,
    }
}

fn of_output<'a>(name: &str, failure: &'a Failure) -> Case<'a> {
    let (name, outcome, place) = (name.to_owned(), Some(of_failure(failure)), failure.place.as_ref());
    Case { class: "output".into(), name, time: "0.000".into(), place, outcome, said: String::new() }
}

fn of_failure(failure: &Failure) -> Outcome {
    let causes = failure.causes.iter().map(|cause| format!("because: {cause}"));
    let hint = failure.hint.iter().map(|hint| format!("hint: {hint}"));
    let detail = causes.chain(hint).collect::<Vec<_>>().join("\n");
    Outcome { sort: "failure", kind: failure.kind.to_string(), message: failure.message.clone(), detail }
}

/// `1.250`.
pub(crate) fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// Text between quotes: line ends and tabs would become spaces otherwise.
pub(crate) fn escaped(text: &str) -> String {
    escaped_text(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text between tags. XML has no way to say most control characters: they are shown as escapes.
pub(crate) fn escaped_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(character),
            '\u{fffe}' | '\u{ffff}' => safe.extend(character.escape_unicode()),
            other if is_invisible(other) => safe.extend(other.escape_default()),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected);
        check("a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d");
        check("a\nb\tc", "a&#10;b&#9;c");
        check("\u{1b}[2J\r\0\u{ffff}", r"\u{1b}[2J\r\u{0}\u{ffff}");
        check("a\u{202e}b\u{9b}", r"a\u{202e}b\u{9b}");
        check("]]>", "]]&gt;");
        assert_eq!(escaped_text("a\nb"), "a\nb");
    }

    #[test]
    fn a_configuration_that_is_refused_is_an_error_of_the_suite() {
        let document = r#"{
            "format_version": "1.0", "uphold": "0.1.0", "batches": [], "records": [],
            "run": { "mode": "plan", "audit": false, "host": "web1", "root": null,
                     "started_at": "2026-11-15T22:02:45.545Z", "took_ms": 0, "actions": 0, "error": true,
                     "message": null, "summary": { "changed": 0, "created": 0, "differ": 0, "failed": 0,
                     "ignored": 0, "may_change": 0, "not_wanted": 0, "ok": 0, "ran": 0, "removed": 0,
                     "skipped": 0, "updated": 0 } },
            "diagnostics": [
                { "severity": "warning", "summary": "w", "detail": "d", "place": null, "fix": null, "related": [] },
                { "severity": "error", "summary": "unknown kind", "detail": "there is no kind `a`", "related": [],
                  "place": { "file": "site.hcl", "line": 3, "column": 1, "start": 0, "end": 1 },
                  "fix": "did you mean `b`?" }],
            "outputs": [{ "name": "o", "failure": { "kind": "invalid", "message": "m", "causes": ["c"],
                          "hint": null, "place": null, "differences": [] } }]
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
        assert_eq!(text(&uphold_wire::read(document).expect("a report")), expected);
    }
}
