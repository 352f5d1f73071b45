//! A report as JUnit XML, which every CI can show.

use std::fmt::Write;

use serde_json::Value as Json;
use uphold::model::is_invisible;

/// The document of a run as one suite: each action is a test case.
pub(crate) fn text(document: &Json) -> String {
    let run = &document["run"];
    let cases: Vec<Case> = cases(document);
    let count = |wanted: &str| cases.iter().filter(|case| case.sort() == wanted).count();
    let numbers = format!(
        r#"tests="{}" failures="{}" errors="{}" skipped="{}" time="{}""#,
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped"),
        seconds(&run["took_ms"]),
    );
    let what = if run["audit"] == true { "audit" } else { word(&run["mode"]) };
    // The schema of JUnit wants neither fractions nor a zone here.
    let began = word(&run["started_at"]).split('.').next().unwrap_or_default();
    let host = escaped(word(&run["host"]));
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
    place: &'a Json,
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
        if let (Some(file), Some(line)) = (place["file"].as_str(), place["line"].as_u64()) {
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
fn cases(document: &Json) -> Vec<Case<'_>> {
    let audit = document["run"]["audit"] == true;
    let wrong = all(&document["diagnostics"]).filter(|diagnostic| diagnostic["severity"] == "error");
    let outputs = all(&document["outputs"]).filter(|output| output["failure"].is_object());
    let records = all(&document["records"]).map(|record| of_record(record, audit));
    wrong.map(of_diagnostic).chain(records).chain(outputs.map(of_output)).collect()
}

fn of_diagnostic(diagnostic: &Json) -> Case<'_> {
    let (summary, message) =
        (word(&diagnostic["summary"]).to_owned(), word(&diagnostic["detail"]).to_owned());
    let detail = diagnostic["fix"].as_str().unwrap_or_default().to_owned();
    let outcome = Outcome { sort: "error", kind: summary.clone(), message, detail };
    let (place, outcome) = (&diagnostic["place"], Some(outcome));
    Case {
        class: "configuration".into(),
        name: summary,
        time: "0.000".into(),
        place,
        outcome,
        said: String::new(),
    }
}

fn of_record(record: &Json, audit: bool) -> Case<'_> {
    let resource = &record["resource"];
    let (kind, address) = (word(&resource["kind"]), word(&resource["address"]));
    let name = match word(&record["action"]) {
        "converge" => address.to_owned(),
        action => format!("{address}: {action}"),
    };
    let said: Vec<&str> = all(&record["messages"]).map(|message| word(&message["text"])).collect();
    Case {
        class: resource["module"].as_str().map_or(kind.to_owned(), |module| format!("{module}.{kind}")),
        name,
        time: seconds(&record["took_ms"]),
        place: &record["place"],
        outcome: of_verdict(record, audit),
        said: said.join("\n"),
    }
}

/// What went wrong is a failure; so is what differs, if the whole run is an audit. What was not done is skipped.
fn of_verdict(record: &Json, audit: bool) -> Option<Outcome> {
    let skipped = |sort| {
        let message = word(&record["message"]).to_owned();
        Some(Outcome { sort, kind: String::new(), message, detail: String::new() })
    };
    match word(&record["verdict"]) {
        "failed" => Some(of_failure(&record["failure"])),
        "differs" if audit => {
            let detail = format!("{:#}", record["change"]["differences"]);
            let message = word(&record["message"]).to_owned();
            Some(Outcome { sort: "failure", kind: "differs".into(), message, detail })
        }
        "skipped" | "not_wanted" | "ignored" | "differs" => skipped("skipped"),
        _ => None,
    }
}

fn of_output(output: &Json) -> Case<'_> {
    let failure = &output["failure"];
    let (name, outcome) = (word(&output["name"]).to_owned(), Some(of_failure(failure)));
    let place = &failure["place"];
    Case { class: "output".into(), name, time: "0.000".into(), place, outcome, said: String::new() }
}

fn of_failure(failure: &Json) -> Outcome {
    let causes = all(&failure["causes"]).map(|cause| format!("because: {}", word(cause)));
    let hint = failure["hint"].as_str().map(|hint| format!("hint: {hint}"));
    let detail = causes.chain(hint).collect::<Vec<_>>().join("\n");
    let (kind, message) = (word(&failure["kind"]).to_owned(), word(&failure["message"]).to_owned());
    Outcome { sort: "failure", kind, message, detail }
}

fn all(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn word(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

fn seconds(milliseconds: &Json) -> String {
    let milliseconds = milliseconds.as_u64().unwrap_or_default();
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
    use serde_json::json;

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
        let document = json!({
            "run": { "mode": "plan", "audit": false, "host": "web1", "started_at": "2026-11-15T22:02:45.545Z", "took_ms": 0 },
            "diagnostics": [
                { "severity": "warning", "summary": "w", "detail": "d", "place": null, "fix": null },
                { "severity": "error", "summary": "unknown kind", "detail": "there is no kind `a`",
                  "place": { "file": "site.hcl", "line": 3 }, "fix": "did you mean `b`?" },
            ],
            "records": [],
            "outputs": [{ "name": "o", "failure": { "kind": "invalid", "message": "m", "causes": ["c"], "hint": null, "place": null } }],
        });
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
        assert_eq!(text(&document), expected);
    }
}
