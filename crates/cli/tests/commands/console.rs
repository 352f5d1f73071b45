//! `uphold console`: evaluates expressions.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;
use uphold_testbed::isolate;

use super::sandbox::{Ran, Sandbox};

/// The number 2 in JSON.
const TWO: &str =
    "{\"format_version\":\"1.0\",\"sensitive\":false,\"unknown\":false,\"value\":2,\"waits_for\":null}\n";

const SITE: &str = r#"param "port" { default = 80 }
param "token" {
  default   = "hunter2"
  sensitive = true
}
locals {
  url = "http://localhost:${param.port}"
}
file "/x" { content = local.url }
"#;

fn evaluate(sandbox: &Sandbox, more: &[&str], expressions: &[&str]) -> Ran {
    let mut arguments = vec!["console"];
    expressions.iter().for_each(|expression| arguments.extend(["-e", expression]));
    sandbox.rooted(&[&arguments, more].concat())
}

fn piped(sandbox: &Sandbox, arguments: &[&str], text: &str) -> Ran {
    let mut command = sandbox.command(&[&["console"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("the command starts");
    // Writing fails if the command refuses its arguments and ends without reading.
    let _ = running.stdin.take().expect("it is piped").write_all(text.as_bytes());
    sandbox.ran(&running.wait_with_output().expect("the command ends"))
}

#[test]
fn values_are_printed_as_hcl() {
    let sandbox = Sandbox::with(SITE);
    let check = |expression: &str, expected: &str| {
        evaluate(&sandbox, &["site.hcl"], &[expression]).check(0, &format!("{expected}\n"), "");
    };
    check("1 + 2 * 3", "7");
    check("-1", "-1");
    check("local.url", "\"http://localhost:80\"");
    check("{ b = [1, null], \"a b\" = \"$${x}\" }", "{ \"a b\" = \"$${x}\", b = [1, null] }");
    check("[for x in [1, 2] : x * param.port]", "[80, 160]");
    check("<<END\none\ntwo\nEND\n", "\"one\\ntwo\\n\"");
    check("host.cpu.count > 0", "true");
    check("file[\"/x\"].size", "(known after apply: file[\"/x\"].size)");
}

#[test]
fn params_are_set_as_for_any_command() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("params.yaml", "port: 8080\n");
    evaluate(&sandbox, &["-p", "port=81"], &["local.url"]).check(0, "\"http://localhost:81\"\n", "");
    evaluate(&sandbox, &["--params", "params.yaml"], &["param.port"]).check(0, "8080\n", "");
}

#[test]
fn secrets_are_hidden() {
    let sandbox = Sandbox::with(SITE);
    let expressions = ["param.token", "\"x${param.token}\"", "[param.token]"];
    let hidden = "(sensitive value)\n(sensitive value)\n[(sensitive value)]\n";
    evaluate(&sandbox, &[], &expressions).check(0, hidden, "");
    let json = evaluate(&sandbox, &["--json"], &expressions);
    assert!(!json.stdout.contains("hunter2"), "{}", json.stdout);
}

#[test]
fn json_is_for_programs() {
    let sandbox = Sandbox::with(SITE);
    let check = |expression: &str, expected: serde_json::Value| {
        let ran = evaluate(&sandbox, &["--json"], &[expression]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{expression}");
        assert_eq!(ran.stdout.parse::<serde_json::Value>().ok(), Some(expected), "{expression}");
    };
    let known = |value: serde_json::Value| json!({ "format_version": "1.0", "value": value, "unknown": false, "sensitive": false, "waits_for": null });
    check("{ a = [1, 1.5, null, \"é\"] }", known(json!({ "a": [1, 1.5, null, "é"] })));
    check("local.url", known(json!("http://localhost:80")));
    check("null", known(json!(null)));
    let waits_for = "file[\"/x\"].size";
    let unknown = json!({ "format_version": "1.0", "value": null, "unknown": true, "sensitive": false, "waits_for": waits_for });
    check(waits_for, unknown);
    let part = json!({ "format_version": "1.0", "value": [null, null], "unknown": [false, true], "sensitive": false, "waits_for": waits_for });
    check("[null, file[\"/x\"].size]", part);
    let secret = json!({ "format_version": "1.0", "value": null, "unknown": false, "sensitive": true, "waits_for": null });
    check("param.token", secret);
}

#[test]
fn a_mistake_is_shown_and_the_rest_is_evaluated() {
    let expected = "error[E0214]: unknown function
 --> console:1:5
  |
1 | 1 + uper(\"a\")
  |     ^^^^ there is no function `uper`
  |
  = help: did you mean `upper`?

";
    let sandbox = Sandbox::with(SITE);
    evaluate(&sandbox, &[], &["1", "1 + uper(\"a\")", "2"]).check(1, "1\n2\n", expected);
}

#[test]
fn piped_input_has_one_expression_per_line() {
    let sandbox = Sandbox::with(SITE);
    piped(&sandbox, &[], "1 + 1\n\n# nothing\nupper(\"a\")").check(0, "2\n\"A\"\n", "");
    let ran = piped(&sandbox, &["--json"], "[1,\n2\n");
    assert_eq!((ran.code, &*ran.stdout), (Some(1), TWO), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error[E0105]: unclosed bracket\n --> console:1:1\n"), "{}", ran.stderr);
}

#[test]
fn the_console_needs_no_configuration() {
    let sandbox = Sandbox::new();
    evaluate(&sandbox, &[], &["upper(\"a\")"]).check(0, "\"A\"\n", "");
    let ran = evaluate(&sandbox, &["none.hcl"], &["1"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "what is named must be there");
}

#[test]
fn an_invalid_configuration_is_reported_and_still_used() {
    let sandbox = Sandbox::with("locals {\n  good = 1\n  bad  = nope(1)\n}\nlog \"a\" {\n");
    let ran = evaluate(&sandbox, &["site.hcl"], &["local.good + 1"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "2\n"), "{}", ran.stderr);
    let warning = "warning: the configuration has 2 errors; values that depend on them are unknown\n";
    assert!(
        ran.stderr.contains("there is no function `nope`") && ran.stderr.ends_with(warning),
        "{}",
        ran.stderr
    );
}

#[test]
fn standard_input_has_one_purpose() {
    let sandbox = Sandbox::new();
    piped(&sandbox, &["-", "-e", "local.a"], "locals { a = 5 }\n").check(0, "5\n", "");
    let expected = "error: standard input cannot contain both the configuration and the expressions\n  \
                    hint: give the expressions with -e\n";
    piped(&sandbox, &["-"], "locals { a = 5 }\n").check(1, "", expected);
}

/// `script` provides a terminal; where it is missing, only the unit tests cover the prompt.
#[test]
fn a_terminal_gets_a_prompt_for_each_line() {
    let sandbox = Sandbox::with(SITE);
    let binary = env!("CARGO_BIN_EXE_uphold");
    let mut script = std::process::Command::new("script");
    // Without echo, so that input does not appear between the results.
    script.args(["-qec", &format!("stty -echo; exec {binary} console --color never"), "/dev/null"]);
    isolate(&mut script, &sandbox.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut running) = script.spawn() else { return };
    let text = "[\n1,\n2]\n[for x in range(40) : x]\nnope(\n\n\"a\\nb\\n\"\nexit\nlocal.url\n";
    running.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("a terminal takes it");
    let shown = sandbox.ran(&running.wait_with_output().expect("it ends")).stdout.replace('\r', "");
    for part in [
        "Enter one expression per line; help shows help, exit ends.\n",
        "> … … [1, 2]\n",
        "> [\n  0,\n  1,\n",
        "> … error[E0105]: unclosed bracket\n",
        "> <<END\na\nb\nEND\n> ",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    assert!(!shown.contains("http://"), "nothing is evaluated after exit: {shown}");
}
