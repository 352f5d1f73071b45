//! When programs of kinds are run, and which owners are trusted.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use super::sandbox::{Ran, Sandbox};
use crate::binary::write_program;

/// The ID of a user other than root.
const OTHER_USER: u32 = 12_345;

/// A kind `lamp` whose program prints its schema, and logs each run in the file `ran` of its directory.
const MANIFEST: &str = r#"{ "$schema": "x", "type": "Example/Lamp", "version": "1.0.0",
  "get": { "executable": "lamp.sh", "args": ["get"], "input": "stdin" },
  "schema": { "command": { "executable": "lamp.sh", "args": ["schema"] } } }"#;

const PROGRAM: &str = r#"#!/bin/sh
echo "$1" >> ran
case "$1" in
schema) echo '{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "lit": {"type": "boolean"}}}' ;;
get) echo '{"name": "hall", "lit": true}' ;;
esac
"#;

const LAMP: &str = "lamp \"hall\" {\n  lit = true\n}\n";

fn sandbox(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    plant(&sandbox, "kinds");
    sandbox
}

fn plant(sandbox: &Sandbox, directory: &str) {
    fs::create_dir(sandbox.path(directory)).expect("a directory");
    sandbox.write(&format!("{directory}/lamp.dsc.resource.json"), MANIFEST);
    write_program(&sandbox.path(&format!("{directory}/lamp.sh")), PROGRAM);
}

/// The logged runs of the program, one per line; clears the log.
fn runs(sandbox: &Sandbox) -> String {
    let ran = fs::read_to_string(sandbox.path("kinds/ran")).unwrap_or_default();
    let _ = fs::remove_file(sandbox.path("kinds/ran"));
    ran
}

/// Gives a path to another user; false, with a message, if the test does not run as root.
fn give_away(path: &Path) -> bool {
    let given = chown(path, Some(OTHER_USER), Some(OTHER_USER)).is_ok();
    if !given {
        let _ = writeln!(std::io::stderr(), "SKIPPED {}: only root can give files away", path.display());
    }
    given
}

/// Commands that need no program of a kind; `site.hcl` uses none.
const WITHOUT_PROGRAMS: [&[&str]; 13] = [
    &["explain"],
    &["explain", "file"],
    &["explain", "--list"],
    &["schema"],
    &["schema", "--luau"],
    &["read", "file", "/etc/passwd", "owner"],
    &["validate"],
    &["graph"],
    &["console", "-e", "1"],
    &["fmt", "--check"],
    &["plan"],
    &["apply"],
    &["plan", "-"],
];

#[test]
fn a_program_is_run_only_for_a_block_that_needs_it() {
    let unused = sandbox("log \"a\" {}\n");
    for arguments in WITHOUT_PROGRAMS {
        let ran = unused.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        assert_eq!(runs(&unused), "", "{arguments:?}");
    }
    let used = sandbox(LAMP);
    for arguments in
        [&["validate"][..], &["graph"], &["console", "-e", "1"], &["explain", "lamp"], &["schema"]]
    {
        let ran = used.run(arguments);
        assert_eq!((ran.code, runs(&used)), (Some(0), String::new()), "{arguments:?}: {}", ran.stderr);
    }
    used.run(&["plan"]).check(0, "No changes. 1 resource is as declared.\n", "");
    assert_eq!(runs(&used), "schema\nget\n");
    used.run(&["read", "lamp", "hall", "lit"]).check(0, "true\n", "");
    assert_eq!(runs(&used), "schema\nget\n");
}

#[test]
fn without_the_program_schema_errors_are_not_reported() {
    let site = "lamp \"hall\" {\n  lit = true\n  odd = 1\n}\nfile \"/b\" {\n  content = lamp.hall.words\n}\n";
    let sandbox = sandbox(site);
    let ran = sandbox.run(&["validate"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let words = "a program prints the properties of `lamp`, and no program is run here";
    assert!(
        ran.stderr.contains("properties are not checked") && ran.stderr.contains(words),
        "{}",
        ran.stderr
    );
    let page = sandbox.run(&["explain", "lamp"]).stdout;
    assert!(
        page.contains("Its program prints its properties.") && page.contains("Defined in kinds/"),
        "{page}"
    );
    let plan = sandbox.run(&["plan"]);
    assert_eq!(plan.code, Some(1));
    assert!(plan.stderr.contains("`odd` = 1 is not a property of `lamp`"), "{}", plan.stderr);
    // Unrelated parts are still checked.
    sandbox.write("site.hcl", "lamp \"hall\" {\n  lit = nothing.there\n}\n");
    assert_eq!(sandbox.run(&["validate"]).code, Some(1));
}

#[test]
fn a_script_that_declares_such_a_resource_runs_its_program() {
    let sandbox = sandbox("house \"mine\" {}\n");
    let script = "properties.name = { type = \"text\", name = true }\n\
                  function actions.create() lamp(\"hall\", { lit = true }) end\n";
    sandbox.write("kinds/house.luau", script);
    assert_eq!((sandbox.run(&["validate"]).code, &*runs(&sandbox)), (Some(0), ""));
    let ran = sandbox.run(&["plan"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert!(runs(&sandbox).starts_with("schema\nget\n"));
}

#[test]
fn a_program_without_a_schema_is_reported_where_the_kind_is_used() {
    let sandbox = sandbox("log \"a\" {}\n");
    sandbox.write("kinds/lamp.sh", "#!/bin/sh\nexit 3\n");
    assert_eq!(sandbox.run(&["plan"]).code, Some(0));
    sandbox.write("site.hcl", LAMP);
    let ran = sandbox.run(&["plan"]);
    assert_eq!(ran.code, Some(1));
    let words = [
        "error[E0601]: unusable kind",
        "./site.hcl:1:1",
        "the kind `lamp` cannot be used: kinds/lamp.dsc.resource.json:3:26: cannot `schema` Example/Lamp: its \
         program exited with status 3",
    ];
    words.iter().for_each(|words| assert!(ran.stderr.contains(words), "no {words:?} in\n{}", ran.stderr));
}

fn check_refused(ran: &Ran, command: &str, reason: &str) {
    assert!(ran.stderr.contains(reason), "{command}: no {reason:?} in\n{}{}", ran.stdout, ran.stderr);
}

#[test]
fn kinds_of_another_user_are_refused() {
    let sandbox = sandbox("log \"a\" {}\n");
    if !give_away(&sandbox.path("kinds")) {
        return;
    }
    let reason = "kinds: FOLDER/kinds is not trusted: it belongs to uid 12345";
    for arguments in WITHOUT_PROGRAMS.iter().filter(|arguments| arguments[0] != "fmt") {
        let ran = sandbox.run(arguments);
        assert_eq!((ran.code, runs(&sandbox)), (Some(0), String::new()), "{arguments:?}: {}", ran.stderr);
        if arguments[0] != "console" {
            check_refused(&ran, arguments[0], reason);
        }
    }
    sandbox.write("site.hcl", LAMP);
    for arguments in [&["plan"][..], &["apply"], &["validate"], &["watch", "--plain", "--socket", "none"]] {
        let ran = sandbox.run(arguments);
        assert_eq!((ran.code, runs(&sandbox)), (Some(1), String::new()), "{arguments:?}: {}", ran.stderr);
        let unusable = "the kind `lamp` cannot be used: FOLDER/kinds is not trusted: it belongs to uid 12345";
        check_refused(&ran, arguments[0], unusable);
    }
    let read = sandbox.run(&["read", "lamp", "hall"]);
    assert_eq!((read.code, runs(&sandbox)), (Some(1), String::new()));
    // A directory that is named explicitly is trusted.
    plant(&sandbox, "more");
    give_away(&sandbox.path("more"));
    let named = sandbox.run(&["explain", "file", "--kinds", "more"]);
    check_refused(&named, "--kinds", "error[E0607]: kinds are not trusted");
}

#[test]
fn a_manifest_or_a_program_of_another_user_is_refused() {
    let sandbox = sandbox(LAMP);
    if !give_away(&sandbox.path("kinds/lamp.sh")) {
        return;
    }
    let ran = sandbox.run(&["plan"]);
    assert_eq!((ran.code, runs(&sandbox)), (Some(1), String::new()));
    let reason =
        "cannot run FOLDER/kinds/lamp.sh: FOLDER/kinds/lamp.sh is not trusted: it belongs to uid 12345";
    check_refused(&ran, "plan", reason);
    chown(sandbox.path("kinds/lamp.sh"), Some(0), Some(0)).expect("we are root");
    assert_eq!(sandbox.run(&["plan"]).code, Some(0));
    give_away(&sandbox.path("kinds/lamp.dsc.resource.json"));
    let ran = sandbox.run(&["plan"]);
    assert_eq!((ran.code, runs(&sandbox)), (Some(1), "schema\nget\n".to_owned()), "of the run before");
    check_refused(
        &ran,
        "plan",
        "the kind `lamp` cannot be used: FOLDER/kinds/lamp.dsc.resource.json is not trusted",
    );
}

#[test]
fn kinds_that_others_can_write_are_refused() {
    let sandbox = sandbox(LAMP);
    fs::set_permissions(sandbox.path("kinds"), fs::Permissions::from_mode(0o777)).expect("a mode");
    let ran = sandbox.run(&["plan"]);
    assert_eq!((ran.code, runs(&sandbox)), (Some(1), String::new()));
    check_refused(&ran, "plan", "kinds is not trusted: others can write it");
    check_refused(&ran, "plan", "keep a copy where only you and root can write");
}

#[test]
fn configuration_of_another_user_is_not_run() {
    let sandbox = Sandbox::with("task \"t\" {\n  check = \"false\"\n  apply = \"touch ran\"\n}\n");
    if !give_away(&sandbox.path("site.hcl")) {
        return;
    }
    for command in ["plan", "apply", "watch"] {
        let ran = sandbox.run(&[command]);
        assert_eq!(ran.code, Some(1), "{command}: {}", ran.stderr);
        check_refused(&ran, command, "error[E0609]: configuration is not trusted");
        check_refused(&ran, command, "FOLDER/site.hcl is not trusted: it belongs to uid 12345");
    }
    assert!(!sandbox.path("ran").exists());
    assert_eq!(sandbox.run(&["validate"]).code, Some(0), "what runs nothing needs no trust");
    // Under sudo, the files of the invoking user are trusted.
    let mut command = sandbox.command(&["plan"]);
    let output = command.env("SUDO_UID", OTHER_USER.to_string()).output().expect("it starts");
    assert_eq!(sandbox.ran(&output).code, Some(2), "{}", sandbox.ran(&output).stderr);
}

#[test]
fn modules_and_params_of_another_user_are_not_run() {
    let sandbox = Sandbox::with(
        "module \"m\" {\n  source = \"./m\"\n}\nparam \"p\" {\n  default = \"\"\n}\nlog \"x\" {\n  message = param.p\n}\n",
    );
    fs::create_dir(sandbox.path("m")).expect("a directory");
    sandbox.write("m/main.hcl", "log \"b\" {}\n");
    sandbox.write("p.yaml", "p: x\n");
    assert_eq!(sandbox.run(&["apply", "--params", "p.yaml"]).code, Some(0));
    if !give_away(&sandbox.path("p.yaml")) {
        return;
    }
    check_refused(&sandbox.run(&["apply", "--params", "p.yaml"]), "params", "FOLDER/p.yaml is not trusted");
    give_away(&sandbox.path("m"));
    check_refused(&sandbox.run(&["apply"]), "module", "FOLDER/m is not trusted: it belongs to uid 12345");
}
