//! Invalid input: a clear error with its location, exit code 1, and an unchanged machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::Sandbox;

/// Checks that every command refuses a configuration and changes nothing.
#[track_caller]
fn check(configuration: impl AsRef<[u8]>, stderr: &str) {
    let sandbox = Sandbox::with(configuration);
    sandbox.write("root/keep", "as it was");
    let before = sandbox.machine();
    for command in ["plan", "apply", "validate"] {
        sandbox.rooted(&[command, "site.hcl"]).check(1, "", stderr);
    }
    assert_eq!(sandbox.machine(), before);
}

#[test]
fn an_unknown_kind() {
    let expected = r#"error[E0401]: unknown kind
 --> site.hcl:1:1
  |
1 | fiel "/x" {}
  | ^^^^^^^^^ there is no kind `fiel`
  |
  = help: did you mean `file`?

error: 1 error; nothing was changed
"#;
    check("fiel \"/x\" {}\n", expected);
}

#[test]
fn an_unknown_property() {
    let expected = r#"error[E0402]: unknown property
 --> site.hcl:2:3
  |
2 |   modee = "0644"
  |   ^^^^^ file["/x"]: `modee` = "0644" is not a property of `file`
  |
  = help: did you mean `mode`?

error: 1 error; nothing was changed
"#;
    check("file \"/x\" {\n  modee = \"0644\"\n}\n", expected);
}

#[test]
fn a_verification_without_the_new_file() {
    let expected = r#"error[E0404]: invalid property
 --> site.hcl:3:13
  |
3 |   verify  = "visudo -cf %s"
  |             ^^^^^^^^^^^^^^^ file["/x"]: `verify` = "visudo -cf %s" must contain `{}`, the path of the new file: without it, the command checks nothing new
  |
  = help: write `{}` in place of `%s`

error: 1 error; nothing was changed
"#;
    check("file \"/x\" {\n  content = \"x\"\n  verify  = \"visudo -cf %s\"\n}\n", expected);
}

#[test]
fn a_verification_of_nothing() {
    let expected = r#"error[E0403]: missing property
 --> site.hcl:2:3
  |
2 |   verify = "true {}"
  |   ^^^^^^ file["/x"]: `verify` has no effect without `content` or `source`
  |
  = help: set `content` or `source`, or remove `verify`

error: 1 error; nothing was changed
"#;
    check("file \"/x\" {\n  verify = \"true {}\"\n}\n", expected);
}

#[test]
fn a_wrong_type() {
    let expected = r#"error[E0404]: invalid property
 --> site.hcl:2:10
  |
2 |   mode = [1]
  |          ^^^ file["/x"]: `mode` = [1] must be a mode, not a list
  |
  = help: write it as an octal string such as "0644", or symbolic such as "u=rw,go=r"

error: 1 error; nothing was changed
"#;
    check("file \"/x\" {\n  mode = [1]\n}\n", expected);
}

#[test]
fn a_missing_property() {
    let expected = r#"error[E0403]: missing property
 --> site.hcl:1:1
  |
1 | link "/x" {}
  | ^^^^^^^^^ link["/x"]: `to` is required
  |
  = help: add `to = …` (any path)

error: 1 error; nothing was changed
"#;
    check("link \"/x\" {}\n", expected);
}

#[test]
fn a_cycle() {
    let expected = r#"error[E0506]: dependency cycle
 --> site.hcl:5:17
  |
5 |   depends_on = [log.a]
  |                 ^^^^^ log.b waits for log.a (depends_on), log.a waits for log.b (depends_on)
  |
 ::: site.hcl:2:17
  |
2 |   depends_on = [log.b]
  |                 ----- log.a waits for log.b
  |
  = help: remove one of these dependencies

error: 1 error; nothing was changed
"#;
    check("log \"a\" {\n  depends_on = [log.b]\n}\nlog \"b\" {\n  depends_on = [log.a]\n}\n", expected);
}

/// Such a condition is known before the run, and must not silently leave out its block.
#[test]
fn a_condition_on_an_undeclared_resource() {
    let expected = r#"error[E0207]: unknown resource
 --> site.hcl:2:10
  |
2 |   when = foo.bar == "x"
  |          ^^^^^^^ foo.bar is referred to, but not declared
  |
  = help: declare it: foo "bar" { … }; or write a string, in quotes

error: 1 error; nothing was changed
"#;
    check("log \"a\" {\n  when = foo.bar == \"x\"\n}\n", expected);
}

#[test]
fn a_condition_on_a_whole_resource() {
    let expected = r#"error[E0220]: operand of the wrong type
 --> site.hcl:3:10
  |
3 |   when = log.a == "x"
  |          ^^^^^ this is a resource, which never equals a string
  |
  = help: compare one of its properties: `log.a.…`

error: 1 error; nothing was changed
"#;
    check("log \"a\" {}\nlog \"b\" {\n  when = log.a == \"x\"\n}\n", expected);
}

#[test]
fn a_duplicate() {
    let expected = r#"error[E0501]: duplicate resource
 --> site.hcl:2:1
  |
2 | log "a" {}
  | ^^^^^^^ log.a is declared twice; each resource can be declared only once
  |
 ::: site.hcl:1:1
  |
1 | log "a" {}
  | ------- first declared here
  |
  = help: give one of them another name, or put all of it into one block

error: 1 error; nothing was changed
"#;
    check("log \"a\" {}\nlog \"a\" {}\n", expected);
}

#[test]
fn a_file_that_is_not_utf_8() {
    let expected = "error: site.hcl:2:14: this byte is not UTF-8\n  \
                    because: invalid utf-8 sequence of 1 bytes from index 23\n  \
                    hint: save the file as UTF-8\n";
    check(b"log \"a\" {\n  message = \"\xff\"\n}\n", expected);
}

#[test]
fn a_file_that_cannot_be_read() {
    let sandbox = Sandbox::with("log \"a\" {}\n");
    sandbox.rooted(&["apply", "none.hcl"]).check(
        1,
        "",
        "error: cannot read the configuration none.hcl\n  because: No such file or directory (os error 2)\n  \
         hint: give the path of a file, of a directory, or - for standard input\n",
    );
    sandbox.rooted(&["plan", "root"]).check(
        1,
        "",
        "error: there is no *.hcl file in root\n  hint: write one, or give another path\n",
    );
    fs::set_permissions(sandbox.path("site.hcl"), fs::Permissions::from_mode(0o000)).expect("ours");
    if fs::read(sandbox.path("site.hcl")).is_err() {
        // Root can read any file, so this is only tested for other users.
        let ran = sandbox.rooted(&["plan", "site.hcl"]);
        assert!(ran.stderr.starts_with("error: cannot read the configuration site.hcl\n"), "{}", ran.stderr);
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
fn no_configuration_at_all() {
    Sandbox::new().rooted(&["plan"]).check(
        1,
        "",
        "error: there is no *.hcl file in .\n  \
         hint: name a file, change to a directory with *.hcl files, or try `--demo`\n",
    );
}

#[test]
fn a_line_of_ten_megabytes() {
    let long = "x".repeat(10 << 20);
    let expected = format!(
        "error[E0101]: unclosed string
 --> site.hcl:2:13
  |
2 |   message = \"{}…
  |             ^ the line ends before the closing `\"`
  |
  = help: add `\"`; for a string of several lines use a heredoc: `<<-END`

error: 1 error; nothing was changed
",
        "x".repeat(99)
    );
    check(format!("log \"a\" {{\n  message = \"{long}\n}}\n"), &expected);
}

#[test]
fn a_mistake_at_the_end_of_a_line_of_ten_megabytes() {
    let sandbox = Sandbox::with(format!("log \"a\" {{\n  message = [\"{}\", ?]\n}}\n", "x".repeat(10 << 20)));
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("at site.hcl:2:10485778, in a line too long"), "{}", ran.stderr);
    assert!(ran.stderr.len() < 2_000, "{} bytes", ran.stderr.len());
}

#[test]
fn ten_thousand_nested_braces() {
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    for value in [nested("{ a = ", " }"), nested("[", "]"), nested("\"${", "}\"")] {
        let sandbox = Sandbox::with(format!("log \"a\" {{\n  message = {value}\n}}\n"));
        let ran = sandbox.rooted(&["apply", "site.hcl"]);
        assert!(ran.stderr.contains("error[E0801]: nested too deeply\n"), "{}", ran.stderr);
        assert!(ran.stderr.contains("site.hcl:2:"), "{}", ran.stderr);
        assert!(ran.stderr.len() < 4_000, "{} bytes", ran.stderr.len());
        assert_eq!(ran.code, Some(1));
        assert!(sandbox.machine().is_empty());
    }
}

#[test]
fn all_mistakes_are_reported_at_once_in_order() {
    let sandbox = Sandbox::with("log \"a\" {\n  x = 1\n}\n\nfiel \"b\" {}\n\nlink \"/c\" {}\n");
    let ran = sandbox.rooted(&["validate", "site.hcl"]);
    let places: Vec<&str> =
        ran.stderr.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")).collect();
    assert_eq!(places, ["site.hcl:2:3", "site.hcl:5:1", "site.hcl:7:1"], "{}", ran.stderr);
    assert!(ran.stderr.ends_with("error: 3 errors; nothing was changed\n"), "{}", ran.stderr);
}

#[test]
fn a_wrong_command_line() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["plan", "--nope"][..], &["nope"], &[], &["plan", "--jobs", "0"], &["plan", "-q", "-v"]]
    {
        let ran = sandbox.run(arguments);
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty());
    }
}

#[test]
fn a_missing_root() {
    let sandbox = Sandbox::with("log \"a\" {}\n");
    let ran = sandbox.run(&["apply", "--root", "none"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("none"), "{}", ran.stderr);
}

#[test]
fn a_misspelt_property_is_one_mistake() {
    let sandbox = Sandbox::with(
        "service \"cron\" { runnig = true }\ntask \"t\" {\n  aply = \"true\"\n  creates = \"/x\"\n}\n",
    );
    let ran = sandbox.rooted(&["validate"]);
    assert!(ran.stderr.contains("did you mean `running`?"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `apply`?"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("error[E0402]: ").count(), 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: 2 errors"), "{}", ran.stderr);
}

#[test]
fn a_known_string_has_no_members() {
    let sandbox = Sandbox::with(
        "query \"q\" { query = \"true\" }\nlog \"a\" { message = join(\"\", [for x in query.q.value : x]) }\n\
         log \"b\" { message = query.q.value.foo }\nlog \"c\" { message = query.q.value[\"x\"] }\n",
    );
    let ran = sandbox.rooted(&["validate"]);
    assert_eq!(ran.code, Some(1));
    let summaries =
        ["[E0225]: value cannot be looped over", "[E0209]: unknown member", "[E0209]: unknown member"];
    let found: Vec<&str> = ran.stderr.lines().filter_map(|line| line.strip_prefix("error")).collect();
    assert_eq!(found[..3], summaries, "{}", ran.stderr);
}

/// A mistake in the head or in the condition of a block does not hide those in its body.
#[test]
fn all_mistakes_of_a_block_are_reported() {
    let check = |configuration: &str, expected: &[&str]| {
        let ran = Sandbox::with(configuration).rooted(&["validate", "site.hcl"]);
        let found: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("error[")).collect();
        let expected: Vec<String> = expected.iter().map(|code| format!("error[{code}]")).collect();
        assert_eq!(found.len(), expected.len(), "{}", ran.stderr);
        assert!(found.iter().zip(&expected).all(|(found, code)| found.starts_with(code)), "{}", ran.stderr);
    };
    let computed = "file \"/tmp/${host.hostname}\" {\n  contents = \"x\"\n}\n";
    check(computed, &["E0120", "E0402"]);
    check(&format!("{computed}user \"${{host.hostname}}\" {{}}\n"), &["E0120", "E0402", "E0120"]);
    let conditional = |when: &str| format!("file \"/a\" {{\n  when = {when}\n  contents = \"x\"\n}}\n");
    check(&conditional("3"), &["E0224", "E0402"]);
    let opposite = conditional("\"host.a\"") + &conditional("\"!host.a\"").replace("contents", "content");
    check(&opposite, &["E0224", "E0402", "E0224"]);
    let both = "file \"a\" {\n  path = \"/a\"\n  when = 3\n}\nfile \"b\" {\n  path = \"/a\"\n  when = 4\n}\n";
    check(both, &["E0224", "E0224"]);
}

#[test]
fn hints_for_words_of_other_tools_fit_the_kind() {
    let check = |configuration: &str, hint: &str| {
        let ran = Sandbox::with(configuration).rooted(&["validate", "site.hcl"]);
        assert!(ran.stderr.contains(&format!("= help: {hint}\n")), "{}", ran.stderr);
    };
    check(
        "directory \"/a\" { recurse = true }\n",
        "`mode`, `owner` and `group` are those of the directory itself; `recursive` creates missing parents",
    );
    check("file \"/a\" { variables = {} }\n", "write `content = template(\"FILE\", { … })`");
    check("user \"ann\" {}\nfile \"/a\" { owner = ann.name }\n", "did you mean user.ann.name?");
    let unknown =
        "there is no kind `ann`: a fact is `host.…`, an input `param.…`; or write a string, in quotes";
    check("file \"/a\" { owner = ann.name }\n", unknown);
}

/// The name in a computed label is not known: it is no reason for another error.
#[test]
fn a_computed_label_is_the_only_mistake() {
    let sandbox = Sandbox::with(
        "module \"a\" {\n  source = \"./app\"\n  name   = \"a\"\n}\nmodule \"b\" {\n  source = \"./app\"\n  name   = \"b\"\n}\n",
    );
    fs::create_dir(sandbox.path("app")).expect("a directory");
    sandbox.write("app/main.hcl", "param \"name\" {}\ndirectory \"/srv/${param.name}\" {}\n");
    let printed = sandbox.run(&["validate", "site.hcl"]).stderr;
    assert!(printed.contains("E0120") && !printed.contains("E0502"), "{printed}");
    let printed =
        Sandbox::with("file \"${path.cwd}/e\" { content = \"e\" }\n").run(&["validate", "site.hcl"]).stderr;
    assert!(printed.contains("E0120") && !printed.contains("E0404"), "{printed}");
}
