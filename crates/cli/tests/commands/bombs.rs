//! Small configurations that need more resources than any machine has: the command ends with the documented error.
//!
//! Each limit has its table beside the code that enforces it. Here, the real command runs one of each sort.

use std::process::Command;

use uphold_testbed::isolate;

use super::sandbox::{Ran, Sandbox};

/// Limits of a run: seconds of processor time, and bytes of memory. Processor time, because a busy machine stretches
/// real time. Many times the need of the slowest run, but less than an endless one takes.
const LIMITS: [&str; 2] = ["--cpu=100", "--as=4000000000"];

/// Seconds until a run that waits for something counts as stuck.
const STUCK: &str = "900";

/// Plans within the limits; the run must end with an error that contains one of these.
#[track_caller]
fn ends(sandbox: &Sandbox, name: &str, expected: &[&str]) {
    ends_below("root", sandbox, name, expected);
}

#[track_caller]
fn ends_below(root: &str, sandbox: &Sandbox, name: &str, expected: &[&str]) {
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL", STUCK, "prlimit"]).args(LIMITS).arg(env!("CARGO_BIN_EXE_uphold"));
    command.args(["plan", "--root", root, "--jobs", "1", "site.hcl"]);
    let output = isolate(&mut command, &sandbox.path("")).output().expect("the command starts");
    let Ran { code, stdout, stderr } = sandbox.ran(&output);
    assert_eq!(code, Some(1), "{name}: {stdout}{stderr}");
    assert!(expected.iter().any(|words| stderr.contains(words)), "{name}: {stdout}{stderr}");
}

/// The same for the value of an output.
#[track_caller]
fn value_ends(value: &str, expected: &str) {
    let head: String = value.chars().take(60).collect();
    ends(&Sandbox::with(format!("output \"o\" {{ value = {value} }}\n")), &head, &[expected]);
}

/// `a0`, and then 59 locals, each computed from the previous one in place of `{}`.
fn doubling(first: &str, next: &str) -> Sandbox {
    let line = |i: usize| format!("  a{i} = {}\n", next.replace("{}", &format!("local.a{}", i - 1)));
    let lines: String = (1..60).map(line).collect();
    Sandbox::with(format!("locals {{\n  a0 = {first}\n{lines}}}\noutput \"o\" {{ value = local.a59 }}\n"))
}

#[test]
fn expressions() {
    ends(&doubling("\"xxxxxxxx\"", "\"${{}}${{}}\""), "strings that double", &["value too large"]);
    ends(&doubling("[1]", "[{}, {}]"), "lists that double", &["value too large"]);
    let loops = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]";
    value_ends(loops, "too much to compute");
    value_ends(&format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)), "nested too deeply");
}

#[test]
fn functions() {
    value_ends("range(1000000000)", "more than 1000000 elements");
    value_ends("setproduct(range(1000), range(1000), range(1000))", "more than 1000000 elements");
    value_ends("join(format(\"%4000s\", \"x\"), range(10000))", "16 MiB");
    value_ends("replace(join(\"\", range(300000)), \"/.*/\", \"$0$0$0$0$0$0$0$0$0$0$0$0\")", "16 MiB");
    value_ends("format(\"%1000000000d\", 1)", "1000000000");
    value_ends("regex(\"((a{99}){99}){99}\", \"a\")", "compiled regex exceeded");
    value_ends("regex(\"(.?){5000}z\", join(\"\", range(9000)))", "too complex for a text of this length");
}

#[test]
fn templates() {
    let nested = "{% for a in range(100000) %}".repeat(3) + &"{% endfor %}".repeat(3);
    value_ends(&format!("templatestring(\"{nested}\", {{}})"), "takes too long");
    let doubled = "{% set s = s ~ s %}".repeat(64);
    value_ends(&format!("templatestring(\"{{% set s = 'x' %}}{doubled}\", {{}})"), "larger than 16 MiB");
}

#[test]
fn files_that_are_decoded() {
    let check = |function: &str, content: &str, expected: &str| {
        let sandbox = Sandbox::with(format!("output \"o\" {{ value = {function}(file(\"bomb\")) }}\n"));
        sandbox.write("bomb", content);
        ends(&sandbox, function, &[expected]);
    };
    check("jsondecode", &"[".repeat(1 << 20), "not JSON");
    check("yamldecode", &"[".repeat(1 << 16), "YAML");
    let line = |i: usize| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(", "));
    let laughs: String = (1..40).map(line).collect();
    check("yamldecode", &format!("a0: &a0 x\n{laughs}"), "more than 1000000 values, with all aliases");
}

#[test]
fn scripts() {
    let body_ends = |body: &str, expected: &[&str]| {
        let sandbox = Sandbox::with("bad \"x\" {}\n");
        std::fs::create_dir(sandbox.path("kinds")).expect("a folder");
        sandbox.write("kinds/bad.luau", format!("function actions.create()\n{body}\nend\n"));
        ends(&sandbox, body, expected);
        assert!(sandbox.machine().is_empty(), "{body}");
    };
    let long = "the script runs for too long: the limit is 10 million iterations and calls, and 5 seconds";
    body_ends("while true do end", &[long]);
    body_ends("local s = string.rep(\"a\", 1e9)", &["the script uses more than 256 MiB of memory"]);
    // On a busy machine, the time limit may be reached first.
    let many = "the script declares more than 10000 resources";
    body_ends("for i = 1, 1e9 do file(\"/x\" .. i, {}) end", &[many, long]);
    body_ends("for i = 1, 1e9 do fs.exists(\"/x\" .. i) end", &[long]);
}

#[test]
fn endless_output() {
    let sandbox = Sandbox::with("query \"x\" { query = \"yes\" }\n");
    // Commands need the shell of the real machine, on which nothing is changed.
    ends_below("/", &sandbox, "yes", &["wrote more than 16 MiB to standard output"]);
}
