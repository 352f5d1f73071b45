//! Kinds that are defined in files beside a configuration.

use std::fs;

use super::sandbox::Sandbox;
use crate::binary::write_program;

/// A small file kind.
pub(crate) const NOTE: &str = r#"doc = "A note on disk."
properties.path = { type = "path", name = true, doc = "Where it lies." }
properties.text = { type = "text", doc = "What it says." }

function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.text = fs.read(path)
end

function actions.create()
    converge_if_changed(function() fs.write(path, text or "") end)
end

function actions.remove()
    fs.remove(path)
end
"#;

const SITE: &str = "note \"/a\" {\n  text = \"hi\"\n}\n";

/// A folder with a configuration and files of kinds.
fn sandbox(configuration: &str, kinds: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    for (name, text) in kinds {
        let path = sandbox.path(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    sandbox
}

#[test]
fn a_kind_of_a_file_is_a_kind_like_any_other() {
    let sandbox =
        sandbox(SITE, &[("kinds/note.luau", NOTE), ("kinds/uphold.d.luau", "export type X = number")]);
    let shown = "  + note[\"/a\"]   (create; ./site.hcl:1:1)\n      text: \"hi\"\n\n";
    sandbox.rooted(&["plan"]).check(
        2,
        &format!("{shown}Plan: 1 to add, 0 to change, 0 to remove, 0 to run.\n"),
        "",
    );
    assert_eq!(sandbox.machine(), Vec::<String>::new());
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert_eq!(sandbox.read("root/a"), "hi");
    sandbox.rooted(&["apply"]).check(0, "No changes. 1 resource is as declared.\n", "");
    sandbox.rooted(&["read", "note", "/a", "text"]).check(0, "hi\n", "");
    assert!(sandbox.run(&["validate"]).stdout.contains("1 resource"));
    assert!(sandbox.run(&["graph"]).stdout.contains("note"));
}

#[test]
fn pages_and_schemas_show_where_a_kind_is_defined() {
    let sandbox = sandbox(SITE, &[("kinds/note.luau", NOTE)]);
    let page = sandbox.run(&["explain", "note"]).stdout;
    assert!(page.starts_with("note\n\nA note on disk.\n"), "{page}");
    assert!(page.ends_with("\nDefined in kinds/note.luau.\n"), "{page}");
    assert!(sandbox.run(&["explain", "note.text"]).stdout.contains("What it says."));
    assert!(sandbox.run(&["explain"]).stdout.contains("A note on disk. (kinds/note.luau)"));
    let line = "note  A note on disk.\n";
    assert!(sandbox.run(&["explain", "--list"]).stdout.contains(line));
    let schema: serde_json::Value = serde_json::from_str(&sandbox.run(&["schema"]).stdout).expect("JSON");
    let kinds = schema["kinds"].as_array().expect("a list");
    let note = kinds.iter().find(|kind| kind["kind"] == "note").expect("it exists");
    assert_eq!(note["defined_in"], "kinds/note.luau");
    let file = kinds.iter().find(|kind| kind["kind"] == "file").expect("it ships");
    assert_eq!(file["defined_in"], serde_json::Value::Null);
    assert!(sandbox.run(&["schema", "--luau"]).stdout.contains("note"), "a definition file for editors");
    // The reference contains only the built-in kinds.
    assert_eq!(sandbox.run(&["explain", "--write", "pages"]).code, Some(0));
    assert!(!sandbox.path("pages/kinds/note.md").exists());
}

#[test]
fn directories_of_kinds_can_be_named() {
    let sandbox = sandbox(SITE, &[("elsewhere/note.luau", NOTE)]);
    let unknown = sandbox.run(&["validate"]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("unknown kind"), "{}", unknown.stderr);
    assert_eq!(sandbox.run(&["validate", "--kinds", "elsewhere"]).code, Some(0));
    let named = |value: String| sandbox.command(&["validate"]).env("UPHOLD_KINDS_PATH", value).output();
    let (missing, elsewhere) = (sandbox.path("missing"), sandbox.path("elsewhere"));
    let output = named(format!("{}::{}", missing.display(), elsewhere.display())).expect("it starts");
    assert_eq!(output.status.code(), Some(0));
    // A directory that is named twice counts once.
    assert_eq!(sandbox.run(&["validate", "--kinds", "elsewhere", "--kinds", "./elsewhere/"]).code, Some(0));
    let missing = sandbox.run(&["validate", "--kinds", "nowhere"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("= note: nowhere: no such directory"), "{}", missing.stderr);
}

#[test]
fn a_module_brings_its_kinds() {
    let site = "module \"m\" {\n  source = \"./m\"\n}\nnote \"/b\" {\n  text = \"b\"\n}\n";
    let sandbox = sandbox(site, &[("m/main.hcl", SITE), ("m/kinds/note.luau", NOTE)]);
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert_eq!((sandbox.read("root/a"), sandbox.read("root/b")), ("hi".to_owned(), "b".to_owned()));
    // The same in an archive, where several directories have kinds.
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    sandbox.write("kinds/memo.luau", NOTE);
    sandbox.write("site.hcl", format!("{site}memo \"/c\" {{\n  text = \"c\"\n}}\n"));
    let mut tar = std::process::Command::new("tar");
    tar.args(["czf", "site.tar.gz", "site.hcl", "kinds", "m"]).current_dir(sandbox.path(""));
    assert!(tar.status().expect("tar is installed").success());
    sandbox.rooted(&["plan", "site.tar.gz", "--quiet"]).check(2, "", "");
    assert_eq!(sandbox.rooted(&["apply", "site.tar.gz"]).code, Some(0));
    assert_eq!(sandbox.read("root/c"), "c");
}

#[test]
fn two_kinds_of_one_name_are_refused_with_both_places() {
    let twice =
        sandbox(SITE, &[("kinds/note.luau", NOTE), ("more/note.luau", NOTE), ("kinds/file.luau", NOTE)]);
    let ran = twice.run(&["validate", "--kinds", "more"]);
    assert_eq!(ran.code, Some(1));
    let expected = [
        "kinds/file.luau defines the kind `file`, but a built-in kind has that name",
        "more/note.luau defines the kind `note`, but kinds/note.luau also defines it",
    ];
    for words in expected {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let module = "kind \"note\" {\n  source = \"./m\"\n}\n";
    let block = sandbox(module, &[("kinds/note.luau", NOTE), ("m/main.hcl", "")]);
    let ran = block.run(&["validate"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("site.hcl:1:"), "{}", ran.stderr);
}

#[test]
fn errors_in_kind_files_are_reported_with_those_of_the_configuration() {
    let sandbox = sandbox(
        "note \"/a\" {\n  txt = \"hi\"\n}\nbad \"x\" {}\nfile \"/b\" {\n  content = bad.x.text\n}\n",
        &[("kinds/note.luau", NOTE), ("kinds/bad.luau", "local x = = 1\n"), ("kinds/worse.luau", "(")],
    );
    let ran = sandbox.run(&["validate"]);
    assert_eq!(ran.code, Some(1));
    for words in ["kinds/bad.luau:1:", "kinds/worse.luau:1:", "./site.hcl:2:3", "local x = = 1", "3 errors"] {
        assert!(ran.stderr.contains(words), "no {words:?} in\n{}", ran.stderr);
    }
    assert!(!ran.stderr.contains("unknown kind"), "the reason is reported already\n{}", ran.stderr);
    // Valid kinds can still be explained.
    let page = sandbox.run(&["explain", "note"]);
    assert!(page.code == Some(0) && page.stderr.contains("kinds/bad.luau:1:"), "{}", page.stderr);
}

#[test]
fn a_saved_plan_refuses_changed_kinds() {
    let sandbox = sandbox(SITE, &[("kinds/note.luau", NOTE), ("more/other.luau", NOTE)]);
    assert_eq!(sandbox.rooted(&["plan", "--kinds", "more", "--out", "plan"]).code, Some(2));
    assert!(sandbox.run(&["show", "plan"]).stdout.contains("note[\"/a\"]"));
    let changed = NOTE.replace("text or \"\"", "text or \"-\"");
    fs::write(sandbox.path("more/other.luau"), &changed).expect("a file");
    let refused = sandbox.run(&["apply", "plan"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("more/other.luau has changed"), "{}", refused.stderr);
    fs::write(sandbox.path("more/other.luau"), NOTE).expect("a file");
    fs::write(sandbox.path("kinds/third.luau"), NOTE).expect("a file");
    let refused = sandbox.run(&["apply", "plan"]);
    assert!(refused.stderr.contains("kinds/third.luau was not read by the plan"), "{}", refused.stderr);
    fs::remove_file(sandbox.path("kinds/third.luau")).expect("it existed");
    // Named directories are part of the plan.
    assert!(
        sandbox
            .run(&["apply", "plan", "--kinds", "more"])
            .stderr
            .contains("--kinds cannot be used with a saved plan")
    );
    assert_eq!(sandbox.run(&["apply", "plan"]).code, Some(0));
    assert_eq!(sandbox.read("root/a"), "hi");
}

#[test]
fn tests_of_a_configuration_know_its_kinds() {
    let test =
        "test \"it says hi\" {\n  expect {\n    file \"/a\" {\n      content = \"hi\"\n    }\n  }\n}\n";
    let sandbox = sandbox(SITE, &[("kinds/note.luau", NOTE), ("site.test.hcl", test)]);
    let ran = sandbox.run(&["test"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn resources_of_a_kind_are_shown_below_it() {
    let site = "properties.name = { type = \"text\", name = true }\n\
                properties.port = { type = \"port\", setting = true }\n\
                function actions.create()\n  directory(`/{name}`, {})\n  \
                file(`/{name}/conf`, { content = `port {port}\\nend\\n` })\nend\n";
    let sandbox = sandbox("site \"web\" {\n  port = 80\n}\n", &[("kinds/site.luau", site)]);
    let ran = sandbox.rooted(&["apply"]);
    ran.check(
        0,
        "  ~ site.web   (updated; ./site.hcl:1:1)\n      + directory[\"/web\"]\n          mode: \"0755\" (default)\n      \
         + file[\"/web/conf\"]\n          content:\n            + port 80\n            + end\n          \
         mode:    \"0644\" (default)\n\n\
         Applied: 0 added, 1 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped in TIME\n",
        "",
    );
    assert_eq!(sandbox.read("root/web/conf"), "port 80\nend\n");
}

#[test]
fn programs_with_a_manifest_are_kinds() {
    let manifest = |executable: &str| {
        format!(
            "{{ \"$schema\": \"https://aka.ms/dsc/schemas/v3/bundled/resource/manifest.json\",\n  \
             \"type\": \"Example/Lamp\", \"version\": \"1.0.0\",\n  \
             \"get\": {{ \"executable\": \"{executable}\", \"input\": \"env\" }},\n  \
             \"schema\": {{ \"embedded\": {{ \"type\": \"object\", \"required\": [\"name\"], \"properties\": {{\n    \
             \"name\": {{ \"type\": \"string\" }}, \"lit\": {{ \"type\": \"boolean\", \"readOnly\": true }} }} }} }} }}\n"
        )
    };
    let script = "#!/bin/sh\necho '{\"name\": \"'\"$name\"'\", \"lit\": true}'\n";
    let text = manifest("lamp");
    let sandbox = sandbox("", &[("kinds/lamp.dsc.resource.json", &text)]);
    write_program(&sandbox.path("kinds/lamp"), script);
    sandbox.run(&["read", "lamp", "hall", "lit"]).check(0, "true\n", "");
    assert!(sandbox.run(&["explain", "lamp"]).stdout.contains("Defined in kinds/lamp.dsc.resource.json."));
    // A name that is already used gets its namespace as a prefix.
    fs::write(sandbox.path("kinds/file.dsc.resource.json"), text.replace("Lamp", "File")).expect("a file");
    sandbox.run(&["read", "example_file", "hall", "lit"]).check(0, "true\n", "");
    assert!(sandbox.run(&["explain", "file"]).stdout.starts_with("file\n"));
}

#[test]
fn a_broken_manifest_affects_only_blocks_of_its_kind() {
    let kinds = [
        ("kinds/broken.dsc.resource.json", "{ \"type\": 3 }\n"),
        ("kinds/lamp.dsc.resource.json", "{\n"),
        (
            "kinds/group.dsc.resource.json",
            "{ \"type\": \"A/B\", \"version\": \"1.0.0\", \"kind\": \"group\" }\n",
        ),
    ];
    let sandbox = sandbox("log \"a\" {}\n", &kinds);
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for words in [
        "warning[W0601]: unusable manifest",
        "kinds/broken.dsc.resource.json:1:11",
        "kinds/lamp.dsc.resource.json:2:1",
    ] {
        assert!(ran.stderr.contains(words), "no {words:?} in\n{}", ran.stderr);
    }
    assert!(!ran.stderr.contains("kinds/group"), "it is right, only of no use here\n{}", ran.stderr);
    sandbox.write("site.hcl", "lamp \"a\" {}\nb \"x\" {}\nother \"x\" {}\n");
    let ran = sandbox.run(&["plan"]);
    assert_eq!(ran.code, Some(1));
    let lamp = "the kind `lamp` cannot be used: kinds/lamp.dsc.resource.json:2:1: this is not JSON";
    let group = "the kind `b` cannot be used: kinds/group.dsc.resource.json:1:46: a group runs other resources through `dsc`";
    for words in [lamp, group, "there is no kind `other`"] {
        assert!(ran.stderr.contains(words), "no {words:?} in\n{}", ran.stderr);
    }
    let place = |words: &str| ran.stderr.find(words).expect("it exists");
    assert!(place("unusable manifest") < place("unknown kind"), "causes come first\n{}", ran.stderr);
}

#[test]
fn a_program_that_is_not_executable_has_a_hint() {
    let manifest = "{ \"type\": \"Example/Lamp\", \"version\": \"1.0.0\", \"get\": { \"executable\": \"lamp\" },\n\
                    \"schema\": { \"embedded\": { \"properties\": { \"name\": {} } } } }\n";
    let sandbox = sandbox(
        "lamp \"a\" {}\n",
        &[("kinds/lamp.dsc.resource.json", manifest), ("kinds/lamp", "#!/bin/sh\n")],
    );
    let ran = sandbox.run(&["plan"]);
    assert_eq!(ran.code, Some(1));
    for words in [
        "cannot run FOLDER/kinds/lamp: it is not executable",
        "make it executable: chmod +x FOLDER/kinds/lamp",
    ] {
        let expected = format!("{}{}", ran.stdout, ran.stderr);
        assert!(expected.contains(words), "no {words:?} in\n{expected}");
    }
}
