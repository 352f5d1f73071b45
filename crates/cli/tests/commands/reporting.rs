//! `--report`, and the details of `-v`.

use serde_json::{Value, json};

use super::sandbox::Sandbox;

const SITE: &str = r#"
file "/a" { content = "1 < 2 & \"3\"\u0007" }

file "/none/x" {}

log "never" { depends_on = [file["/none/x"]] }

file "/off" { when = file["/a"].size == 0 }

log "said" { message = "<b>\u001b[2J</b>\n]]>" }

file "/secret" {
  content   = "hunter2"
  sensitive = true
}

output "size" { value = file["/a"].size }
output "off" { value = file["/off"].size }
output "token" {
  value     = "hunter2"
  sensitive = true
}
"#;

fn report(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let ran = sandbox.rooted(&[arguments, &["--report", "report.json"]].concat());
    assert!(!ran.stdout.is_empty());
    serde_json::from_str(&sandbox.read("report.json")).expect("the report is JSON")
}

/// The values of these fields, record by record.
fn picked(report: &Value, fields: &[&str]) -> Vec<Value> {
    let records = report["records"].as_array().expect("records");
    records.iter().map(|record| fields.iter().map(|field| record[field].clone()).collect()).collect()
}

#[test]
fn a_report_has_the_whole_run() {
    let sandbox = Sandbox::with(SITE);
    let report = report(&sandbox, &["apply", "site.hcl"]);
    let run = &report["run"];
    assert_eq!(
        (&report["format_version"], &report["uphold"]),
        (&json!("3.1"), &json!(env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(
        (&run["mode"], &run["audit"], &run["error"], &run["actions"]),
        (&json!("apply"), &json!(false), &json!(true), &json!(6))
    );
    assert_eq!(
        (&run["root"], &run["summary"]["changed"], &run["summary"]["failed"]),
        (&json!("root"), &json!(2), &json!(2))
    );
    assert!(run["started_at"].as_str().is_some_and(|time| time.ends_with('Z')), "{run}");
    assert!(
        run["duration_ms"].is_u64()
            && run["message"].as_str().is_some_and(|text| text.starts_with("Applied: 2 added"))
    );
    assert_eq!(
        picked(&report, &["resource", "action", "verdict", "attempts"])
            .iter()
            .map(|record| json!([record[0]["address"], record[1], record[2], record[3]]))
            .collect::<Vec<_>>(),
        [
            json!(["file[\"/a\"]", "converge", "changed", 1]),
            json!(["file[\"/none/x\"]", "converge", "failed", 1]),
            json!(["log.never", "converge", "skipped", 0]),
            json!(["file[\"/off\"]", "converge", "skipped", 1]),
            json!(["log.said", "converge", "unchanged", 1]),
            json!(["file[\"/secret\"]", "converge", "changed", 1]),
        ]
    );
    let records = &report["records"];
    assert_eq!(records[0]["change"]["differences"][0]["after"], "1 < 2 & \"3\"\u{7}");
    assert_eq!(
        (&records[0]["cause"], &records[0]["location"]["line"]),
        (&json!({ "reason": "declared" }), &json!(2))
    );
    assert_eq!(records[1]["failure"]["kind"], "parent_missing");
    assert_eq!(
        (&records[2]["skip_reason"], &records[2]["failed_dependency"]["address"]),
        (&json!("dependency_failed"), &json!("file[\"/none/x\"]"))
    );
    assert_eq!(records[3]["condition"], json!({ "reason": "when" }));
    assert_eq!(records[4]["messages"], json!([{ "level": "info", "text": "<b>\u{1b}[2J</b>\n]]>" }]));
    assert_eq!(
        (&report["outputs"][0]["value"], &report["outputs"][2]["sensitive"]),
        (&json!(12), &json!(true))
    );
    assert!(report["outputs"][1]["failure"]["message"].is_string(), "{}", report["outputs"]);
}

/// The report and the stream have the same data of each action, and hide the same values.
#[test]
fn a_report_and_the_stream_agree() {
    let sandbox = Sandbox::with(SITE);
    let ran = sandbox.rooted(&["plan", "--json", "--report", "report.json", "--report", "report.xml"]);
    let report = sandbox.read("report.json").replace(&*sandbox.path("root").to_string_lossy(), "FOLDER/root");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let finished: Vec<Value> = lines.filter(|line| line["type"] == "resource_finished").collect();
    assert_eq!(finished.len(), report["records"].as_array().map_or(0, Vec::len));
    for (line, record) in finished.iter().zip(report["records"].as_array().expect("records")) {
        for (field, value) in line.as_object().expect("an object") {
            match field.as_str() {
                "@message" => assert_eq!(*value, record["message"]),
                "@level" | "@timestamp" | "type" => {}
                field => assert_eq!(*value, record[field], "{field} of {line}"),
            }
        }
    }
    for text in [ran.stdout, sandbox.read("report.json"), sandbox.read("report.xml")] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// Removes times, which differ between runs.
fn without_times(text: &str) -> String {
    let mut steady = text.to_owned();
    for name in ["time=\"", "timestamp=\"", "hostname=\""] {
        let mut parts = steady.split(name);
        let first = parts.next().unwrap_or_default().to_owned();
        steady = parts.fold(first, |text, part| {
            let (_, rest) = part.split_once('"').expect("the quote is closed");
            format!("{text}{name}…\"{rest}")
        });
    }
    steady
}

#[test]
fn a_name_that_ends_in_xml_is_junit() {
    let sandbox = Sandbox::with(SITE);
    let ran = sandbox.rooted(&["apply", "site.hcl", "--report", "report.xml"]);
    assert_eq!(ran.code, Some(1));
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="uphold" tests="7" failures="2" errors="0" skipped="2" time="…">
  <testsuite name="uphold apply" hostname="…" timestamp="…" tests="7" failures="2" errors="0" skipped="2" time="…">
    <testcase classname="file" name="file[&quot;/a&quot;]" file="site.hcl" line="2" time="…"/>
    <testcase classname="file" name="file[&quot;/none/x&quot;]" file="site.hcl" line="4" time="…">
      <failure type="parent_missing" message="/none/x cannot be created: ROOT/none does not exist">hint: declare it: directory &quot;/none&quot; {}</failure>
    </testcase>
    <testcase classname="log" name="log.never" file="site.hcl" line="6" time="…">
      <skipped message="log.never: skipped because file[&quot;/none/x&quot;] failed"/>
    </testcase>
    <testcase classname="file" name="file[&quot;/off&quot;]" file="site.hcl" line="8" time="…">
      <skipped message="file[&quot;/off&quot;]: skipped: `when` is false"/>
    </testcase>
    <testcase classname="log" name="log.said" file="site.hcl" line="10" time="…">
      <system-out>&lt;b&gt;\u{1b}[2J&lt;/b&gt;
]]&gt;</system-out>
    </testcase>
    <testcase classname="file" name="file[&quot;/secret&quot;]" file="site.hcl" line="12" time="…"/>
    <testcase classname="output" name="off" file="site.hcl" line="18" time="…">
      <failure type="invalid" message="file[&quot;/off&quot;].size cannot be read: file[&quot;/off&quot;] is skipped, because its `when` is false">hint: give what reads it the same condition, or a value of its own: try(…, …)</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
    let root = sandbox.path("root").to_string_lossy().into_owned();
    let text = without_times(&sandbox.read("report.xml")).replace(&root, "ROOT");
    assert_eq!(text, expected, "\n{text}");
}

/// The example of the documentation is the real output on the machine itself, except for times and the host.
#[test]
fn the_documented_example_is_real() {
    let page = include_str!("../../../../docs/reports.md");
    let block = |language: &str| {
        let start = page.find(&format!("```{language}\n")).expect("the page has such a block");
        let text = &page[start + language.len() + 4..];
        text[..text.find("```").expect("it is closed")].to_owned()
    };
    let sandbox = Sandbox::with(block("hcl"));
    let steady = |text: &str| -> Value {
        let mut report: Value = serde_json::from_str(text).expect("a report is JSON");
        for field in ["host", "started_at", "duration_ms", "message"] {
            report["run"][field] = Value::Null;
        }
        for record in report["records"].as_array_mut().expect("records") {
            record["duration_ms"] = Value::Null;
            record["started_after_ms"] = json!(record["started_after_ms"].is_null());
        }
        report
    };
    assert_eq!(sandbox.rooted(&["apply", "site.hcl", "--report", "report.json"]).code, Some(1));
    let written = sandbox.read("report.json").replace(&*sandbox.path("root").to_string_lossy(), "");
    assert_eq!(steady(&block("json")), steady(&written), "\n{written}");
}

#[test]
fn a_refused_run_has_a_report_too() {
    let sandbox = Sandbox::with("fiel \"/a\" {}\n");
    let report = report_of_refusal(&sandbox, &["site.hcl"]);
    assert_eq!(report["diagnostics"][0]["summary"], "unknown kind");
    assert_eq!((&report["run"]["error"], &report["run"]["mode"]), (&json!(true), &json!("apply")));
    let report = report_of_refusal(&sandbox, &["none.hcl"]);
    assert_eq!(report["diagnostics"][0]["summary"], "cannot run");
}

fn report_of_refusal(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let ran = sandbox.rooted(&[&["apply", "--report", "report.json"], arguments].concat());
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""));
    serde_json::from_str(&sandbox.read("report.json")).expect("JSON")
}

#[test]
fn an_unwritable_report_is_an_error_before_the_run() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    std::os::unix::fs::symlink("elsewhere", sandbox.path("link.json")).expect("a link");
    let check = |path: &str, message: &str| {
        sandbox.rooted(&["apply", "--report", path]).check(1, "", message);
        assert!(sandbox.machine().is_empty());
    };
    check(
        "none/report.json",
        "error: cannot write the report none/report.json: its directory does not exist\n  hint: mkdir -p FOLDER/none\n",
    );
    check("root", "error: cannot write the report root: it is a directory\n  hint: name a regular file\n");
    check(
        "link.json",
        "error: cannot write the report link.json: it is a symbolic link\n  hint: name a regular file\n",
    );
    assert!(!sandbox.path("elsewhere").exists());
}

#[test]
fn a_report_that_is_lost_is_an_error() {
    let sandbox = Sandbox::with("task \"a\" {\n  check = \"test ! -e gone\"\n  apply = \"rm -r gone\"\n}\n");
    std::fs::create_dir(sandbox.path("gone")).expect("a folder");
    let ran = sandbox.run(&["apply", "--report", "gone/report.json"]);
    assert!(ran.stdout.contains("1 run; 0 ok, 0 failed"), "{}", ran.stdout);
    let message = "error: cannot write the report gone/report.json\n  \
                because: cannot reach FOLDER/gone/report.json: FOLDER/gone does not exist\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(1), message));
}

#[test]
fn a_report_is_private_and_replaces_the_previous_one() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    let mode =
        || std::fs::metadata(sandbox.path("report.json")).expect("it exists").permissions().mode() & 0o777;
    report(&sandbox, &["apply"]);
    assert_eq!(mode(), 0o600);
    std::fs::set_permissions(sandbox.path("report.json"), std::fs::Permissions::from_mode(0o644))
        .expect("a mode");
    assert_eq!(report(&sandbox, &["apply"])["records"][0]["verdict"], "unchanged");
    assert_eq!(mode(), 0o600, "nothing is taken from a file that was there");
}

#[test]
fn verbose_shows_reasons_and_durations() {
    let sandbox = Sandbox::with("file \"/a\" {\n  content = \"x\"\n}\nfile \"/b\" {}\n");
    sandbox.write("root/a", "y");
    let planned = sandbox.rooted(&["plan", "-v"]);
    assert!(
        planned.stdout.contains("(update, because content differs; ./site.hcl:1:1)"),
        "{}",
        planned.stdout
    );
    assert!(
        planned.stdout.contains("(create, because it does not exist; ./site.hcl:4:1)"),
        "{}",
        planned.stdout
    );
    let applied = sandbox.rooted(&["apply", "-v"]);
    assert!(applied.stdout.contains("(updated, because content differs; "), "{}", applied.stdout);
    assert!(!planned.stdout.contains("Slowest"));
}

#[test]
fn verbose_ends_with_the_slowest_resources() {
    let nap = |name: &str, span: &str| {
        format!(
            "task \"{name}\" {{\n  check = \"test -e {name}\"\n  apply = \"sleep {span}; touch {name}\"\n}}\n"
        )
    };
    let sandbox = Sandbox::with(format!("{}{}log \"fast\" {{}}\n", nap("short", "0.1"), nap("long", "0.3")));
    let ran = sandbox.run(&["apply", "-v", "--jobs", "1"]);
    assert!(ran.stdout.contains("(ran, because it was not done yet; took "), "{}", ran.stdout);
    let (_, slowest) = ran.stdout.split_once("\nSlowest:\n").expect("it lists the slowest resources");
    let names: Vec<&str> =
        slowest.lines().map_while(|line| line.rsplit_once("ms  ")).map(|(_, name)| name).collect();
    assert_eq!(names[..2], ["task.long", "task.short"], "{slowest}");
    std::fs::remove_file(sandbox.path("short")).expect("it exists");
    assert!(!sandbox.run(&["apply"]).stdout.contains("Slowest"));
}

/// Thousands of equal lines do not help a reader; the report has each of them.
#[test]
fn long_lists_of_skipped_resources_are_shortened() {
    let logs: String = (0..30).map(|n| format!("log \"l{n}\" {{}}\n")).collect();
    let sandbox = Sandbox::with(format!("file \"/none/x\" {{}}\n{logs}"));
    let arguments = ["apply", "--stop-after-failures", "1"];
    let ran = sandbox.rooted(&arguments);
    assert_eq!(ran.stderr.matches("skipped because of too many failures").count(), 20, "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("  . 10 more were skipped; -v and --report list them all\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("1 failed, 30 skipped"), "{}", ran.stdout);
    let verbose = sandbox.rooted(&[&arguments[..], &["-v"]].concat());
    assert_eq!(verbose.stderr.matches("skipped because of too many failures").count(), 30);
    assert_eq!(report(&sandbox, &arguments)["records"].as_array().map(Vec::len), Some(31));
}
