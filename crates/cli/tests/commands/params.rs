//! Values for params: from flags, from the environment, and from files.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::{Ran, Sandbox};

const SITE: &str = r#"param "name" {
  default = "d"
  validation {
    condition = length(param.name) < 6
    message   = "at most five letters"
  }
}
param "count" { default = 1 }
param "on" { default = true }
param "ports" {
  type    = list(number)
  default = [80]
}
param "long-name" {
  type    = map(string)
  default = {}
}
log "a" {
  message = "${param.name} ${param.count} ${param.on} ${jsonencode(param.ports)} ${jsonencode(param.long-name)}"
}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(SITE);
    fs::create_dir(sandbox.path("params")).expect("a folder");
    sandbox.write(
        "params/a.hcl",
        "# comment\nname  = upper(\"hcl\")\ncount = 1 + 1\nports = [\n  1,\n  2,\n]\n",
    );
    sandbox.write("params/a.json", r#"{ "name": "json", "on": false, "long-name": { "a": "b" } }"#);
    sandbox.write("params/a.yaml", "name: yaml\ncount: 4.5\nports: [7]\n");
    sandbox.write("params/a.yml", "{ name: yml }\n");
    sandbox
}

/// Runs the command with environment variables.
fn run(sandbox: &Sandbox, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let arguments = [&["plan", "--root", "root"], arguments].concat();
    let output = sandbox.command(&arguments).envs(variables.iter().copied()).output();
    sandbox.ran(&output.expect("the command starts"))
}

/// Checks the resulting values of the params.
#[track_caller]
fn check(sandbox: &Sandbox, variables: &[(&str, &str)], arguments: &[&str], expected: &str) {
    let ran = run(sandbox, variables, arguments);
    let expected = format!("  log.a: {expected}\nNo changes. 1 resource is as declared.\n");
    assert_eq!((&*ran.stdout, &*ran.stderr, ran.code), (&*expected, "", Some(0)));
}

/// Checks that a value is refused with these messages.
#[track_caller]
fn check_refused(sandbox: &Sandbox, arguments: &[&str], expected: &[&str]) {
    let ran = sandbox.rooted(&[&["validate"], arguments].concat());
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{arguments:?}: {}", ran.stderr);
    for part in expected {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
}

#[test]
fn a_flag_is_stronger_than_the_environment_which_is_stronger_than_a_file() {
    let sandbox = sandbox();
    let variable = [("UPHOLD_PARAM_NAME", "env"), ("UPHOLD_PARAM_COUNT", "3")];
    check(&sandbox, &[], &[], "d 1 true [80] {}");
    check(&sandbox, &[], &["--params", "params/a.hcl"], "HCL 2 true [1,2] {}");
    check(&sandbox, &variable, &["--params", "params/a.hcl"], "env 3 true [1,2] {}");
    check(&sandbox, &variable, &["--params", "params/a.hcl", "-p", "name=flag"], "flag 3 true [1,2] {}");
    check(&sandbox, &variable, &["--param=name=a=b"], "a=b 3 true [80] {}");
}

#[test]
fn the_last_value_of_a_source_counts() {
    let sandbox = sandbox();
    let files = ["--params", "params/a.hcl", "--params", "params/a.json"];
    check(&sandbox, &[], &files, r#"json 2 false [1,2] {"a":"b"}"#);
    check(&sandbox, &[], &["-p", "name=x", "-p", "name=y"], "y 1 true [80] {}");
}

#[test]
fn a_file_is_hcl_json_or_yaml() {
    let sandbox = sandbox();
    check(&sandbox, &[], &["--params", "params/a.json"], r#"json 1 false [80] {"a":"b"}"#);
    check(&sandbox, &[], &["--params", "params/a.yaml"], "yaml 4.5 true [7] {}");
    check(&sandbox, &[], &["--params", "params/a.yml"], "yml 1 true [80] {}");
}

#[test]
fn a_string_is_converted_to_the_type_of_the_param() {
    let sandbox = sandbox();
    check(&sandbox, &[], &["-p", "name=1", "-p", "count=-2.5", "-p", "on=false"], "1 -2.5 false [80] {}");
    check(&sandbox, &[], &["-p", "name=", "-p", "ports=[for x in [1, 2] : x * 2]"], " 1 true [2,4] {}");
    check(&sandbox, &[], &["-p", "long-name={ a = \"b\" }"], r#"d 1 true [80] {"a":"b"}"#);
    let variable = [("UPHOLD_PARAM_LONG_NAME", "{ c = \"d\" }"), ("UPHOLD_PARAM_name", "lower")];
    check(&sandbox, &variable, &["-p", "name=x"], r#"x 1 true [80] {"c":"d"}"#);
}

#[test]
fn invalid_values_are_refused() {
    let sandbox = sandbox();
    let write = "error: invalid value 'name' for '--param <NAME=VALUE>': write NAME=VALUE\n";
    check_refused(&sandbox, &["-p", "name"], &[write]);
    check_refused(&sandbox, &["-p", "=x"], &["write NAME=VALUE"]);
    let unknown = ["error[E0204]: unknown param\n", "there is no param `nam`", "did you mean `name`?"];
    check_refused(&sandbox, &["-p", "nam=x"], &unknown);
    let number =
        ["error[E0314]: param of the wrong type\n", "site.hcl:8:1", "`count` must be a number; `x` is not"];
    check_refused(&sandbox, &["-p", "count=x"], &number);
    check_refused(&sandbox, &["-p", "count=inf"], &["`inf` is not"]);
    check_refused(&sandbox, &["-p", "on=yes"], &["`on` must be true or false; `yes` is not"]);
    check_refused(&sandbox, &["-p", "ports=1"], &["--> -p ports:1:1", "`ports` must be", "not a number"]);
    check_refused(&sandbox, &["-p", "ports=[\"a\"]"], &["`ports[0]` must be a number, not a string"]);
    check_refused(&sandbox, &["-p", "ports=["], &["error[E0105]: unclosed bracket\n", "--> -p ports:1:1"]);
    check_refused(&sandbox, &["-p", "ports=param.ports"], &["cannot refer to names"]);
}

#[test]
fn a_validation_prints_its_message() {
    let invalid =
        ["error[E0316]: param fails its validation\n", "`name`: at most five letters", "site.hcl:3:3"];
    check_refused(&sandbox(), &["-p", "name=toolong"], &invalid);
}

#[test]
fn a_missing_param_has_a_hint() {
    let text = "param \"a-b\" { description = \"What it is.\" }\nlog \"x\" { message = param.a-b }\n";
    let missing =
        ["error[E0315]: missing param\n", "site.hcl:1:1", "What it is.", "-p a-b=…", "UPHOLD_PARAM_A_B"];
    check_refused(&Sandbox::with(text), &[], &missing);
}

#[test]
fn a_variable_for_another_configuration_is_a_warning() {
    let sandbox = sandbox();
    let ran = run(&sandbox, &[("UPHOLD_PARAM_NAMES", "x")], &[]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stderr.contains("warning[W0303]: value for an unknown param\n")
            && ran.stderr.contains("UPHOLD_PARAM_NAMES is set"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_unusable_params_file_is_reported() {
    let sandbox = sandbox();
    let file = |name: &str, text: &str, expected: &[&str]| {
        sandbox.write(name, text);
        check_refused(&sandbox, &["--params", name], expected);
    };
    check_refused(&sandbox, &["--params", "params/none.yaml"], &["params/none.yaml", "No such file"]);
    let list = [
        "error[E0321]: params cannot be read\n",
        "params/list.yaml:1:1",
        "the file contains a list, not a map",
    ];
    file("params/list.yaml", "- a\n- b\n", &list);
    file("params/bad.json", "{ \"name\": ", &["params/bad.json", "this is not JSON"]);
    file("params/bad.yaml", "a: [\n", &["params/bad.yaml", "this is not YAML"]);
    file("params/bad.hcl", "name = \n", &["params/bad.hcl:1:"]);
    file(
        "params/block.hcl",
        "file \"a\" {}\n",
        &["error[E0303]: block in the wrong place\n", "write `name = value`"],
    );
    file(
        "params/type.hcl",
        "count = \"x\"\n",
        &["params/type.hcl:1:9", "`count` must be a number", "declared here"],
    );
    file("params/type.json", "{ \"count\": \"x\" }", &["params/type.json:1:1", "`count` must be a number"]);
    fs::set_permissions(sandbox.path("params/a.hcl"), fs::Permissions::from_mode(0o000)).expect("ours");
    if fs::read(sandbox.path("params/a.hcl")).is_err() {
        // Root can read any file, so this is only tested for other users.
        check_refused(&sandbox, &["--params", "params/a.hcl"], &["params/a.hcl", "ermission denied"]);
    }
}

const SECRETS: &str = "param \"pin\" {\n  type      = number\n  default   = 0\n  sensitive = true\n\n  validation {\n    \
                       condition = param.pin != 4711\n    message   = \"not ${param.pin}\"\n  }\n}\n\
                       param \"tokens\" {\n  type      = list(string)\n  default   = []\n  sensitive = true\n}\n\
                       file \"/t\" { content = \"${param.pin} ${join(\",\", param.tokens)}\" }\n\
                       output \"pin\" { value = param.pin }\n";

#[test]
fn a_secret_is_not_in_a_plan() {
    let sandbox = Sandbox::with(SECRETS);
    for json in [&[][..], &["--json"]] {
        let arguments = [&["plan", "-p", "pin=815", "-p", "tokens=[\"hunter2\"]"], json].concat();
        let ran = sandbox.rooted(&arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(!ran.stdout.contains("hunter2") && !ran.stdout.contains("815"), "{}", ran.stdout);
    }
    let plan = sandbox.rooted(&["plan"]).stdout;
    assert!(
        plan.contains("content: (sensitive value)") && plan.contains("pin = (sensitive value)"),
        "{plan}"
    );
}

#[test]
fn a_secret_is_not_in_an_error() {
    let sandbox = Sandbox::with(SECRETS);
    let check = |arguments: &[&str]| {
        let ran = sandbox.rooted(&[&["validate"], arguments].concat());
        assert_eq!(ran.code, Some(1), "{arguments:?} {}", ran.stdout);
        let printed = ran.stderr;
        assert!(printed.starts_with("error[E0") && printed.contains("site.hcl:"), "{arguments:?} {printed}");
        assert!(!printed.contains("hunter2") && !printed.contains("4711"), "{arguments:?} {printed}");
    };
    check(&["-p", "pin=hunter2"]);
    check(&["-p", "pin=4711"]);
    check(&["-p", "tokens=hunter2"]);
    check(&["-p", "tokens=[hunter2]"]);
    check(&["-p", "tokens={ hunter2 = 1 }"]);
    check(&["-p", "tokens=[[\"hunter2\"]]"]);
    check(&["-p", "tokens=[\"hunter2"]);
    check(&["-p", "tokens=[upper(hunter2())]"]);
    for (name, text) in [
        ("secret.params", "pin = \"hunter2\"\ntokens = \"hunter2\"\n"),
        ("secret.json", "{ \"pin\": \"hunter2\", \"tokens\": \"hunter2\" }"),
        ("secret.yaml", "tokens: hunter2\npin: hunter2\n"),
    ] {
        sandbox.write(name, text);
        check(&["--params", name]);
    }
}
