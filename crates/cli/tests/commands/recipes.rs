//! Recipes: scripts instead of configuration.

use std::fs;

use super::kind_files::NOTE;
use super::sandbox::Sandbox;

const RECIPE: &str = "file(\"/a\", { content = `{param.who} {param.port + 1}\\n` })\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("site.luau", RECIPE);
    sandbox
}

#[test]
fn a_recipe_runs_alone_with_its_params() {
    let sandbox = sandbox();
    let params = ["-p", "who=ann", "-p", "port=80"];
    let with = |command: &[&str]| sandbox.rooted(&[command, &params].concat());
    with(&["plan", "site.luau"]).check(
        2,
        "  ~ recipe[\"site.luau\"]   (update; site.luau:1:1)\n      + file[\"/a\"]\n          content:\n            \
         + ann 81\n          mode:    \"0644\" (default)\n\n\
         Plan: 0 to add, 1 to change, 0 to remove, 0 to run.\n",
        "",
    );
    assert_eq!(sandbox.machine(), Vec::<String>::new());
    assert_eq!(with(&["validate", "site.luau"]).code, Some(0));
    assert_eq!(with(&["apply", "site.luau"]).code, Some(0));
    assert_eq!(sandbox.read("root/a"), "ann 81\n");
    with(&["apply", "site.luau"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

#[test]
fn a_recipe_gets_declared_and_undeclared_params() {
    let sandbox = sandbox();
    sandbox.write("params.hcl", "param \"port\" {\n  type    = number\n  default = 80\n}\n");
    sandbox.write("given.json", "{ \"who\": \"bob\" }\n");
    let ran = sandbox.rooted(&["apply", "params.hcl", "site.luau", "--params", "given.json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
    assert_eq!(sandbox.read("root/a"), "bob 81\n");
    let mut command = sandbox.command(&["apply", "site.luau", "-p", "port=7", "--root", "root"]);
    let output = command.env("UPHOLD_PARAM_WHO", "eve").output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(sandbox.read("root/a"), "eve 8\n");
    // Without a recipe, an undeclared param is still an error.
    let ran = sandbox.rooted(&["plan", "params.hcl", "-p", "who=ann"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("unknown param"), "{}", ran.stderr);
}

#[test]
fn kinds_beside_a_recipe_and_configuration_go_together() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    sandbox.write("kinds/note.luau", NOTE);
    sandbox.write("site.luau", "note(\"/n\", { text = \"from a recipe\" })\n");
    sandbox.write("site.hcl", "note \"/h\" {\n  text = \"from HCL\"\n}\n");
    assert_eq!(sandbox.rooted(&["apply", "site.hcl", "site.luau"]).code, Some(0));
    assert_eq!((sandbox.read("root/n"), sandbox.read("root/h")), ("from a recipe".into(), "from HCL".into()));
    // A directory means its configuration only; recipes must be named.
    sandbox.write("other.luau", "error(\"it was run\")\n");
    sandbox.rooted(&["apply"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

#[test]
fn errors_in_recipes_are_reported_with_their_line() {
    let sandbox = sandbox();
    sandbox.write("site.luau", "file(\"/a\", {})\nlocal x = = 1\n");
    let ran = sandbox.rooted(&["plan", "site.luau"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("site.luau:2:"), "{}", ran.stderr);
    sandbox.write("site.luau", "file(\"/a\", { contents = \"x\" })\n");
    let ran = sandbox.rooted(&["plan", "site.luau"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("site.luau:1"), "{}", ran.stderr);
    assert_eq!(sandbox.machine(), Vec::<String>::new());
}

#[test]
fn a_plan_of_a_recipe_can_be_saved() {
    let sandbox = sandbox();
    let params = ["-p", "who=ann", "-p", "port=80", "--out", "plan"];
    assert_eq!(sandbox.rooted(&[&["plan", "site.luau"][..], &params].concat()).code, Some(2));
    sandbox.write("site.luau", format!("{RECIPE}-- changed\n"));
    let refused = sandbox.run(&["apply", "plan"]);
    assert!(refused.stderr.contains("site.luau has changed"), "{}", refused.stderr);
    sandbox.write("site.luau", RECIPE);
    let ran = sandbox.run(&["apply", "plan"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("root/a"), "ann 81\n");
}

#[test]
fn work_without_a_state_runs_each_time() {
    let sandbox = sandbox();
    sandbox.write("site.luau", "inline(\"touch it\", function() fs.write(\"/x\", \"x\") end)\n");
    let listed = "site.luau:1:1)\n      ! inline[\"touch it\"]\n";
    let plan = sandbox.rooted(&["plan", "site.luau"]);
    assert!(
        plan.stdout.contains(&format!("! recipe[\"site.luau\"]   (will run; {listed}")),
        "{}",
        plan.stdout
    );
    for _ in 0..2 {
        let ran = sandbox.rooted(&["apply", "site.luau"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
        assert!(ran.stdout.contains(&format!("! recipe[\"site.luau\"]   (ran; {listed}")), "{}", ran.stdout);
    }
}

#[test]
fn an_ignored_failure_in_a_recipe_is_a_warning() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    sandbox.write("kinds/bad.luau", "function actions.create() error(\"broken\") end\n");
    sandbox.write("site.luau", "bad(\"y\", { ignore_failure = true })\n");
    for command in ["plan", "apply"] {
        let ran = sandbox.rooted(&[command, "site.luau"]);
        let warning = "bad.y failed, which is ignored: kinds/bad.luau:1: broken";
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!((ran.code, printed.matches(warning).count()), (Some(0), 1), "{printed}");
    }
}

#[test]
fn values_of_applied_resources_are_known() {
    let sandbox = sandbox();
    sandbox.write("site.hcl", "file \"/a\" {\n  content = \"x\"\n}\n");
    let ran = sandbox.rooted(&["apply", "-v", "site.hcl"]);
    assert!(ran.code == Some(0) && !ran.stdout.contains("known after apply"), "{}", ran.stdout);
}
