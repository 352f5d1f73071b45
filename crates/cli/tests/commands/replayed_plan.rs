//! A saved plan is applied as shown: with the same selection, names, settings and contents.

use super::sandbox::{Ran, Sandbox};
use super::saved_plan::apply;
use crate::binary::write_program;

/// Writes the files `before`, plans `site`, writes the files `after`, and applies the plan. `FOLDER` in the
/// configuration stands for the folder.
#[track_caller]
fn replay(site: &str, before: &[(&str, &str)], flags: &[&str], after: &[(&str, &str)]) -> (Sandbox, Ran) {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("root").display().to_string();
    sandbox.write("site.hcl", site.replace("FOLDER", &folder));
    before.iter().for_each(|(name, content)| sandbox.write(&format!("root/{name}"), content));
    let planned = sandbox.run(&[&["plan", "site.hcl", "--out", "plan"], flags].concat());
    assert_eq!(planned.code, Some(2), "{}{}", planned.stdout, planned.stderr);
    after.iter().for_each(|(name, content)| sandbox.write(&format!("root/{name}"), content));
    let applied = apply(&sandbox);
    (sandbox, applied)
}

/// Checks that an action with settings `body`, which depend on a file, is skipped if the file has changed.
#[track_caller]
fn check_refused(body: &str, reason: &str) -> Sandbox {
    let site = format!("query \"x\" {{ query = \"cat FOLDER/ans\" }}\n{body}");
    let files = [("ans", "a"), ("a", "1\n"), ("b", "1\n")];
    let (same, applied) = replay(&site, &files, &[], &[]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    drop(same);
    let (sandbox, applied) = replay(&site, &files, &[], &[("ans", "b")]);
    let printed = format!("{}{}", applied.stdout, applied.stderr);
    assert_eq!(applied.code, Some(1), "{printed}");
    assert!(printed.contains("differs from the plan") && printed.contains(reason), "{printed}");
    sandbox
}

#[test]
fn a_selected_plan_delivers_its_notifications() {
    let site = |moment: &str| {
        format!(
            "file \"a\" {{\n  path = \"FOLDER/a\"\n  content = \"a\"\n  notifies = {{ {moment} = [task.rel.run] }}\n}}\n\
             task \"rel\" {{\n  action = \"nothing\"\n  apply = \"echo rel >> FOLDER/log\"\n}}\n\
             file \"z\" {{ path = \"FOLDER/z\" }}\n"
        )
    };
    for moment in ["before", "immediately", "delayed"] {
        for flags in [["--exclude", "file.z"], ["--target", "file.a"]] {
            let (sandbox, applied) = replay(&site(moment), &[], &flags, &[]);
            assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
            assert_eq!(sandbox.read("root/log"), "rel\n", "{moment} {flags:?}");
            assert!(!sandbox.path("root/z").exists());
        }
    }
    // An excluded handler stays excluded, and is no reason to refuse a change.
    let (sandbox, applied) =
        replay(&site("delayed"), &[], &["--exclude", "task.rel", "--exclude", "file.z"], &[]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    assert!(sandbox.path("root/a").exists() && !sandbox.path("root/log").exists());
}

#[test]
fn a_computed_path_is_compared() {
    let body = "file \"old\" {\n  path = \"FOLDER/${query.x.value}\"\n  action = \"remove\"\n}\n";
    let sandbox = check_refused(body, "path was ");
    assert!(sandbox.path("root/a").exists() && sandbox.path("root/b").exists());
}

#[test]
fn computed_settings_are_compared() {
    let sandbox = check_refused(
        "task \"t\" {\n  action = \"run\"\n  apply = \"echo ${query.x.value} > FOLDER/log\"\n}\n",
        "apply was ",
    );
    assert!(!sandbox.path("root/log").exists());
    check_refused(
        "task \"t\" {\n  action = \"run\"\n  apply = \"true\"\n  env = { A = query.x.value }\n}\n",
        "env was ",
    );
    check_refused(
        "task \"t\" {\n  apply = \"touch FOLDER/made-${query.x.value}\"\n  creates = \"FOLDER/made-${query.x.value}\"\n}\n",
        " was ",
    );
    check_refused("line \"l\" {\n  file = \"FOLDER/${query.x.value}\"\n  line = \"2\"\n}\n", "file was ");
    check_refused(
        "file \"v\" {\n  path = \"FOLDER/v\"\n  content = \"v\"\n  verify = \"test ${query.x.value} != c -a -e {}\"\n}\n",
        "verify was ",
    );
}

#[test]
fn the_content_of_a_source_is_compared() {
    let check = |site: &str, reason: &str| {
        let (_, same) = replay(site, &[("in", "a")], &[], &[]);
        assert_eq!(same.code, Some(0), "{}{}", same.stdout, same.stderr);
        let (sandbox, applied) = replay(site, &[("in", "a")], &[], &[("in", "b")]);
        let printed = format!("{}{}", applied.stdout, applied.stderr);
        assert!(applied.code == Some(1) && printed.contains(reason), "{printed}");
        assert!(!sandbox.path("root/out").exists());
    };
    check("gzip \"FOLDER/out\" { source = \"FOLDER/in\" }\n", "the content of source was ");
    check("tar \"FOLDER/out\" { inputs = [\"FOLDER/in\"] }\n", "the content of inputs was ");
}

#[test]
fn the_document_shows_computed_values() {
    let site = "query \"x\" { query = \"cat FOLDER/ans\" }\n\
                task \"t\" {\n  action = \"run\"\n  apply = \"echo ${query.x.value}\"\n}\n";
    let (sandbox, _) = replay(site, &[("ans", "a")], &[], &[]);
    let shown = sandbox.run(&["show", "plan", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&shown.stdout).expect("JSON");
    let changes = document["resource_changes"].as_array().expect("a list");
    let task = changes.iter().find(|change| change["address"] == "task.t").expect("it is planned");
    assert_eq!(task["change"]["after"]["apply"], "echo a", "{task}");
    assert_eq!(task["change"]["after_unknown"], serde_json::json!({}), "{task}");
}

/// A program of a manifest that switches a lamp: `lit` is whether a file exists.
const LAMP: &str = r#"#!/bin/sh
read input
case "$1" in
set) touch FOLDER/lit; echo OTHER >> FOLDER/log ;;
esac
test -e FOLDER/lit && lit=true || lit=false
echo "{\"name\": \"hall\", \"lit\": $lit}"
"#;

const MANIFEST: &str = r#"{ "$schema": "x", "type": "Example/Lamp", "version": "1.0.0",
  "get": { COMMAND "get"], "input": "stdin" }, "set": { COMMAND "set"], "input": "stdin" },
  "schema": { "embedded": {"type": "object", "required": ["name"],
    "properties": {"name": {"type": "string"}, "lit": {"type": "boolean"}}} } }"#;

#[test]
fn the_program_of_a_manifest_is_compared() {
    let check = |command: &str, after: &str, expected: Result<&str, &str>| {
        let sandbox = Sandbox::with("lamp \"hall\" {\n  lit = true\n}\n");
        let folder = sandbox.path("root").display().to_string();
        let program = |word: &str| {
            let text = LAMP.replace("FOLDER", &folder).replace("OTHER", word);
            write_program(&sandbox.path("kinds/lamp.sh"), &text);
        };
        std::fs::create_dir(sandbox.path("kinds")).expect("a directory");
        sandbox.write("kinds/lamp.dsc.resource.json", MANIFEST.replace("COMMAND", command));
        program("shown");
        let planned = sandbox.run(&["plan", "site.hcl", "--out", "plan"]);
        assert_eq!(planned.code, Some(2), "{}{}", planned.stdout, planned.stderr);
        program(after);
        let applied = apply(&sandbox);
        let printed = format!("{}{}", applied.stdout, applied.stderr);
        let done = std::fs::read_to_string(sandbox.path("root/log"));
        match expected {
            Ok(log) => assert_eq!((applied.code, done.ok().as_deref()), (Some(0), Some(log)), "{printed}"),
            Err(reason) => assert!(printed.contains(reason) && done.is_err(), "{printed}"),
        }
    };
    for command in [r#""executable": "lamp.sh", "args": ["#, r#""executable": "sh", "args": ["lamp.sh", "#] {
        check(command, "shown", Ok("shown\n"));
        check(command, "another", Err("the program FOLDER/kinds/lamp.sh was "));
    }
}

/// A resource with one unknown value in its plan.
fn partly_unknown(rest: &str) -> String {
    format!(
        "file \"new\" {{\n  path = \"FOLDER/new\"\n  content = \"n\"\n}}\n\
         query \"later\" {{\n  query = \"cat FOLDER/new\"\n  depends_on = [file.new]\n}}\n{rest}"
    )
}

#[test]
fn known_values_of_a_deferred_resource_are_compared() {
    let task = "task \"t\" {\n  action = \"run\"\n  env = { A = query.later.value }\n  \
                apply = \"echo ${query.x.value} > FOLDER/log\"\n}\n";
    let sandbox = check_refused(&partly_unknown(task), "apply was ");
    assert!(!sandbox.path("root/log").exists());
    let file = "file \"f\" {\n  path = \"FOLDER/f\"\n  verify = \"true ${query.later.value} {}\"\n  \
                content = query.x.value\n}\n";
    let sandbox = check_refused(&partly_unknown(file), "content was ");
    assert!(!sandbox.path("root/f").exists());
    let file =
        "file \"f\" {\n  path = \"FOLDER/f-${query.x.value}\"\n  when = query.later.value == \"n\"\n}\n";
    check_refused(&partly_unknown(file), "path was ");
}

#[test]
fn values_captured_by_inline_work_are_compared() {
    let check = |after: &[(&str, &str)], expected: Result<&str, &str>| {
        let sandbox = Sandbox::with("work \"w\" {}\n");
        let folder = sandbox.path("root").display().to_string();
        std::fs::create_dir(sandbox.path("kinds")).expect("a directory");
        let script = "properties.name = { type = \"text\", name = true }\n\
                      function actions.create()\n  local word = query(\"cat FOLDER/word\").stdout\n  \
                      inline(\"note\", function() run(`echo {word} >> FOLDER/log`) end)\nend\n";
        sandbox.write("kinds/work.luau", script.replace("FOLDER", &folder));
        sandbox.write("root/word", "a");
        let planned = sandbox.run(&["plan", "site.hcl", "--out", "plan"]);
        assert_eq!(planned.code, Some(2), "{}{}", planned.stdout, planned.stderr);
        after.iter().for_each(|(name, content)| sandbox.write(&format!("root/{name}"), content));
        let applied = apply(&sandbox);
        let printed = format!("{}{}", applied.stdout, applied.stderr);
        let done = std::fs::read_to_string(sandbox.path("root/log"));
        match expected {
            Ok(log) => assert_eq!((applied.code, done.ok().as_deref()), (Some(0), Some(log)), "{printed}"),
            Err(reason) => assert!(printed.contains(reason) && done.is_err(), "{printed}"),
        }
    };
    check(&[], Ok("a\n"));
    check(&[("other", "b")], Ok("a\n"));
    check(&[("word", "b")], Err("digest of the values read by inline.note was "));
}
