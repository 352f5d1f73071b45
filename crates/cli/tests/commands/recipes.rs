//! Recipes: scripts instead of configuration.

use std::fs;

use crate::ground::Ground;
use crate::kind_files::NOTE;

const RECIPE: &str = "file(\"/a\", { content = `{param.who} {param.port + 1}\\n` })\n";

fn ground() -> Ground {
    let ground = Ground::new();
    ground.write("site.luau", RECIPE);
    ground
}

#[test]
fn a_recipe_runs_alone_with_its_params() {
    let ground = ground();
    let params = ["-p", "who=ann", "-p", "port=80"];
    let with = |command: &[&str]| ground.rooted(&[command, &params].concat());
    with(&["plan", "site.luau"]).check(
        2,
        "  ~ recipe[\"site.luau\"]   (update; site.luau:1:1)\n      + file[\"/a\"]\n          content:\n            \
         + ann 81\n          mode:    \"0644\" (default)\n\n\
         Plan: 0 to add, 1 to change, 0 to remove, 0 to run.\n",
        "",
    );
    assert_eq!(ground.machine(), Vec::<String>::new());
    assert_eq!(with(&["validate", "site.luau"]).code, Some(0));
    assert_eq!(with(&["apply", "site.luau"]).code, Some(0));
    assert_eq!(ground.read("root/a"), "ann 81\n");
    with(&["apply", "site.luau"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

#[test]
fn a_recipe_gets_declared_and_undeclared_params() {
    let ground = ground();
    ground.write("params.hcl", "param \"port\" {\n  type    = number\n  default = 80\n}\n");
    ground.write("given.json", "{ \"who\": \"bob\" }\n");
    let ran = ground.rooted(&["apply", "params.hcl", "site.luau", "--params", "given.json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
    assert_eq!(ground.read("root/a"), "bob 81\n");
    let mut command = ground.command(&["apply", "site.luau", "-p", "port=7", "--root", "root"]);
    let output = command.env("UPHOLD_PARAM_WHO", "eve").output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(ground.read("root/a"), "eve 8\n");
    // Without a recipe, an undeclared param is still an error.
    let ran = ground.rooted(&["plan", "params.hcl", "-p", "who=ann"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("unknown param"), "{}", ran.stderr);
}

#[test]
fn kinds_beside_a_recipe_and_configuration_go_together() {
    let ground = ground();
    fs::create_dir(ground.path("kinds")).expect("a directory");
    ground.write("kinds/note.luau", NOTE);
    ground.write("site.luau", "note(\"/n\", { text = \"from a recipe\" })\n");
    ground.write("site.hcl", "note \"/h\" {\n  text = \"from HCL\"\n}\n");
    assert_eq!(ground.rooted(&["apply", "site.hcl", "site.luau"]).code, Some(0));
    assert_eq!((ground.read("root/n"), ground.read("root/h")), ("from a recipe".into(), "from HCL".into()));
    // A directory means its configuration only; recipes must be named.
    ground.write("other.luau", "error(\"it was run\")\n");
    ground.rooted(&["apply"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

#[test]
fn errors_in_recipes_are_reported_with_their_line() {
    let ground = ground();
    ground.write("site.luau", "file(\"/a\", {})\nlocal x = = 1\n");
    let ran = ground.rooted(&["plan", "site.luau"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("site.luau:2:"), "{}", ran.stderr);
    ground.write("site.luau", "file(\"/a\", { contents = \"x\" })\n");
    let ran = ground.rooted(&["plan", "site.luau"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("site.luau:1"), "{}", ran.stderr);
    assert_eq!(ground.machine(), Vec::<String>::new());
}

#[test]
fn a_plan_of_a_recipe_can_be_saved() {
    let ground = ground();
    let params = ["-p", "who=ann", "-p", "port=80", "--out", "plan"];
    assert_eq!(ground.rooted(&[&["plan", "site.luau"][..], &params].concat()).code, Some(2));
    ground.write("site.luau", format!("{RECIPE}-- changed\n"));
    let refused = ground.run(&["apply", "plan"]);
    assert!(refused.stderr.contains("site.luau has changed"), "{}", refused.stderr);
    ground.write("site.luau", RECIPE);
    let ran = ground.run(&["apply", "plan"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ground.read("root/a"), "ann 81\n");
}

#[test]
fn work_without_a_state_runs_each_time() {
    let ground = ground();
    ground.write("site.luau", "inline(\"touch it\", function() fs.write(\"/x\", \"x\") end)\n");
    let listed = "site.luau:1:1)\n      ! inline[\"touch it\"]\n";
    let plan = ground.rooted(&["plan", "site.luau"]);
    assert!(
        plan.stdout.contains(&format!("! recipe[\"site.luau\"]   (will run; {listed}")),
        "{}",
        plan.stdout
    );
    for _ in 0..2 {
        let ran = ground.rooted(&["apply", "site.luau"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
        assert!(ran.stdout.contains(&format!("! recipe[\"site.luau\"]   (ran; {listed}")), "{}", ran.stdout);
    }
}

#[test]
fn an_ignored_failure_in_a_recipe_is_a_warning() {
    let ground = ground();
    fs::create_dir(ground.path("kinds")).expect("a directory");
    ground.write("kinds/bad.luau", "function actions.create() error(\"broken\") end\n");
    ground.write("site.luau", "bad(\"y\", { ignore_failure = true })\n");
    for command in ["plan", "apply"] {
        let ran = ground.rooted(&[command, "site.luau"]);
        let warning = "bad.y failed, which is ignored: kinds/bad.luau:1: broken";
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!((ran.code, printed.matches(warning).count()), (Some(0), 1), "{printed}");
    }
}

#[test]
fn values_of_applied_resources_are_known() {
    let ground = ground();
    ground.write("site.hcl", "file \"/a\" {\n  content = \"x\"\n}\n");
    let ran = ground.rooted(&["apply", "-v", "site.hcl"]);
    assert!(ran.code == Some(0) && !ran.stdout.contains("known after apply"), "{}", ran.stdout);
}
