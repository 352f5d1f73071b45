//! Results of a run besides changes: outputs and skipped resources.

use serde_json::{Value, json};

use super::sandbox::Sandbox;

const SITE: &str = r#"
file "/a" { content = "12345" }

file "/b" {
  content = "b"
  when    = file["/a"].size == 4
}

output "size" { value = file["/a"].size }
output "both" { value = [1, file["/a"].size] }
output "token" {
  value     = "hunter2"
  sensitive = true
}
"#;

#[test]
fn outputs_are_printed_before_the_last_line() {
    let sandbox = Sandbox::with(SITE);
    let planned = "  + file[\"/a\"]   (create; ./site.hcl:2:1)
      content: \"12345\"
      mode:    \"0644\" (default)

Outputs:
  size = 5
  both = [1, 5]
  token = (sensitive value)

Plan: 1 to add, 0 to change, 0 to remove, 0 to run, 1 skipped by a condition (-v shows it).
";
    sandbox.rooted(&["plan"]).check(2, planned, "");
    let applied = "  + file[\"/a\"]   (created; ./site.hcl:2:1)
      content: \"12345\"
      mode:    \"0644\" (default)

Outputs:
  size = 5
  both = [1, 5]
  token = (sensitive value)

Applied: 1 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 1 skipped by a condition (-v shows it) in TIME
";
    sandbox.rooted(&["apply"]).check(0, applied, "");
}

#[test]
fn skipped_resources_are_shown_with_verbose() {
    let sandbox = Sandbox::with(SITE);
    sandbox.rooted(&["apply", "--quiet"]).check(0, "", "");
    let message = "  = file[\"/a\"]   (as declared; ./site.hcl:2:1)
  . file[\"/b\"]   (skipped: `when` is false; ./site.hcl:4:1)

Outputs:
  size = 5
  both = [1, 5]
  token = (sensitive value)

No changes. 1 resource is as declared, 1 skipped by a condition.
";
    sandbox.rooted(&["plan", "--verbose"]).check(0, message, "");
}

#[test]
fn json_has_outputs_and_skipped_resources() {
    let sandbox = Sandbox::with(SITE);
    let lines = |arguments: &[&str], kind: &str, fields: &[&str]| -> Vec<Value> {
        let ran = sandbox.rooted(arguments);
        assert!(!ran.stdout.contains("hunter2"), "{}", ran.stdout);
        let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let picked = |line: Value| fields.iter().map(|field| line[field].clone()).collect();
        lines.filter(|line| line["type"] == kind).map(picked).collect()
    };
    let fields = ["name", "value", "sensitive", "unknown", "waits_for"];
    let expected = [
        json!(["size", 5, false, false, null]),
        json!(["both", [1, 5], false, false, null]),
        json!(["token", null, true, false, null]),
    ];
    assert_eq!(lines(&["plan", "--json"], "output", &fields), expected);
    assert_eq!(
        lines(&["apply", "--json"], "resource_finished", &["verdict"]),
        [json!(["changed"]), json!(["skipped"])]
    );
    assert_eq!(lines(&["apply", "--json"], "output", &fields), expected);
}

/// The output of a command is unknown before it runs.
#[test]
fn an_output_may_be_known_after_apply() {
    let sandbox = Sandbox::with(
        "task \"t\" {\n  check = \"test -e done\"\n  apply = \"touch done\"\n}\n\
         output \"o\" {\n  value = [1, task.t.status.stdout]\n}\n",
    );
    let planned = sandbox.run(&["plan"]);
    let message = "  o = [1, (known after apply)] (depends on task.t.status.stdout)\n";
    assert!(planned.stdout.contains(message), "{}", planned.stdout);
    let json = sandbox.run(&["plan", "--json"]);
    let output = json.stdout.lines().find(|line| line.contains("\"type\":\"output\"")).expect("an output");
    let output: Value = serde_json::from_str(output).expect("JSON");
    assert_eq!(
        (&output["value"], &output["unknown"], &output["waits_for"]),
        (&json!([1, null]), &json!(true), &json!("task.t.status.stdout"))
    );
}

#[test]
fn an_output_without_a_value_is_a_failure() {
    let sandbox = Sandbox::with(format!("{SITE}\noutput \"b\" {{ value = file[\"/b\"].size }}\n"));
    let ran = sandbox.rooted(&["apply", "--quiet"]);
    let message = "error: output b: file[\"/b\"].size cannot be read: file[\"/b\"] is skipped, because its `when` is false   (./site.hcl:16:22)
  hint: give what reads it the same condition, or a value of its own: try(…, …)
";
    ran.check(1, "", message);
}

/// Checks the printed outputs of a run that changes nothing.
#[track_caller]
fn check_outputs(sandbox: &Sandbox, verb: &str, expected: &[&str]) {
    let ran = sandbox.rooted(&[verb]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let message: Vec<&str> = ran.stdout.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(message, expected, "{}", ran.stdout);
}

#[test]
fn a_failure_from_a_secret_is_hidden() {
    let sandbox = Sandbox::with(
        r#"
param "s" {
  default   = "hunter2"
  sensitive = true
}
output "can" { value = can(regex("^h", param.s)) }
output "try" { value = try({ hunter3 = "eq" }[param.s], "ne") }
output "plain" { value = try({}.a, can("x")) }
"#,
    );
    check_outputs(&sandbox, "plan", &["can = (sensitive value)", "try = (sensitive value)", "plain = true"]);
}

#[test]
fn a_removed_resource_exports_only_its_name() {
    let text = r#"
file "/gone" { action = remove }
output "name" { value = file["/gone"].path }
output "size" { value = try(file["/gone"].size, "none") }
"#;
    for verb in ["plan", "apply"] {
        check_outputs(&Sandbox::with(text), verb, &["name = \"/gone\"", "size = \"none\""]);
    }
}

#[test]
fn a_skipped_module_prints_no_outputs() {
    let sandbox = Sandbox::with(
        r#"
file "/a" { content = "12345" }
module "m" {
  source = "./m"
  when   = file["/a"].size == 4
}
module "empty" { source = "./m" }
log "after" { depends_on = [module.empty] }
output "v" { value = try(module.m.v, "off") }
"#,
    );
    std::fs::create_dir(sandbox.path("m")).expect("a folder for the module");
    sandbox.write("m/main.hcl", "output \"v\" {\n  value = 1\n}\n");
    let planned = sandbox.rooted(&["plan"]);
    assert!(planned.stdout.contains("v = \"off\""), "{}", planned.stdout);
    assert_eq!(sandbox.rooted(&["apply", "--quiet"]).code, Some(0));
    check_outputs(&sandbox, "apply", &["log.after: after", "v = \"off\""]);
}

#[test]
fn a_loop_over_a_loop_depends_on_all_of_it() {
    let text = r#"
file "last" {
  for_each   = ["/c/x", "/c/y"]
  depends_on = [directory.first]
}
directory "first" { for_each = ["/c", "/d"] }
"#;
    let sandbox = Sandbox::with(text);
    let graph = sandbox.run(&["graph", "--format", "dot"]);
    let edges = graph.stdout.matches(" -> ").count();
    assert_eq!((graph.code, edges), (Some(0), 4), "{}{}", graph.stdout, graph.stderr);
}

#[test]
fn a_purge_leaves_the_file_of_a_line_alone() {
    let text = r#"
directory "/p" { purge = true }
line "l" {
  file   = "/p/list"
  line   = "x"
  create = true
}
"#;
    let sandbox = Sandbox::with(text);
    assert_eq!(sandbox.rooted(&["apply", "--quiet"]).code, Some(0));
    sandbox.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
}

#[test]
fn a_module_cannot_take_the_name_of_a_kind() {
    let sandbox = Sandbox::with("kind \"log\" {\n  source = \"./m\"\n}\n");
    std::fs::create_dir(sandbox.path("m")).expect("a folder for the module");
    sandbox.write("m/main.hcl", "output \"v\" {\n  value = 1\n}\n");
    let ran = sandbox.run(&["validate"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("reserved name") && ran.stderr.contains("`log` is a reserved name"),
        "{}",
        ran.stderr
    );
}
