//! Deferred and unknown values: validations, fallbacks, outputs, subscriptions.

use std::fs;

use super::sandbox::Sandbox;

const PORT: &str = r#"
param "port" {
  type = number
  validation {
    condition = local.port > 1023
    message   = "the port must be above 1023"
  }
}
locals { port = param.port }
file "port" {
  path    = "${path.cwd}/port"
  content = "${try(local.port, 0)}\n"
}
"#;

fn with_module(port: &str) -> Sandbox {
    let sandbox = Sandbox::with(format!(
        "query \"q\" {{ query = \"echo {port}\" }}\n\
         module \"m\" {{\n  source = \"./inner\"\n  port   = tonumber(query.q.value)\n}}\n"
    ));
    fs::create_dir(sandbox.path("inner")).expect("a folder");
    sandbox.write("inner/main.hcl", PORT);
    sandbox
}

#[test]
fn a_deferred_param_is_validated_before_use() {
    let sandbox = with_module("80");
    for command in ["plan", "apply"] {
        let ran = sandbox.run(&[command, "site.hcl"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("`port`: the port must be above 1023"), "{}", ran.stderr);
        assert!(!sandbox.path("port").exists());
    }
    let sandbox = with_module("8080");
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).code, Some(0));
    assert_eq!(sandbox.read("port"), "8080\n");
}

fn with_task(handling: &str) -> Sandbox {
    Sandbox::with(format!(
        "task \"bad\" {{\n  creates = \"${{path.cwd}}/no\"\n  apply = \"exit 3\"\n  {handling}\n}}\n\
         file \"told\" {{\n  path = \"${{path.cwd}}/told\"\n  content = \"got ${{try(task.bad.status.exitstatus, -1)}}\"\n}}\n\
         output \"status\" {{ value = task.bad.status.exitstatus }}\n"
    ))
}

#[test]
fn a_value_that_stays_unknown_has_its_fallback_and_its_reason() {
    let check = |handling: &str, code: i32, reason: &str| {
        let sandbox = with_task(handling);
        let ran = sandbox.run(&["apply", "site.hcl"]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(sandbox.read("told"), "got -1");
        let expected = format!(
            "status = (unknown: task.bad.status.exitstatus is not known, because task.bad {reason})\n"
        );
        assert!(ran.stdout.contains(&expected), "{}", ran.stdout);
    };
    check("ignore_failure = true", 0, "failed");
    check("audit = true", 0, "is only audited");
}

#[test]
fn an_output_of_an_unselected_resource_is_left_out() {
    let sandbox = Sandbox::with(
        "file \"a\" { path = \"${path.cwd}/a\" }\nquery \"q\" { query = \"echo 80\" }\n\
         output \"q\" { value = query.q.value }\noutput \"one\" { value = 1 }\n",
    );
    for choice in [["--target", "file.a"], ["--exclude", "query.q"]] {
        let ran = sandbox.run(&["apply", "--verbose", choice[0], choice[1], "site.hcl"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("one = 1") && !ran.stdout.contains("q = "), "{}", ran.stdout);
        assert!(ran.stderr.contains("note: output q is not shown"), "{}", ran.stderr);
    }
}

#[test]
fn a_group_without_any_subscription_is_skipped() {
    let ways =
        ["for_each = []\n  path = \"/x/${each.key}\"", "when = 1 == 2\n  path = \"/x/v\"", "path = \"/v\""];
    for (way, skipped) in ways.into_iter().zip([true, true, false]) {
        let sandbox = Sandbox::with(format!(
            "file \"version\" {{\n  {way}\n}}\n\
             sequence \"upgrade\" {{\n  subscribes = [file.version]\n  file \"danger\" {{ path = \"/danger\" }}\n}}\n"
        ));
        let ran = sandbox.rooted(&["apply"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(sandbox.path("root/danger").exists(), !skipped, "{way}");
    }
}

#[test]
fn a_plan_shows_an_unknown_property_once() {
    let sandbox = Sandbox::with(
        "task \"t\" {\n  creates = \"${path.cwd}/no\"\n  apply = \"true\"\n}\n\
         file \"n\" {\n  path = \"${path.cwd}/n\"\n  mode = optional(task.t.status.stdout)\n}\n",
    );
    let ran = sandbox.run(&["plan", "site.hcl"]);
    assert!(ran.stdout.contains("mode: (known after apply: task.t.status.stdout)"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("mode:").count(), 1, "{}", ran.stdout);
}

#[test]
fn a_whole_number_is_written_without_a_fraction() {
    let sandbox = Sandbox::with(
        "locals { all = [0.5 * 4, 1.5e3, 2.5] }\n\
         file \"/n\" {\n  content = join(\" \", [\"${local.all[0]}\", jsonencode(local.all), yamlencode(local.all), \
         templatestring(\"{{ all }}\", { all = local.all })])\n}\n",
    );
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert_eq!(sandbox.read("root/n"), "2 [2,1500,2.5] - 2\n- 1500\n- 2.5\n [2, 1500, 2.5]");
}

#[test]
fn graph_and_fmt_print_json() {
    let sandbox = Sandbox::with("file \"/a\" {\ncontent = \"x\"\n}\n");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&sandbox.run(arguments).stdout).expect("JSON")
    };
    let node = serde_json::json!({ "resource": "file[\"/a\"]", "kind": "file", "action": "converge" });
    assert_eq!(json(&["graph", "--json", "site.hcl"])["nodes"][0], node);
    let changed = serde_json::json!({ "changed": ["site.hcl"], "format_version": "1.0", "written": false });
    assert_eq!(json(&["fmt", "--json", "--check", "site.hcl"]), changed);
    assert_eq!(sandbox.run(&["fmt", "--json", "--diff", "site.hcl"]).code, Some(1));
}
