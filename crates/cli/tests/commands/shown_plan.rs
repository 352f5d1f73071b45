//! `uphold show`: a saved plan for people, and for policy tools.

use serde_json::{Value, json};

use super::sandbox::Sandbox;
use super::saved_plan::plan;

const SITE: &str = r#"param "who" {}
param "token" {
  default   = "t"
  sensitive = true
}
directory "/srv" {}
file "/srv/new" {
  content = "for ${param.who}\n"
}
file "/old" {
  content = "a\nb\n"
  mode    = "0666"
}
file "/gone" {
  action = "remove"
}
file "/same" {
  mode = "0600"
}
file "/secret" {
  content = param.token
}
file "/unwanted" {
  only_if = file["/same"].mode == "0777"
}
log "hello" {}
output "who" {
  value = { name = param.who, token = param.token }
}
"#;

fn sandbox() -> Sandbox {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(SITE);
    for (name, content) in [("old", "a\nc\n"), ("gone", "x"), ("same", "")] {
        sandbox.write(&format!("root/{name}"), content);
    }
    let mode = std::fs::Permissions::from_mode(0o600);
    for name in ["old", "gone", "same"] {
        std::fs::set_permissions(sandbox.path(&format!("root/{name}")), mode.clone()).expect("ours");
    }
    sandbox
}

#[test]
fn a_plan_is_shown_as_it_was() {
    let sandbox = sandbox();
    for flags in [&[][..], &["-v"]] {
        let arguments = [&["plan", "site.hcl", "--out", "plan", "-p", "who=ann"], flags].concat();
        let planned = sandbox.rooted(&arguments);
        let shown = sandbox.run(&[&["show", "plan"], flags].concat());
        assert_eq!(without_spans(&shown.stdout), without_spans(&planned.stdout));
        let heading = "Plan of site.hcl for FOLDER/root, made just now by Uphold ";
        assert!(shown.stderr.starts_with(heading), "{}", shown.stderr);
        assert_eq!(shown.code, Some(0));
    }
    let quiet = sandbox.run(&["show", "plan", "-q"]);
    assert_eq!((&*quiet.stderr, quiet.code), ("", Some(0)));
    // This needs neither the machine nor the configuration.
    std::fs::remove_file(sandbox.path("site.hcl")).expect("ours");
    std::fs::remove_dir_all(sandbox.path("root")).expect("ours");
    assert!(sandbox.run(&["show", "plan"]).stdout.contains("file[\"/srv/new\"]   (create; site.hcl:7:1)"));
}

/// Removes the durations of visits, which -v shows and a plan does not contain.
fn without_spans(text: &str) -> String {
    let line = |line: &str| match line.split_once("; took ") {
        Some((before, after)) => format!("{before}{}", after.split_once("ms").map_or("", |(_, rest)| rest)),
        None => line.to_owned(),
    };
    let is_slow = |line: &&str| {
        !line.contains("Slowest") && !line.trim_start().starts_with(|c: char| c.is_ascii_digit())
    };
    text.lines().filter(is_slow).map(line).collect::<Vec<_>>().join("\n").replace("\n\n\n", "\n\n")
}

fn document(sandbox: &Sandbox) -> Value {
    plan(sandbox, &["-p", "who=ann"]);
    let shown = sandbox.run(&["show", "plan", "--json"]);
    assert_eq!((shown.code, &*shown.stderr), (Some(0), ""));
    serde_json::from_str(&shown.stdout).expect("JSON")
}

/// The change of one resource.
fn change<'d>(document: &'d Value, address: &str) -> &'d Value {
    let changes = document["resource_changes"].as_array().expect("a list");
    changes.iter().find(|change| change["address"] == address).expect("it is planned")
}

#[test]
fn the_document_has_the_shape_of_opentofu() {
    let document = document(&sandbox());
    assert_eq!(document["format_version"], "1.2");
    assert_eq!(document["variables"], json!({ "who": { "value": "ann" } }));
    let check = |address: &str, actions: Value, before: Value, after: Value| {
        let change = &change(&document, address)["change"];
        assert_eq!(change["actions"], actions, "{address}");
        assert_eq!((&change["before"], &change["after"]), (&before, &after), "{address}");
    };
    let new = json!({ "content": "for ann\n", "mode": "0644" });
    check("file[\"/srv/new\"]", json!(["create"]), Value::Null, new);
    let (old, other) =
        (json!({ "content": "a\nc\n", "mode": "0600" }), json!({ "content": "a\nb\n", "mode": "0666" }));
    check("file[\"/old\"]", json!(["update"]), old, other);
    let same = json!({ "mode": "0600" });
    check("file[\"/same\"]", json!(["no-op"]), same.clone(), same);
    let gone = &change(&document, "file[\"/gone\"]")["change"];
    assert_eq!((&gone["actions"], &gone["after"]), (&json!(["delete"]), &Value::Null));
    let secret = &change(&document, "file[\"/secret\"]")["change"];
    assert_eq!(
        (&secret["after"]["content"], &secret["after_sensitive"]),
        (&Value::Null, &json!({ "content": true }))
    );
    let unwanted = change(&document, "file[\"/unwanted\"]");
    assert_eq!(unwanted["action_reason"], "skip_because_of_guard");
    let words = (&unwanted["uphold"]["verdict"], &unwanted["uphold"]["skip_reason"]);
    assert_eq!(words, (&json!("skipped"), &json!("condition")), "the words of the JSON stream");
    let who = &document["output_changes"]["who"];
    assert_eq!(who["after"], json!({ "name": "ann", "token": null }));
    assert_eq!(who["after_sensitive"], json!({ "token": true }));
    let planned = &document["planned_values"]["root_module"]["resources"];
    let addresses: Vec<&str> =
        planned.as_array().expect("a list").iter().filter_map(|one| one["address"].as_str()).collect();
    assert!(
        !addresses.contains(&"file[\"/gone\"]") && addresses.contains(&"file[\"/srv/new\"]"),
        "{addresses:?}"
    );
}

#[test]
fn modules_and_keys_have_their_fields() {
    let sandbox = Sandbox::with(
        "module \"web\" {\n  source = \"./web\"\n}\nfile \"f\" {\n  for_each = [\"/x\"]\n  path = each.key\n}\n",
    );
    std::fs::create_dir(sandbox.path("web")).expect("a folder");
    sandbox.write("web/main.hcl", "file \"/w\" {}\n");
    plan(&sandbox, &[]);
    let document: Value =
        serde_json::from_str(&sandbox.run(&["show", "plan", "--json"]).stdout).expect("JSON");
    let inner = change(&document, "module.web.file[\"/w\"]");
    assert_eq!(
        (&inner["module_address"], &inner["type"], &inner["name"]),
        (&json!("module.web"), &json!("file"), &json!("/w"))
    );
    assert_eq!(change(&document, "file.f[\"/x\"]")["index"], "/x");
    assert_eq!(document["planned_values"]["root_module"]["child_modules"][0]["address"], "module.web");
}

/// Violations of a policy, computed from `resource_changes` only, as conftest does.
fn denied(document: &Value) -> Vec<String> {
    let mut denied = Vec::new();
    for resource in document["resource_changes"].as_array().expect("a list") {
        let (address, change) = (resource["address"].as_str().expect("text"), &resource["change"]);
        let actions = change["actions"].as_array().expect("a list");
        if actions.contains(&json!("delete")) {
            denied.push(format!("{address}: nothing may be removed"));
        }
        let changes = actions.iter().any(|action| action == "create" || action == "update");
        let mode = change["after"]["mode"].as_str().unwrap_or_default();
        if resource["type"] == "file" && changes && mode.ends_with(['2', '3', '6', '7']) {
            denied.push(format!("{address}: everybody could write it"));
        }
        if change["after"]["apply"].as_str().is_some_and(|script| script.contains("| sh")) {
            denied.push(format!("{address}: nothing is fetched and run"));
        }
    }
    denied
}

#[test]
fn a_policy_can_evaluate_the_document() {
    let found = denied(&document(&sandbox()));
    assert_eq!(
        found,
        ["file[\"/old\"]: everybody could write it", "file[\"/gone\"]: nothing may be removed"]
    );
    // The script of a task is a setting, which the human-readable plan does not show.
    let sandbox = Sandbox::with("task \"get\" {\n  check = \"false\"\n  apply = \"curl x | sh\"\n}\n");
    let planned = sandbox.run(&["plan", "--out", "plan"]);
    assert_eq!(planned.code, Some(2), "{}", planned.stderr);
    let shown = sandbox.run(&["show", "plan", "--json"]);
    let document: Value = serde_json::from_str(&shown.stdout).expect("JSON");
    assert_eq!(denied(&document), ["task.get: nothing is fetched and run"]);
    assert_eq!(change(&document, "task.get")["action_reason"], "run_because_not_done");
}

/// The example of the documentation is the real output, except for times and versions.
#[test]
fn the_documented_example_is_real() {
    let page = include_str!("../../../../docs/plans.md");
    let block = |language: &str| {
        let start = page.find(&format!("```{language}\n")).expect("the page has such a block");
        let text = &page[start + language.len() + 4..];
        text[..text.find("```").expect("it is closed")].to_owned()
    };
    let sandbox = Sandbox::with(block("hcl"));
    sandbox.write("root/motd", "Goodbye.\n");
    plan(&sandbox, &["-p", "token=x"]);
    let steady = |text: &str| -> Value {
        let mut document: Value = serde_json::from_str(text).expect("JSON");
        document["timestamp"] = Value::Null;
        document["uphold_version"] = Value::Null;
        document
    };
    let shown = steady(&sandbox.run(&["show", "plan", "--json"]).stdout);
    assert_eq!(steady(&block("json")), shown, "\n{shown:#}");
}
