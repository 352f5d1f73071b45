//! Kinds in Luau as an author meets them: messages for mistakes, triggers, removal, and defaults in loaders.

use super::sandbox::{Ran, Sandbox};

/// A configuration with the kind `k`.
pub(super) fn sandbox(configuration: &str, kind: &str) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    std::fs::create_dir(sandbox.path("kinds")).expect("a folder");
    sandbox.write("kinds/k.luau", kind);
    sandbox
}

fn plan(kind: &str) -> Ran {
    sandbox("k \"/x\" {}\n", kind).rooted(&["plan"])
}

/// A kind whose action has this body, from line 4 on.
pub(super) fn body(body: &str) -> String {
    format!(
        "properties.path = {{ type = \"path\", name = true }}\nproperties.text = {{ type = \"text\" }}\n\
         function actions.create()\n{body}\nend\n"
    )
}

#[test]
fn syntax_errors_mark_the_mistake() {
    let check = |line: &str, expected: &str| {
        let ran = plan(&body(line));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), expected), "\n{}", ran.stderr);
    };
    check(
        "    fs.write(path, \"x\"",
        "error[E0605]: script cannot be parsed
 --> kinds/k.luau:5:1
  |
5 | end
  | ^^^ expected ')' (to close '(' at line 4), got 'end'
  |
 ::: kinds/k.luau:4:13
  |
4 |     fs.write(path, \"x\"
  |             - `(` is not closed

error: 1 error; nothing was changed
",
    );
    check(
        "    if path then",
        "error[E0605]: script cannot be parsed
 --> kinds/k.luau:5:1
  |
5 | end
  | ^^^ expected 'end' (to close 'function' at line 3), got <eof>; did you forget to close 'then' at line 4?
  |
 ::: kinds/k.luau:4:13
  |
4 |     if path then
  |             ---- `then` is not closed

error: 1 error; nothing was changed
",
    );
    check(
        "    fs.write(path, `server { listen 80; }`)",
        "error[E0605]: script cannot be parsed
 --> kinds/k.luau:4:20
  |
4 |     fs.write(path, `server { listen 80; }`)
  |                    ^^^^^^^^^^^^^^^^^^^^^^^ malformed interpolated string, got '80'
  |
  = help: in backquotes, {…} is an expression; write \\{ for a brace, or use a string in double quotes

error: 1 error; nothing was changed
",
    );
}

#[test]
fn errors_name_what_is_wrong_and_where() {
    let check = |kind: &str, expected: &[&str]| {
        let ran = plan(kind);
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        for part in expected {
            assert!(ran.stderr.contains(part), "{part} is not in\n{}", ran.stderr);
        }
        assert!(!ran.stderr.contains("fix the script"), "{}", ran.stderr);
    };
    check(
        &body("fs.mkdri(path)"),
        &["kinds/k.luau:4: there is no fs.mkdri; did you mean fs.mkdir? fs has chmod, chown, copy, exists, "],
    );
    check(&body("io.open(path)"), &["kinds/k.luau:4: there is no io; fs reads and writes files"]);
    check(&body("fs.write(path, txt)"), &["there is no txt; did you mean text?"]);
    check(&body("log.warn(path)"), &["there is no log.warn; ", "log has debug, info, warning"]);
    check(&body("local x = string.trim(path)"), &["there is no string.trim; ", "string has byte, "]);
    check(
        "function action.create() end",
        &["--> kinds/k.luau:1:1", "there is no action; did you mean actions?"],
    );
    check("\nproperty.x = {}", &["--> kinds/k.luau:2:1", "there is no property; did you mean properties?"]);
    check(
        &body("fs.write(path, \"a\" .. text)"),
        &[
            "kinds/k.luau:4: attempt to concatenate string with nil",
            "hint: `text` is nil, because it is not set: test `if text then`, or give the property a default or",
        ],
    );
    for call in ["exists", "list", "read", "stat", "remove"] {
        check(
            &body(&format!("fs.{call}(text)")),
            &[
                &format!("fs.{call} takes an absolute path, not nil"),
                "hint: `text` is nil, because it is not",
            ],
        );
    }
    for call in ["fs.write(`${path}/x`, \"x\")", "file(`${path}/x`)"] {
        check(&body(call), &["hint: in backquotes, Luau writes {path}, without a dollar sign"]);
    }
    check(
        &body("local hosts = { \"a\" }\nlog.info(hosts.join(\" \"))"),
        &["kinds/k.luau:5: attempt to call", "hint: a list has no `join`: table.concat(hosts, …)"],
    );
    check(
        &body("file(\"/x\", { content = \"x\", notifies = { \"task[reload].run\" } })"),
        &[
            "\"task[reload].run\" is not an address of a resource",
            "hint: write KIND.NAME.ACTION, or KIND[\"NAME\"].ACTION",
        ],
    );
    check(
        &body(
            "log(\"reload\", { action = \"nothing\" })\ninline(\"x\", { notifies = \"log.reloud.say\" }, function() end)",
        ),
        &["kinds/k.luau:5: log \"reloud\" is notified, but not declared; did you mean log.reload?"],
    );
    check(&body("fs.write(path, text)"), &["fs.write takes a string, not nil", "hint: `text` is nil"]);
    check(
        &body("trigger(\"task\")"),
        &["trigger takes a resource and an action: trigger(\"task\", \"reload\", \"run\")"],
    );
    check(&body("file(\"/no/where\", { content = \"x\" })"), &["hint: declare it: directory(\"/no\")"]);
    check(
        "properties = {\n  path = { type = \"path\", name = true },\n  text = { type = \"txt\" },\n}\nfunction actions.create() end",
        &["--> kinds/k.luau:3:3", "property `text`: there is no type `txt`; did you mean `string`?"],
    );
    check(
        "properties.name = { type = \"text\" }\nproperties.port = { type = \"integer\" }\n\
         properties.text = { description = \"x\" }\nproperties.mode = { wibble = true }\n\
         function actions.create() end",
        &[
            "--> kinds/k.luau:1:1",
            "property `name`: every resource has a `name`, its label: remove this property, or add `name = true`",
            "--> kinds/k.luau:2:1",
            "property `port`: there is no type `integer`; did you mean `int`?",
            "--> kinds/k.luau:3:1",
            "property `text`: unknown field `description`; did you mean `doc`?",
            "--> kinds/k.luau:4:1",
            "property `mode`: unknown field `wibble`; a property has alias, also, check, coerce, default, doc, ",
            "error: 4 errors; nothing was changed",
        ],
    );
    check(
        "properties = {\n  text = \"text\",\n}\nfunction actions.create() end",
        &["--> kinds/k.luau:2:3", "properties.text must be a table: { type = \"string\" }"],
    );
}

#[test]
fn explain_describes_every_action() {
    let kind = format!("{}function actions.shout() end\n", body(""));
    let page = sandbox("", &kind).rooted(&["explain", "k"]).stdout;
    assert!(page.contains("\n  create    The default: `converge` runs it.\n"), "{page}");
    assert!(page.contains("\n  shout     Not documented.\n"), "{page}");
}

/// A kind that does nothing is refused: a plan would report its resources as declared.
#[test]
fn kinds_without_effect_are_refused() {
    let check = |kind: &str, expected: &[&str]| {
        let ran = plan(kind);
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        for part in expected {
            assert!(ran.stderr.contains(part), "{part} is not in\n{}", ran.stderr);
        }
    };
    check(
        "properties.path = { type = \"path\", name = true }\nfunction create()\nend\n",
        &[
            "--> kinds/k.luau:2:1",
            "nothing calls the global function `create`: write `function actions.create()`; a helper is \
             `local function create()`",
        ],
    );
    check(
        &format!("{}function remove() end", body("")),
        &["--> kinds/k.luau:6:1", "`function actions.remove()`"],
    );
    check(
        &format!("{}function load_curent_value() end", body("")),
        &["--> kinds/k.luau:6:1", "write `function load_current_value(current)`"],
    );
    check(
        &format!("{}function update() end", body("")),
        &["--> kinds/k.luau:6:1", "`actions.create` both creates and updates a resource"],
    );
    for name in ["load", "load_current", "load_current_resource"] {
        check(
            &format!("{}function {name}(current) end", body("")),
            &["--> kinds/k.luau:6:1", "write `function load_current_value(current)`"],
        );
    }
    check(
        "properties.path = { type = \"path\", name = true }",
        &[
            "--> kinds/k.luau:1:1",
            "`k` has neither an action nor a loader, so it would do nothing",
            "= help: define an action: function actions.create() … end",
        ],
    );
    let helper = plan(&body("create()\nend\nfunction create() fs.write(path, \"x\")"));
    assert_eq!(helper.code, Some(2), "{}", helper.stderr);
}

#[test]
fn mistakes_in_loaders_have_hints() {
    let check = |loader: &str, expected: &[&str]| {
        let ran = plan(&format!("{}function load_current_value(current)\n{loader}\nend\n", body("")));
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        for part in expected {
            assert!(ran.stderr.contains(part), "{part} is not in\n{}", ran.stderr);
        }
    };
    check(
        "return { text = \"x\" }",
        &["kinds/k.luau:6: a loader fills `current`; its return value is not used"],
    );
    check(
        "current.text = fs.read(text)",
        &[
            "hint: `text` is nil until the loader sets it: if it says where the resource is, declare it with",
            "otherwise, desired.text is the declared value",
        ],
    );
    check(
        "current.text = fs.read(path)",
        &["kinds/k.luau:7 ", "`if not fs.exists(…) then current_value_does_not_exist() end`"],
    );
}

#[test]
fn limits_are_named_with_a_hint() {
    let check = |text: &str, expected: &[&str]| {
        let ran = plan(&body(text));
        for part in expected {
            assert!(ran.stderr.contains(part), "{part} is not in\n{}", ran.stderr);
        }
    };
    check(
        "while true do end",
        &[
            "k[\"/x\"]: kinds/k.luau:4: the script runs for too long: the limit is 10 million iterations and calls",
            "hint: look for a loop without an end; leave heavy work to a program: run, query",
        ],
    );
    check(
        "local s = string.rep(\"a\", 1e9)",
        &[
            "k[\"/x\"]: kinds/k.luau: the script uses more than 256 MiB of memory",
            "hint: look for a table or a string that only grows",
        ],
    );
}

/// A `trigger` of a resource of the configuration is work: it is planned, and it runs.
#[test]
fn a_body_that_only_triggers_runs() {
    let kind = "function actions.create() trigger(\"log\", \"done\", \"say\") end\n\
                function actions.poke() trigger(\"log\", \"done\", \"say\") end\n";
    let check = |action: &str| {
        let site = format!(
            "log \"done\" {{\n  action = \"nothing\"\n}}\n\nk \"a\" {{\n  action = \"{action}\"\n}}\n"
        );
        let sandbox = sandbox(&site, kind);
        let planned = sandbox.rooted(&["plan"]);
        assert_eq!(planned.code, Some(2), "{}{}", planned.stdout, planned.stderr);
        assert!(planned.stdout.contains("! k.a "), "{action}: {}", planned.stdout);
        assert!(planned.stdout.contains("! log.done\n"), "{action}: {}", planned.stdout);
        for _ in 0..2 {
            let applied = sandbox.rooted(&["apply"]);
            assert_eq!(applied.code, Some(0), "{action}: {}{}", applied.stdout, applied.stderr);
            assert!(applied.stdout.contains("! k.a "), "{action}: {}", applied.stdout);
            assert!(applied.stdout.contains("log.done: done\n"), "{action}: {}", applied.stdout);
        }
    };
    check("converge");
    check("poke");
}

const PLAIN: &str = "properties.path = { type = \"path\", name = true }
properties.text = { type = \"text\", setting = true, required = true }
function actions.create() fs.write(path, text) end
function actions.remove() fs.remove(path) end
";

/// Its removal is done when the body of `remove` changes nothing; it needs no required property.
#[test]
fn a_kind_without_a_loader_is_removed() {
    let sandbox = sandbox("k \"/x\" {\n  text = \"hi\"\n}\n", PLAIN);
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert_eq!(sandbox.read("root/x"), "hi");
    sandbox.write("site.hcl", "k \"/x\" {\n  action = \"remove\"\n}\n");
    let planned = sandbox.rooted(&["plan"]);
    assert!(planned.stdout.contains("1 to remove"), "{}{}", planned.stdout, planned.stderr);
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert!(!sandbox.path("root/x").exists());
    sandbox.rooted(&["plan"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

/// A kind without a loader cannot be created, and a test that expects it says why.
#[test]
fn a_test_explains_why_a_kind_is_not_created() {
    let sandbox = sandbox("k \"/x\" {\n  text = \"hi\"\n}\n", PLAIN);
    sandbox.write("site.test.hcl", "test \"new\" {\n  expect {\n    creates = [k[\"/x\"]]\n  }\n}\n");
    let ran = sandbox.run(&["test"]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains("k[\"/x\"] should be created; it was updated"), "{all}");
    assert!(
        all.contains("help: `k` has no loader, so it cannot tell a new resource from an existing one"),
        "{all}"
    );
}

#[test]
fn a_loader_sees_the_default_of_a_setting_that_is_a_function() {
    let kind = "properties.name = { type = \"text\", name = true }
properties.path = { type = \"path\", setting = true, default = function() return `/{name}.txt` end }
properties.text = { type = \"text\" }
function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.text = fs.read(current.path)
end
function actions.create()
    converge_if_changed(function() fs.write(path, text) end)
end
";
    let sandbox = sandbox("k \"a\" {\n  text = \"hi\"\n}\n", kind);
    let applied = sandbox.rooted(&["apply"]);
    assert_eq!((applied.code, applied.stderr.as_str()), (Some(0), ""), "{}", applied.stdout);
    assert_eq!(sandbox.read("root/a.txt"), "hi");
    sandbox.rooted(&["plan"]).check(0, "No changes. 1 resource is as declared.\n", "");
}

/// The rules for kinds apply to the files that they require.
#[test]
fn required_files_are_trusted_like_kinds() {
    let kind = "local x = require(\"lib/x\")\nfunction actions.create() fs.write(\"/x\", x.text) end\n";
    let sandbox = sandbox("k \"k\" {}\n", kind);
    let plan = || sandbox.rooted(&["plan"]);
    std::fs::create_dir(sandbox.path("kinds/lib")).expect("a folder");
    assert!(plan().stderr.contains("kinds/lib/x.luau does not exist"), "{}", plan().stderr);
    sandbox.write("kinds/lib/x.luau", "return { text = \"x\" }\n");
    assert_eq!(plan().code, Some(2), "{}", plan().stderr);
    let mode = |mode: u32| {
        let path = sandbox.path("kinds/lib/x.luau");
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).expect("a mode");
    };
    mode(0o666);
    assert!(plan().code == Some(1) && plan().stderr.contains("kinds/lib/x.luau"), "{}", plan().stderr);
    mode(0o644);
    sandbox.write("outside.luau", "return { text = \"y\" }\n");
    std::fs::remove_file(sandbox.path("kinds/lib/x.luau")).expect("it existed");
    std::os::unix::fs::symlink("../../outside.luau", sandbox.path("kinds/lib/x.luau")).expect("a link");
    let ran = plan();
    assert!(ran.code == Some(1) && ran.stderr.contains("is a link that leads out of"), "{}", ran.stderr);
}

/// Two blocks that write one file without a claim may lose an edit. That is a failure, whichever of them wrote last.
#[test]
fn a_lost_edit_of_a_kind_without_claims_is_a_failure() {
    let kind = r#"
properties.key = { type = "string", name = true }
properties.file = { type = "path", setting = true, required = true }
properties.value = { type = "string", required = true }

local function text() return fs.exists(file) and fs.read(file) or "" end

function load_current_value(current)
    current.value = string.match(text(), key .. "=(%w+)")
    if not current.value then current_value_does_not_exist() end
end

function actions.create()
    converge_if_changed(function()
        local before = text()
        run("sleep 1")
        fs.write(file, before .. key .. "=" .. value .. "\n")
    end)
end
"#;
    let block = |key: &str| format!("k \"{key}\" {{\n  file  = \"${{path.cwd}}/f\"\n  value = \"x\"\n}}\n");
    let sandbox = sandbox(&["a", "b", "c"].map(block).concat(), kind);
    let ran = sandbox.run(&["apply", "--jobs", "3", "site.hcl"]);
    let kept = sandbox.read("f").lines().count();
    // An edit may be lost before or after the resource was loaded again.
    let failures = ["it still differs after it was applied", "it was changed again by k."];
    let lost: usize = failures.iter().map(|failure| ran.stderr.matches(failure).count()).sum();
    assert_eq!((ran.code, lost), (Some(1), 3 - kept), "{}", ran.stderr);
    assert!(lost > 0, "the edits did not meet: {}", sandbox.read("f"));
}

#[test]
fn a_property_cannot_be_set_by_its_bare_name() {
    let check = |kind: &str, expected: &str| {
        let ran = plan(kind);
        assert!(ran.code == Some(1) && ran.stderr.contains(expected), "{expected} is not in\n{}", ran.stderr);
    };
    check(
        &body("    text = \"x\""),
        "kinds/k.luau:4: text is a property, which cannot be set here: use a local of another name",
    );
    check(
        &format!("{}function load_current_value()\ntext = \"x\"\nend\n", body("")),
        "kinds/k.luau:7: text is a property: write current.text = …",
    );
    let helper = plan(&body("other = \"x\"\nfs.write(path, other)"));
    assert_eq!(helper.code, Some(2), "{}", helper.stderr);
}

/// The directory is later in written order, and nothing declares that the kind depends on it.
#[test]
fn a_kind_may_write_below_a_directory_that_is_declared_later() {
    let kind = "function actions.create()\n  file(`/srv/web/{name}`, { content = \"x\" })\nend\n";
    let site = "k \"a\" {}\ndirectory \"/srv/web\" { recursive = true }\n";
    for (command, code) in [("plan", 2), ("apply", 0)] {
        let ran = sandbox(site, kind).rooted(&[command]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    }
}
