//! What first-time users read: addresses and paths in plans, hints for words of other tools, one message for one mistake.

use std::fs;

use serde_json::Value;

use super::sandbox::Sandbox;

const SITE: &str = r#"directory "conf" {
  path = "/conf"
}
file "site" {
  path    = "${directory.conf.path}/site.conf"
  content = "x\n"
}
file "/plain" {
  content = "y\n"
}
"#;

#[test]
fn a_plan_shows_the_path_that_the_label_does_not() {
    let sandbox = Sandbox::with(SITE);
    let planned = sandbox.rooted(&["plan", "--out", "site.plan"]).stdout;
    for line in [
        "  + directory.conf (/conf)   (create; ",
        "  + file.site (/conf/site.conf)   (create; ",
        "  + file[\"/plain\"]   (",
    ] {
        assert!(planned.contains(line), "{line}: {planned}");
    }
    let shown = sandbox.run(&["show", "site.plan"]).stdout;
    assert!(shown.contains("  + directory.conf (/conf)   (create; "), "{shown}");
    let stream = sandbox.rooted(&["plan", "--json"]).stdout;
    let lines = stream.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let identities: Vec<(String, Value)> = lines
        .filter(|line: &Value| line["type"] == "resource_finished")
        .map(|line| (line["resource"]["address"].to_string(), line["identity"].clone()))
        .collect();
    assert_eq!(identities[0], ("\"directory.conf\"".to_owned(), Value::from("/conf")));
    assert_eq!(identities.iter().filter(|(_, identity)| identity.is_null()).count(), 1);
}

/// Three levels of files, and a handler for all of them.
fn many() -> String {
    let mut text = "task \"handler\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n".to_owned();
    for number in 0..60 {
        let before = if number < 20 { String::new() } else { format!("file.f{}", number - 20) };
        text += &format!(
            "file \"f{number}\" {{\n  path = \"/f{number}\"\n  content = \"{number}\"\n  \
             depends_on = [{before}]\n  notifies = [task.handler.run]\n}}\n"
        );
    }
    text
}

#[test]
fn a_plan_is_the_same_for_any_number_of_jobs() {
    let sandbox = Sandbox::with(many());
    let plan = |jobs: &str| sandbox.run(&["plan", "--root", "root", "--jobs", jobs]).stdout;
    let expected = plan("1");
    let order: Vec<&str> = expected.lines().filter_map(|line| line.strip_prefix("  + file.")).collect();
    assert!(order.len() == 60 && order[0].starts_with("f0 ") && order[59].starts_with("f59 "), "{order:?}");
    for _ in 0..5 {
        assert_eq!(plan("8"), expected);
    }
    let reason = "  ! task.handler   (will run, because file.f0, file.f1, file.f2 and 57 more will change; ";
    assert!(expected.contains(reason), "{expected}");
    assert_eq!(sandbox.rooted(&["plan", "--out", "site.plan"]).code, Some(2));
    let shown = sandbox.run(&["show", "site.plan"]).stdout;
    assert!(shown.contains(reason), "{shown}");
}

#[test]
fn a_selection_is_named_when_nothing_changes() {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    let line = "No changes. 2 selected resources are as declared; 1 other was not checked.\n";
    sandbox.rooted(&["plan", "--target", "file.site"]).check(0, line, "");
    sandbox.rooted(&["plan"]).check(0, "No changes. 3 resources are as declared.\n", "");
}

/// The hints of all errors.
fn hints(configuration: &str) -> Vec<String> {
    let printed = Sandbox::with(configuration).rooted(&["validate"]).stderr;
    let lines = printed.lines().filter_map(|line| line.trim_start().strip_prefix("= help: "));
    lines.map(str::to_owned).collect()
}

#[test]
fn words_of_other_tools_have_one_hint_each() {
    let task = "task \"r\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n";
    for (argument, expected) in [
        (
            "notify = task.r.run",
            "write `notifies = […]`, with the resource and the action: `notifies = [service.nginx.reload]`",
        ),
        ("subscribe = [task.r]", "did you mean `subscribes`?"),
        ("require = file.nowhere", "write `depends_on = […]`"),
        ("before = service.nowhere.restart", "write `depends_on = […]` in the other resource"),
    ] {
        let found = hints(&format!("{task}file \"/x\" {{\n  {argument}\n}}\n"));
        assert_eq!(found, [expected], "{argument}");
    }
}

/// The second error would be about a property that the user did not write.
#[test]
fn an_unknown_property_is_the_only_error() {
    for (configuration, expected) in [
        ("file \"/x\" {\n  src     = \"a\"\n  content = \"b\"\n}\n", "did you mean `source`?"),
        ("file \"/x\" {\n  validate = \"visudo -cf %s\"\n}\n", "did you mean `verify`?"),
        ("service \"x\" {\n  state = \"started\"\n}\n", "write `running = true`"),
        ("service \"x\" {\n  ensure = \"stopped\"\n}\n", "write `running = false`"),
        (
            "directory \"/x\" {\n  keep = [\"a\"]\n}\n",
            "to keep only some of the unmanaged content, write a list of it: `purge = [\"keep.conf\"]`",
        ),
        ("service \"x\" {\n  nonsense = true\n}\n", "`uphold explain service` lists its properties"),
    ] {
        assert_eq!(hints(configuration), [expected], "{configuration}");
    }
}

#[test]
fn a_suggestion_does_not_name_its_own_block() {
    let file = |argument: &str| format!("file \"app_conf\" {{\n  path    = \"/x\"\n  {argument}\n}}\n");
    let declare = "declare it: file \"app_config\" { … }";
    for argument in [
        "depends_on = [file.app_config]",
        "notifies = [file.app_config.touch]",
        "content = file.app_config.path",
    ] {
        assert_eq!(hints(&file(argument)), [declare], "{argument}");
        let other = "file \"app_confi\" { path = \"/y\" }\n".to_owned() + &file(argument);
        assert_eq!(hints(&other), ["did you mean file.app_confi?"], "{argument}");
    }
}

#[test]
fn a_list_of_maps_in_for_each_becomes_a_map() {
    let sites = "locals {\n  sites = [{ port = 80, domain = \"a.example\" }]\n}\n";
    let log = "log \"x\" {\n  for_each = local.sites\n  message  = each.key\n}\n";
    let found = hints(&format!("{sites}{log}"));
    assert_eq!(found, ["make a map of it: `{ for x in local.sites : x.domain => x }`"]);
    let fixed = log.replace("local.sites", "{ for x in local.sites : x.domain => x }");
    assert_eq!(hints(&format!("{sites}{fixed}")), [""; 0]);
    let lists = "log \"x\" {\n  for_each = [[1], [2]]\n}\n";
    let expected = "make a map of it, with a name for each: `{ for i, x in … : \"name${i}\" => x }`";
    assert_eq!(hints(lists), [expected]);
}

#[test]
fn accounts_of_a_test_are_seen_by_their_kinds() {
    let sandbox =
        Sandbox::with("user \"ann\" { shell = \"/bin/sh\" }\ngroup \"staff\" { members = [\"ann\"] }\n");
    sandbox.write(
        "site.test.hcl",
        "given {\n  user \"ann\" {}\n  group \"staff\" { members = [\"ann\"] }\n}\n\
         test \"they exist\" {\n  expect {\n    unchanged = [user.ann, group.staff]\n  }\n}\n",
    );
    let ran = sandbox.run(&["test"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

/// It is a word of types, and a function.
#[test]
fn optional_in_the_place_of_the_other_is_explained() {
    let found = hints(
        "param \"a\" {\n  type    = optional(string)\n  default = \"x\"\n}\nlog \"x\" { message = param.a }\n",
    );
    assert_eq!(found, ["write `type = string`; for a param that may be unset, add `required = false`"]);
    let found = hints("file \"/x\" {\n  owner = optional(\"ann\", \"root\")\n}\n");
    let expected = "here it takes the value: `owner = optional(param.owner)`; for a default, write \
                    `param.owner == null ? \"…\" : param.owner`";
    assert_eq!(found, [expected]);
}

#[test]
fn a_key_on_one_line_lacks_no_newline() {
    let sandbox = Sandbox::with(
        "authorized_key \"laptop\" {\n  user = \"root\"\n  file = \"/keys\"\n  key  = \"ssh-ed25519 \
         AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a ann@laptop\"\n}\n",
    );
    fs::create_dir(sandbox.path("root/etc")).expect("a folder");
    sandbox.write("root/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
    let planned = sandbox.rooted(&["plan"]).stdout;
    assert!(planned.contains("+ ssh-ed25519 AAAA"), "{planned}");
    assert!(!planned.contains("no newline"), "{planned}");
}

#[test]
fn a_root_without_a_package_manager_is_named() {
    let printed = Sandbox::with("package \"nginx\" {}\n").rooted(&["plan"]).stderr;
    let expected = "error: package.nginx: no package manager was found below the root FOLDER/root   (";
    assert!(printed.starts_with(expected), "{printed}");
    assert!(printed.contains("\n  hint: a root needs a complete system"), "{printed}");
}

#[test]
fn a_mistake_in_for_each_is_reported_once() {
    let sandbox = Sandbox::with(
        "file \"x\" {\n  for_each = toset([\"a\", \"b\", \"c\", \"d\"])\n  path     = \"/${each.key}\"\n  mode     = \"99\"\n}\n",
    );
    let expected = r#"error[E0404]: invalid property
 --> ./site.hcl:4:14
  |
4 |   mode     = "99"
  |              ^^^^ file.x["a"]: `mode` = "99" is not a mode (4 instances: "a", "b", "c" and 1 more)
  |
  = help: write it as an octal string such as "0644", or symbolic such as "u=rw,go=r"

error: 1 error; nothing was changed
"#;
    sandbox.rooted(&["plan"]).check(1, "", expected);
}

#[test]
fn a_mistake_in_a_duplicate_is_reported_once() {
    let block = "file \"/x\" {\n  mode = \"99\"\n}\n";
    let printed = Sandbox::with(format!("{block}{block}")).rooted(&["plan"]).stderr;
    assert_eq!(printed.matches("is not a mode").count(), 1, "{printed}");
    assert_eq!(printed.matches("is declared twice").count(), 1, "{printed}");
}

#[test]
fn an_unknown_kind_says_where_kinds_are_looked_for() {
    let found = hints("nosuchkind \"x\" {}\n");
    assert!(
        found[0].contains("`kinds` beside the configuration") && found[0].contains("UPHOLD_KINDS_PATH"),
        "{found:?}"
    );
}

#[test]
fn a_missing_root_is_named() {
    let sandbox = Sandbox::with(SITE);
    let expected = "error: cannot use the root directory nowhere\n  because: No such file or directory (os error 2)\n  hint: \
                    create the directory first\n";
    sandbox.run(&["plan", "--root", "nowhere"]).check(1, "", expected);
}

/// A configuration that was not named does not fill the screen.
#[test]
fn the_console_counts_the_errors_of_the_current_directory() {
    let sandbox = Sandbox::with("fiel \"/x\" {\n  a = local.nowhere\n}\n");
    let warning = "warning: the configuration in the current directory has 1 error; values that depend on it are \
                   unknown; `uphold validate` shows it\n";
    sandbox.rooted(&["console", "-e", "upper(\"a\")"]).check(0, "\"A\"\n", warning);
    let named = sandbox.rooted(&["console", "site.hcl", "-e", "upper(\"a\")"]).stderr;
    assert!(named.contains("local.nowhere"), "{named}");
}

#[test]
fn null_in_a_template_is_an_error_at_its_line() {
    let sandbox = Sandbox::with("file \"/x\" {\n  content = template(\"x.j2\", { port = null })\n}\n");
    sandbox.write("x.j2", "host a\nport {{ port }}\n");
    let printed = sandbox.rooted(&["plan"]).stderr;
    assert!(printed.contains("line 2 of the template: `port` is null"), "{printed}");
    assert!(printed.contains("= help: write `{{ port | default(\"…\") }}`"), "{printed}");
    fs::write(sandbox.path("x.j2"), "port {{ port | default(\"80\") }}\n").expect("a file");
    assert!(sandbox.rooted(&["plan"]).stdout.contains("port 80"));
}

/// A mistake in a block with `for_each` is one mistake.
#[test]
fn a_mistake_of_all_instances_is_reported_once() {
    let check = |line: &str, expected: &str| {
        let text = format!(
            "file \"f\" {{\n  for_each = [\"/a\", \"/b\", \"/c\"]\n  path = each.key\n  {line}\n}}\n"
        );
        let printed = Sandbox::with(text).rooted(&["validate"]).stderr;
        assert!(printed.contains(expected), "{printed}");
        assert!(printed.ends_with("error: 1 error; nothing was changed\n"), "{printed}");
    };
    check("action = \"shine\"", "`file` has no action `shine` (3 instances)");
    check("content = file.nowhere.size", "file.nowhere is referred to, but not declared (3 instances)");
    check("mode = \"x\"", "(3 instances: \"/a\", \"/b\", \"/c\")");
}

#[test]
fn the_key_of_a_for_each_is_the_name() {
    let sandbox = Sandbox::with("file \"/a\" {\n  for_each = [\"x\", \"y\"]\n  content = \"hi\"\n}\n");
    let printed = sandbox.rooted(&["validate"]).stderr;
    assert!(printed.contains("must be an absolute path (2 instances: \"x\", \"y\")"), "{printed}");
    assert!(printed.contains("= help: the key of `for_each` is the name"), "{printed}");
}

/// Another action needs other properties.
#[cfg(feature = "luau")]
#[test]
fn an_unknown_action_is_the_only_error() {
    let sandbox = Sandbox::with("page \"x\" { action = \"remove\" }\n");
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    let kind = "properties.title = { type = \"string\", required = true }\nfunction actions.create() end\n";
    sandbox.write("kinds/page.luau", kind);
    let printed = sandbox.rooted(&["validate"]).stderr;
    assert!(printed.contains("`page` has no action `remove`"), "{printed}");
    assert!(printed.ends_with("error: 1 error; nothing was changed\n"), "{printed}");
}

/// As a shell expands `*.hcl`.
#[test]
fn a_test_file_in_place_of_a_configuration_is_the_only_error() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("site.test.hcl", "test \"t\" {}\n");
    let expected = "error: site.test.hcl is a test file, not a configuration\n  hint: leave it out; `uphold test site.test.hcl` runs it\n";
    for command in ["plan", "validate"] {
        sandbox.run(&[command, "site.hcl", "site.test.hcl"]).check(1, "", expected);
    }
}

#[test]
fn a_directory_as_source_is_copied_file_by_file() {
    let sandbox = Sandbox::with("file \"/x\" {\n  source = \"tree\"\n}\n");
    fs::create_dir(sandbox.path("tree")).expect("a directory");
    let printed = sandbox.rooted(&["validate"]).stderr;
    assert!(printed.contains("= help: to copy a directory, write `for_each = fileset(…)`"), "{printed}");
}

/// The examples have owners, and the first root that people make has no accounts.
#[test]
fn an_owner_in_a_root_without_accounts_is_explained() {
    let sandbox = Sandbox::with("file \"/x\" {\n  owner = \"root\"\n}\n");
    let ran = sandbox.rooted(&["plan"]);
    let output = format!("{}{}", ran.stdout, ran.stderr);
    let hint = "/etc/passwd does not exist: create it, or write the ID as a number";
    assert!(output.contains("there is no user `root`") && output.contains(hint), "{output}");
    fs::create_dir(sandbox.path("root/etc")).expect("a directory");
    sandbox.write("root/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
    assert_eq!(sandbox.rooted(&["plan"]).code, Some(2));
}

/// However many resources are visited at a time, a plan shows the consequences of a group after its members, and names
/// all members that change.
#[test]
fn the_consequences_of_a_group_follow_its_members_in_a_plan() {
    let sandbox = Sandbox::with(
        r#"
task "reload" {
  apply  = "true"
  action = "nothing"
}
parallel "site" {
  verify   = "true"
  notifies = [task.reload.run]
  file "f" {
    for_each = ["a", "b", "c"]
    path     = "${path.cwd}/${each.key}"
    content  = each.key
  }
}
"#,
    );
    let because = "(will run, because file.f[\"a\"], file.f[\"b\"] and file.f[\"c\"] will change";
    for _ in 0..8 {
        let ran = sandbox.run(&["plan", "--jobs", "8", "site.hcl"]);
        let headings = ran.stdout.lines().filter(|line| line.starts_with("  + ") || line.starts_with("  ! "));
        let names: Vec<&str> = headings.filter_map(|line| line[4..].split("   (").next()).collect();
        let file = |key: &str| format!("file.f[\"{key}\"] (FOLDER/{key})");
        let expected = [&*file("a"), &file("b"), &file("c"), "task[\"verify site\"]", "task.reload"];
        assert_eq!(names, expected, "{}", ran.stdout);
        assert_eq!(ran.stdout.matches(because).count(), 2, "{}", ran.stdout);
    }
}
