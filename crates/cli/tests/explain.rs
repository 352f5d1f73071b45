//! `uphold explain` for people and for `cargo xtask generate`.

use crate::binary::uphold;

fn kinds() -> Vec<String> {
    let list = uphold(["explain", "--list"]);
    assert_eq!(list.code, 0, "{}", list.err);
    list.out.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn the_list_names_each_kind_on_a_line_with_its_summary() {
    let list = uphold(["explain", "--list"]).out;
    assert!(list.lines().any(|line| line == "file  A regular file."), "{list}");
    assert!(list.lines().all(|line| line.split_whitespace().count() > 1), "{list}");
    let all = uphold(["explain"]).out;
    assert!(kinds().iter().all(|kind| all.contains(&format!("\n  {kind} "))), "{all}");
}

#[test]
fn every_kind_has_a_page_that_names_every_property() {
    for kind in kinds() {
        let json = uphold(["explain", &kind, "--json"]);
        let schema: serde_json::Value = serde_json::from_str(&json.out).expect("one object");
        let page = uphold(["explain", &kind]);
        assert_eq!((page.code, page.err.as_str()), (0, ""));
        for property in schema["properties"].as_array().expect("a list") {
            let name = property["name"].as_str().expect("text");
            assert!(page.out.contains(&format!("\n  {name}  ")), "{kind}.{name} in {}", page.out);
            let own = uphold(["explain", &format!("{kind}.{name}")]);
            assert_eq!(own.code, 0, "{}", own.err);
            assert!(own.out.starts_with(&format!("{kind}.{name}\n\n")), "{}", own.out);
        }
        // Keys and digests cannot be wrapped.
        let can_break = |line: &&str| line.split_whitespace().all(|word| word.len() < 60);
        let wide = page.out.lines().filter(|line| line.chars().count() > 80).filter(can_break);
        let wide: Vec<&str> = wide.collect();
        assert!(wide.is_empty(), "{kind}: {wide:#?}");
    }
}

#[test]
fn markdown_begins_with_the_summary() {
    for kind in kinds() {
        let page = uphold(["explain", &kind, "--markdown"]).out;
        let mut lines = page.lines().filter(|line| !line.is_empty());
        assert_eq!(lines.next(), Some(&*format!("# {kind}")));
        let first = lines.next().expect("a summary");
        assert!(!first.starts_with('#') && first.contains('.'), "{page}");
        assert!(page.contains("\n| property | type | role | set | meaning |\n"), "{page}");
        assert!(page.contains("\n```hcl\n"), "{page}");
    }
}

#[test]
fn a_property_page_describes_plan_and_apply() {
    let check = |topic: &str, words: &[&str]| {
        let page = uphold(["explain", topic]).out.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in words {
            assert!(page.contains(part), "{part} in {page}");
        }
    };
    check(
        "file.mode",
        &["octal or symbolic", "`mode = \"0644\"`", "Role state.", "a new resource gets `\"0644\"`"],
    );
    check("file.content", &["Set at most one of `content` and `source`."]);
    check("file.backups", &["Role setting.", "is not compared", "Unless set `0`."]);
    check("file.path", &["Role name.", "the label of the block"]);
    check("file.sha256", &["Role export.", "cannot be set"]);
    check("link.to", &["Error: it is required."]);
    check("task.status.stdout", &["Role export."]);
}

#[test]
fn an_unknown_name_is_an_error_with_a_suggestion() {
    let check = |topic: &str, message: &str, hint: &str| {
        let run = uphold(["explain", topic]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{topic}");
        assert!(run.err.contains(message) && run.err.contains(hint), "{}", run.err);
    };
    check("fiel", "block or code is called `fiel`", "did you mean `file`?");
    check("fiel.mode", "unknown kind `fiel`", "did you mean `file`?");
    check("lowr", "block or code is called `lowr`", "did you mean `lower`?");
    check("host.os.famly", "unknown fact `host.os.famly`", "did you mean `host.os.family`?");
    check(
        "banana",
        "block or code is called `banana`",
        "`uphold explain` lists all kinds, with those in ./kinds and --kinds DIR; --functions, --facts",
    );
    check("file.mdoe", "`file` has no property `mdoe`", "did you mean `mode`?");
    check("file.", "`file` has no property ``", "`uphold explain file` lists its properties");
}

#[test]
fn functions_facts_and_words_have_pages() {
    let check = |arguments: &[&str], words: &[&str]| {
        let run = uphold([&["explain"], arguments].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
        let page = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in words {
            assert!(page.contains(part), "{part} in {page}");
        }
    };
    check(
        &["upper"],
        &["upper(text)", "Converts all letters to upper case.", "upper(\"hello\") # \"HELLO\""],
    );
    check(&["log"], &["The function `log(number, base)` has the same name"]);
    check(&["log()"], &["log(number, base)"]);
    check(&["host.cpu.count"], &["The number of online processors.", "Example `8`", "Value here "]);
    check(&["host.os"], &["host.os.family \"", "host.os.id \""]);
    check(&["when"], &["Accepts a condition."]);
    check(&["param"], &["param \"name\" { … }", "validation", "`param.name` in an expression"]);
    check(&["path"], &["path.module"]);
    check(
        &["verify"],
        &[
            "verify file.verify Shell command that checks the new file",
            "systemd_unit.verify Check the file",
            "parallel.verify Runs once the members are in place",
            "sequence.verify Runs once the members are in place",
            "`uphold explain NAME` shows more about each.",
        ],
    );
    check(&["family"], &["firewall.family Address family", "host.os.family "]);
    check(&["nothing"], &["action The action to run", "`nothing`"]);
    check(&["os.family"], &["host.os.family", "Value here"]);
    check(&["meta"], &["Meta arguments action The action to run", "for_each Declares one resource"]);
    check(&["kinds"], &["Kinds apt_key "]);
    check(&["functions"], &["Strings chomp(text)"]);
    check(
        &["file"],
        &["nothing Do nothing until it is notified or triggered.", "`uphold explain meta` lists them."],
    );
    check(&["task"], &["- `creates` is a path: the work is done if it exists."]);
    check(&["--functions"], &["Strings chomp(text)", "Networks cidr"]);
    check(&["--facts"], &["host.is_root "]);
    check(&["--meta"], &["for_each Declares one resource"]);
    check(&["--blocks"], &["locals Defines named values", "First words of references each.key"]);
    check(&["--functions", "--list"], &["abs "]);
}

#[test]
fn markdown_does_not_depend_on_this_machine() {
    let page = uphold(["explain", "--facts", "--markdown"]).out;
    assert!(page.contains("- `host.cpu.count`: ") && page.contains("Example: `8`."), "{page}");
    assert!(!uphold(["explain", "host.cpu.count", "--markdown"]).out.contains("Value here"));
}

#[test]
fn facts_are_those_of_the_root() {
    let root = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(root.path().join("etc")).expect("a folder");
    std::fs::write(root.path().join("etc/hostname"), "elsewhere\n").expect("a file");
    let root = root.path().to_str().expect("a plain name");
    let json = uphold(["explain", "host.hostname", "--json", "--root", root]).out;
    let fact: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!((&fact["name"], &fact["value"]), (&"host.hostname".into(), &"elsewhere".into()));
}

#[test]
fn all_pages_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let reference = folder.path().join("reference");
    for _ in 0..2 {
        let run = uphold(["explain".as_ref(), "--write".as_ref(), reference.as_os_str()]);
        assert_eq!((run.code, &*run.out, &*run.err), (0, "", ""));
    }
    for page in
        ["README.md", "kinds/README.md", "kinds/file.md", "functions/strings.md", "facts.md", "meta.md"]
    {
        let text = std::fs::read_to_string(reference.join(page)).expect("it exists");
        assert!(text.starts_with("<!-- Generated by ") && text.contains("do not edit"), "{page}: {text}");
    }
    let schema = std::fs::read_to_string(reference.join("schema.json")).expect("it exists");
    assert_eq!(schema, uphold(["schema"]).out);
}

#[test]
fn the_schema_matches_its_page() {
    let page = include_str!("../../../docs/schema.md");
    let schema: serde_json::Value = serde_json::from_str(&uphold(["schema"]).out).expect("one object");
    assert_eq!((&schema["format"], &schema["format_version"]), (&"uphold-schema".into(), &"2.0".into()));
    let mut keys = Vec::new();
    collect_keys(&schema, &mut keys);
    keys.sort_unstable();
    keys.dedup();
    assert!(keys.len() > 40, "{keys:?}");
    for key in keys {
        assert!(page.contains(&format!("`{key}`")), "docs/schema.md says nothing of `{key}`");
    }
    let names = |list: &str| schema[list].as_array().map_or(0, Vec::len);
    assert_eq!((names("meta_arguments"), names("blocks"), names("roots")), (20, 13, 7));
    assert_eq!(names("kinds"), kinds().len());
}

fn collect_keys<'a>(json: &'a serde_json::Value, keys: &mut Vec<&'a str>) {
    match json {
        serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
            keys.push(key);
            collect_keys(value, keys);
        }),
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

#[test]
fn colour_follows_the_flag() {
    assert!(uphold(["explain", "file", "--color", "always"]).out.starts_with("\u{1b}[1mfile\u{1b}[0m\n"));
    assert!(!uphold(["explain", "file"]).out.contains('\u{1b}'));
}

#[test]
fn names_can_be_listed_for_programs() {
    let listed = uphold(["explain", "--functions", "--list", "--json"]).out;
    assert!(listed.starts_with("[\"abs\",\"abspath\",") && listed.ends_with("]\n"), "{listed}");
}

/// A required property whose value only the user can choose is shown all the same.
#[test]
#[cfg(feature = "luau")]
fn an_example_of_a_scripted_kind_shows_required_properties_with_a_pattern() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let script = "properties.name = { type = \"text\", name = true }\n\
                  properties.serial = { type = \"text\", required = true, pattern = \"^[0-9]+[$]{1}$\" }\n\
                  properties.mail = { type = \"text\", pattern = \"@\" }\n\
                  function actions.create() end\n";
    std::fs::write(folder.path().join("zone.luau"), script).expect("a kind");
    let folder = folder.path().to_str().expect("a plain path");
    let page = uphold(["explain", "zone", "--kinds", folder]);
    assert_eq!(page.code, 0, "{}", page.err);
    let example = "  zone \"example\" {\n    serial = \"... (must match ^[0-9]+[$]{1}$)\"\n  }\n";
    assert!(page.out.contains(example), "{}", page.out);
}

#[test]
#[cfg(feature = "luau")]
fn functions_of_scripts_have_pages() {
    let check = |name: &str, words: &str| {
        let page = uphold(["explain", name]);
        assert_eq!((page.code, page.err.as_str()), (0, ""), "{name}");
        assert!(page.out.starts_with(&format!("{name}\n\n")) && page.out.contains(words), "{}", page.out);
    };
    check("fs.copy", "fs.copy: (path: string, from: string) -> boolean");
    check("fs.write", "access: { mode: string?, owner: (string | number)?, group: (string | number)? }?");
    check("run", "options: { dir: string?, env: { [string]: any }?, may_fail: boolean?,");
    check("fs", "copy: (path: string, from: string) -> boolean,");
    check("clock.now", "The time of the machine");
    check("json.encode", "json.encode: (value: any) -> string");
    check("log.info", "log.info: (...any) -> ()");
    check("converge_if_changed", "Runs the function if one of these properties differs");
    let json = uphold(["explain", "fs.copy", "--json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!(json["name"], "fs.copy");
    assert_eq!(json["doc"], "`fs.copy: (path: string, from: string) -> boolean`");
    let unknown = uphold(["explain", "fs.cpoy"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("scripts have no `fs.cpoy`") && unknown.err.contains("`fs.copy`"),
        "{}",
        unknown.err
    );
}
