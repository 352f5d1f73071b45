//! Files that are no valid plan.

use serde_json::{Value, json};

use super::sandbox::Sandbox;
use super::saved_plan::plan;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("file \"/a\" { content = \"x\" }\n");
    plan(&sandbox, &[]);
    sandbox
}

/// Checks that both commands refuse a file with this message and hint.
#[track_caller]
fn check(content: &[u8], expected: &str, hint: &str) {
    let sandbox = sandbox();
    sandbox.write("plan", content);
    for command in ["apply", "show"] {
        sandbox.run(&[command, "plan"]).check(
            1,
            "",
            &format!("error: cannot use the plan FOLDER/plan: {expected}\n  hint: {hint}\n"),
        );
    }
    assert_eq!(sandbox.machine().len(), 0);
}

#[test]
fn a_plan_that_is_cut_off_is_refused() {
    let whole = sandbox().read("plan");
    for part in [whole.len() - 3, whole.len() / 2, 17, 2, 1] {
        check(&whole.as_bytes()[..part], "it is truncated", "make a new plan");
    }
}

#[test]
fn other_files_are_refused_as_plans() {
    check(b"{}", "it is no saved plan", "name a file that `uphold plan --out` wrote");
    let policies = sandbox().run(&["show", "plan", "--json"]).stdout;
    check(
        policies.as_bytes(),
        "it is the output of `uphold show --json`",
        "name the file that `uphold plan --out` wrote",
    );
    check(b"{ \"uphold_plan\": x", "it is damaged: line 1, column 18", "make a new plan");
    check(b"{ \"uphold_plan\": \"one\" }", "it is damaged: invalid format version `one`", "make a new plan");
    check(b"{ \"uphold_plan\": \"3.0\" }", "it is damaged: `salt` is missing", "make a new plan");
    let sandbox = sandbox();
    sandbox.write("plan", "file \"/b\" {}\n");
    sandbox.run(&["show", "plan"]).check(
        1,
        "",
        "error: cannot use the plan FOLDER/plan: it is no saved plan\n  \
         hint: name a file that `uphold plan --out` wrote\n",
    );
    let missing = sandbox.run(&["show", "none"]);
    assert!(missing.stderr.starts_with("error: cannot read the plan FOLDER/none\n"), "{}", missing.stderr);
}

#[test]
fn another_format_is_refused_by_its_name() {
    let mut json: Value = serde_json::from_str(&sandbox().read("plan")).expect("JSON");
    for version in ["2.0", "4.3"] {
        json["uphold_plan"] = json!(version);
        check(
            json.to_string().as_bytes(),
            &format!("it has the format {version}, and this Uphold reads 3.x"),
            "apply it with the Uphold that made it, or make a new plan",
        );
    }
}

#[test]
fn an_edited_plan_is_refused() {
    let whole: Value = serde_json::from_str(&sandbox().read("plan")).expect("JSON");
    let changed = "it was modified after it was written";
    for (pointer, value) in [
        ("/records/0/change/differences/0/to/value", json!("y")),
        ("/records/0/verdict", json!("may_change")),
        ("/root", json!(null)),
        ("/machine/hostname", json!("other")),
        ("/configuration/inputs/0/digest", json!("00")),
        ("/checksum", json!("00")),
    ] {
        let mut json = whole.clone();
        *json.pointer_mut(pointer).expect("it exists") = value;
        check(json.to_string().as_bytes(), changed, "make a new plan");
    }
    let mut without = whole.clone();
    without.as_object_mut().expect("an object").remove("checksum");
    check(without.to_string().as_bytes(), changed, "make a new plan");
}

/// White space and the order of members do not matter in a plan.
#[test]
fn a_reformatted_plan_is_accepted() {
    let sandbox = sandbox();
    let json: Value = serde_json::from_str(&sandbox.read("plan")).expect("JSON");
    sandbox.write("plan", format!("\n{json:#}\n"));
    assert_eq!(sandbox.run(&["apply", "plan"]).code, Some(0));
    assert_eq!(sandbox.read("root/a"), "x");
}

#[test]
fn a_huge_file_is_not_read() {
    let sandbox = sandbox();
    let file = std::fs::File::create(sandbox.path("plan")).expect("ours");
    file.set_len(1 << 40).expect("a file with a hole");
    let ran = sandbox.run(&["show", "plan"]);
    ran.check(
        1,
        "",
        "error: cannot read the plan FOLDER/plan: it is larger than 256 MiB\n  \
         hint: name a file that `uphold plan --out` wrote\n",
    );
    let applied = sandbox.run(&["apply", "plan"]);
    assert!(applied.stderr.contains("because: it is larger than 64 MiB"), "{}", applied.stderr);
}

#[test]
fn with_json_the_refusal_is_in_the_stream() {
    let sandbox = sandbox();
    sandbox.write("plan", "{");
    let ran = sandbox.run(&["apply", "plan", "--json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[1]["diagnostic"]["fix"], "make a new plan");
    assert_eq!(
        (lines.len(), &lines[2]["type"], &lines[2]["error"]),
        (3, &json!("run_finished"), &json!(true))
    );
}
