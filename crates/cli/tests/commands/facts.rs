//! Facts about Chef's reports and console output, by id: see `docs/facts-chef.md`.

use serde_json::{Value, json};

use super::sandbox::Sandbox;

/// The records of a run's report.
fn records(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let _ = sandbox.run(&[arguments, &["--report", "report.json"]].concat());
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).expect("JSON");
    report["records"].as_array().expect("records").clone()
}

fn field(records: &[Value], name: &str) -> Vec<Value> {
    records.iter().map(|record| record[name].clone()).collect()
}

/// One resource for each status. Guards run commands, so this uses the real machine, in a folder.
fn all() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = r#"
file "FOLDER/new" { content = "x" }
file "FOLDER/old" { content = "x" }
file "FOLDER/guarded" {
  content = "x"
  not_if  = "true"
}
file "FOLDER/none/failed" {}
log "unprocessed" { depends_on = [file["FOLDER/none/failed"]] }
"#;
    let folder = sandbox.path("").display().to_string();
    sandbox.write("site.hcl", text.replace("FOLDER", folder.trim_end_matches('/')));
    sandbox.write("old", "x");
    sandbox
}

#[test]
fn rep_01_each_record_has_its_status() {
    let records = records(&all(), &["apply", "--jobs", "1"]);
    assert_eq!(field(&records, "verdict"), ["changed", "unchanged", "skipped", "failed", "skipped"]);
}

#[test]
fn rep_03_a_skipped_record_has_its_guard_and_no_values() {
    let guarded = &records(&all(), &["apply", "--jobs", "1"])[2];
    assert_eq!(guarded["condition"], json!({ "reason": "not_if", "command": "true", "of_group": false }));
    assert!(guarded.get("change").is_none() && guarded.get("failure").is_none(), "{guarded}");
    let message = guarded["message"].as_str().expect("words");
    assert!(message.ends_with("guarded\"]: skipped: not_if \"true\" is true"), "{message}");
}

#[test]
fn rep_06_a_run_that_ends_early_lists_every_action_that_was_never_started() {
    let sandbox = Sandbox::with("file \"/none/x\" {}\nlog \"a\" {}\nlog \"b\" {}\nlog \"c\" {}\n");
    let records =
        records(&sandbox, &["apply", "--root", "root", "--jobs", "1", "--stop-after-failures", "1"]);
    let skipped: Vec<&Value> = records.iter().filter(|record| record["verdict"] == "skipped").collect();
    assert_eq!((records.len(), skipped.len()), (4, 3));
    for record in skipped {
        assert_eq!((&record["started_after_ms"], &record["attempts"]), (&Value::Null, &json!(0)), "{record}");
    }
}

#[test]
fn rep_07_members_of_a_module_are_records_of_their_own() {
    let sandbox = Sandbox::with("module \"m\" {\n  source = \"./m\"\n}\nlog \"outside\" {}\n");
    std::fs::create_dir(sandbox.path("m")).expect("a folder");
    sandbox.write("m/main.hcl", "log \"inside\" {}\n");
    let records = records(&sandbox, &["apply", "--root", "root", "--jobs", "1"]);
    let resources = field(&records, "resource");
    assert_eq!(field(&resources, "module"), [json!("module.m"), Value::Null]);
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).expect("JSON");
    assert_eq!((&report["run"]["actions"], &report["run"]["summary"]["ok"]), (&json!(2), &json!(2)));
}

#[test]
fn rep_10_names_are_always_text() {
    let sandbox = Sandbox::with(
        "log \"1\" {}\nlog \"n\" {\n  for_each = { \"2\" = 3 }\n  message = \"n is ${each.value}\"\n}\n",
    );
    let resources = field(&records(&sandbox, &["apply", "--root", "root", "--jobs", "1"]), "resource");
    assert_eq!(field(&resources, "name"), ["1", "n"]);
    assert_eq!(field(&resources, "key"), [Value::Null, json!("2")]);
}

#[test]
fn fmt_01_a_line_shows_the_resource_and_why_it_was_skipped() {
    let ran = all().run(&["plan", "-v"]);
    let line = "  . file[\"FOLDER/guarded\"]   (skipped: not_if \"true\" is true;";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert!(ran.stdout.contains("  = file[\"FOLDER/old\"]   (as declared;"), "{}", ran.stdout);
}

#[test]
fn fmt_02_a_plan_shows_the_same_changes_as_an_apply() {
    let sandbox = Sandbox::with("file \"/a\" {\n  content = \"x\"\n  mode    = \"0600\"\n}\n");
    let (planned, applied) = (sandbox.rooted(&["plan"]).stdout, sandbox.rooted(&["apply"]).stdout);
    let changes = |text: &str| {
        text.lines().filter(|line| line.starts_with("      ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(changes(&planned), changes(&applied));
    assert_eq!(changes(&planned).len(), 2, "each on a line of its own: {planned}");
    assert!(planned.contains("(create;") && applied.contains("(created;"));
}

#[test]
fn fmt_03_text_of_many_lines_is_shown_as_a_diff_below_its_name() {
    let old: String = (0..9).map(|n| format!("line {n} is long enough to be shown alone\n")).collect();
    let sandbox = Sandbox::with(format!(
        "file \"/a\" {{\n  content = <<-END\n{}END\n}}\n",
        old.replace("line 4", "LINE 4")
    ));
    sandbox.write("root/a", &old);
    let planned = sandbox.rooted(&["plan"]).stdout;
    let changed: Vec<&str> =
        planned.lines().map(str::trim_start).filter(|line| line.contains("4 is long")).collect();
    assert_eq!(changed.len(), 2, "{planned}");
    assert!(changed[0].starts_with('-') && changed[1].starts_with('+'), "{planned}");
}

#[test]
fn fmt_07_without_a_terminal_there_is_no_progress() {
    let sandbox =
        Sandbox::with("task \"a\" {\n  check = \"test -e done\"\n  apply = \"sleep 0.7; touch done\"\n}\n");
    let ran = sandbox.run(&["apply"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let empty = Sandbox::with("");
    let nothing = empty.rooted(&["plan"]);
    assert_eq!((nothing.code, &*nothing.stderr), (Some(0), ""));
}

#[test]
fn fmt_08_a_log_is_shown_as_unchanged_with_verbose() {
    let sandbox = Sandbox::with("log \"a\" {}\n");
    assert!(!sandbox.rooted(&["apply"]).stdout.contains("log.a   ("));
    assert!(sandbox.rooted(&["apply", "-v"]).stdout.contains("  = log.a   (as declared;"));
}

/// PAR-09: the output of a member is contiguous, directly before its result.
#[test]
fn par_09_output_is_never_interleaved() {
    let members: String =
        (0..40).map(|n| format!("log \"m{n}\" {{\n  message = \"one\\ntwo\\nthree of {n}\"\n}}\n")).collect();
    let sandbox = Sandbox::with(members);
    let ran = sandbox.run(&["apply", "--root", "root", "--jobs", "8", "--json"]);
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut messages = 0;
    for pair in lines.windows(2).filter(|pair| pair[0]["type"] == "message") {
        assert_eq!(pair[0]["resource"], pair[1]["resource"], "{} is followed by {}", pair[0], pair[1]);
        assert!(["message", "resource_finished"].contains(&pair[1]["type"].as_str().expect("a type")));
        messages += 1;
    }
    assert_eq!(messages, 40);
    let shown = sandbox.run(&["apply", "--root", "root", "--jobs", "8"]).stdout;
    for n in 0..40 {
        let block = format!("  log.m{n}: one\n    two\n    three of {n}\n");
        assert!(shown.contains(&block), "{block}{shown}");
    }
}
