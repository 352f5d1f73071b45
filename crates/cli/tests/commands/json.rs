//! The JSON stream conforms to `docs/json.md`.

use serde_json::{Value, json};

use super::sandbox::{Ran, Sandbox};

fn lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Checks that the stream begins with the version and ends with `run_finished`; returns the latter.
#[track_caller]
fn check_frame(ran: &Ran) -> Value {
    let lines = lines(ran);
    let (first, last) = (lines.first().expect("a line"), lines.last().expect("a line"));
    assert_eq!((&first["type"], &first["format_version"]), (&json!("version"), &json!("3.1")));
    assert_eq!(last["type"], "run_finished");
    assert_eq!(lines.iter().filter(|line| line["type"] == "run_finished").count(), 1);
    for line in &lines {
        for field in ["@level", "@message", "@timestamp", "type"] {
            assert!(line[field].is_string(), "{field} in {line}");
        }
    }
    last.clone()
}

#[test]
fn a_run_is_a_stream_of_events() {
    let sandbox = Sandbox::with("file \"/a\" {\n  content = \"x\"\n}\n\nlog \"b\" {}\n");
    let ran = sandbox.rooted(&["apply", "--json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let end = check_frame(&ran);
    assert_eq!(end["error"], false);
    let expected = json!({ "ok": 1, "changed": 1, "failed": 0, "skipped": 0, "created": 1, "updated": 0,
        "removed": 0, "ran": 0, "may_change": 0, "skipped_by_condition": 0, "ignored": 0, "differs": 0,
        "paused": 0, "put_back": 0 });
    assert_eq!(end["summary"], expected);
    let types: Vec<Value> = lines(&ran).iter().map(|line| line["type"].clone()).collect();
    let expected = [
        "version",
        "run_started",
        "resource_started",
        "resource_finished",
        "resource_started",
        "message",
        "resource_finished",
        "run_finished",
    ];
    assert_eq!(types, expected);
    let created = &lines(&ran)[3];
    assert_eq!(created["verdict"], "changed");
    assert_eq!(created["resource"], json!({ "kind": "file", "name": "/a", "address": "file[\"/a\"]" }));
    assert_eq!(created["change"]["kind"], "create");
    assert_eq!(created["change"]["differences"][0]["after"], "x");
    assert_eq!(lines(&ran)[5]["text"], "b");
}

#[test]
fn every_verdict_has_its_data() {
    let never = "log \"y\" {\n  depends_on = [file[\"/none/x\"]]\n}\n";
    let sandbox = Sandbox::with(format!("file \"/none/x\" {{}}\n{never}log \"c\" {{}}\n"));
    let applied = sandbox.rooted(&["apply", "--json"]);
    let end = check_frame(&applied);
    assert_eq!((applied.code, &end["error"], &end["@level"]), (Some(1), &json!(true), &json!("error")));
    let find = |verdict: &str| {
        lines(&applied).into_iter().find(|line| line["verdict"] == verdict).expect("such a verdict")
    };
    assert_eq!(find("failed")["failure"]["kind"], "parent_missing");
    assert_eq!(find("failed")["failure"]["hint"], "declare it: directory \"/none\" {}");
    assert_eq!(find("skipped")["failed_dependency"]["address"], "file[\"/none/x\"]");
    assert_eq!(find("unchanged")["resource"]["name"], "c");
}

#[test]
fn unknown_and_secret_values_are_flagged() {
    let sandbox = Sandbox::new();
    let (b, c) = (sandbox.path("b").display().to_string(), sandbox.path("c").display().to_string());
    let task = "task \"a\" {\n  check = \"false\"\n  apply = \"echo made\"\n}\n";
    sandbox.write(
        "site.hcl",
        format!(
            "{task}file \"{b}\" {{\n  content = task.a.status.stdout\n}}\n\
             file \"{c}\" {{\n  content   = \"hunter2\"\n  sensitive = true\n}}\n\
             log \"d\" {{\n  message = task.a.status.stdout\n}}\n"
        ),
    );
    let ran = sandbox.run(&["plan", "--json", "--jobs", "1"]);
    let waits = lines(&ran).into_iter().find(|line| line["verdict"] == "may_change").expect("one waits");
    assert_eq!(waits["waits_for"], "task.a.status.stdout");
    let differences: Vec<Value> = lines(&ran)
        .iter()
        .flat_map(|line| line["change"]["differences"].as_array().cloned().unwrap_or_default())
        .filter(|difference| difference["property"] == "content")
        .collect();
    let unknown = json!({ "property": "content", "before": null, "after": null, "before_sensitive": false,
        "after_sensitive": false, "after_unknown": true, "after_waits_for": "task.a.status.stdout", "default": false });
    let secret = json!({ "property": "content", "before": null, "after": null, "before_sensitive": false,
        "after_sensitive": true, "after_unknown": false, "after_waits_for": null, "default": false });
    assert_eq!(differences, [unknown, secret]);
}

#[test]
fn mistakes_are_diagnostics_and_the_stream_still_ends() {
    let sandbox = Sandbox::with("fiel \"/x\" {}\n");
    for command in ["plan", "apply", "validate"] {
        let ran = sandbox.rooted(&[command, "--json", "site.hcl"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
        let end = check_frame(&ran);
        assert_eq!((&end["error"], &end["summary"]["ok"]), (&json!(true), &json!(0)));
        let expected = json!({ "code": "E0401", "severity": "error", "summary": "unknown kind",
            "detail": "there is no kind `fiel`", "fix": "did you mean `file`?", "related": [],
            "location": { "file": "site.hcl", "line": 1, "column": 1, "start": 0, "end": 9 } });
        assert_eq!(lines(&ran)[1]["diagnostic"], expected);
    }
}

#[test]
fn an_unreadable_configuration_is_a_diagnostic() {
    let ran = Sandbox::new().rooted(&["apply", "--json", "none.hcl"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    assert_eq!(check_frame(&ran)["error"], true);
    let diagnostic = &lines(&ran)[1]["diagnostic"];
    assert_eq!((&diagnostic["code"], &diagnostic["summary"]), (&json!(null), &json!("cannot run")));
    let detail = "cannot read the configuration none.hcl: No such file or directory (os error 2)";
    assert_eq!(diagnostic["detail"], detail);
}

#[test]
fn validate_ends_the_stream_too() {
    let ran = Sandbox::with("log \"a\" {}\n").run(&["validate", "--json"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(check_frame(&ran)["@message"], "The configuration is valid: 1 resource.");
}

/// The example of the documentation is the real output on the machine itself, except for times.
#[test]
fn the_documented_example_is_real() {
    let page = include_str!("../../../../docs/json.md");
    let example = &page[page.find("```hcl\n").expect("the page has an example")..];
    let block = |language: &str| {
        let start = example.find(&format!("```{language}\n")).expect("the page has such a block");
        let text = &example[start + language.len() + 4..];
        text[..text.find("```").expect("it is closed")].to_owned()
    };
    let sandbox = Sandbox::with(block("hcl"));
    let ran = sandbox.rooted(&["apply", "--json", "site.hcl"]);
    let steady = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
        lines.map(without_times).collect()
    };
    let printed = ran.stdout.replace("FOLDER/root", "");
    assert_eq!(steady(&block("json")), steady(&printed), "\n{printed}");
}

fn without_times(mut line: Value) -> Value {
    line["@timestamp"] = Value::Null;
    if line["type"] == "resource_finished" {
        line["duration_ms"] = json!(0);
    }
    if line["type"] == "run_finished" {
        let message = line["@message"].as_str().expect("a sentence");
        line["@message"] = json!(message.split(" in ").next());
    }
    line
}

/// Control characters (C0, DEL, C1), bidirectional controls, zero-width characters and tags are visible in all outputs.
#[test]
fn invisible_characters_are_escaped_everywhere() {
    const HOSTILE: &str = "a\\u001b[2J\\u009b2J\\u007f\\u202eb\\u2066\\u200b\\ufeff\\U000e0001c";
    let sandbox = Sandbox::with(format!(
        "file \"/f\" {{\n  content = \"{HOSTILE}\"\n}}\nlog \"l\" {{\n  message = \"{HOSTILE}\"\n}}\n\
         output \"o\" {{\n  value = \"{HOSTILE}\"\n}}\n"
    ));
    let visible = |text: &str, what: &str| {
        let is_hidden = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
                || c >= '\u{e0000}'
        };
        assert!(!text.chars().any(is_hidden), "{what}: {text:?}");
    };
    for arguments in
        [&["plan"][..], &["plan", "--json"], &["plan", "-v"], &["graph"], &["plan", "--out", "plan"]]
    {
        let ran = sandbox.rooted(arguments);
        visible(&(ran.stdout + &ran.stderr), &arguments.join(" "));
    }
    for arguments in [&["show", "plan"][..], &["show", "plan", "--json"]] {
        let ran = sandbox.run(arguments);
        visible(&(ran.stdout + &ran.stderr), &arguments.join(" "));
    }
    let ran = sandbox.rooted(&["apply", "--json", "--report", "r.json", "--report", "r.xml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    visible(&ran.stdout, "apply --json");
    visible(&sandbox.read("r.json"), "a JSON report");
    visible(&sandbox.read("r.xml"), "a JUnit report");
    let expected = "a\u{1b}[2J\u{9b}2J\u{7f}\u{202e}b\u{2066}\u{200b}\u{feff}\u{e0001}c";
    let printed = ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut messages = printed.filter(|line| line["type"] == "message");
    assert!(messages.any(|line| line["text"] == expected
        || line["message"] == expected
        || line["@message"].as_str().is_some_and(|text| text.contains(expected))));
}
