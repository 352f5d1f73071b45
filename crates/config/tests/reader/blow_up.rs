//! A few lines that demand more than any machine has: a clear message, soon, and never a stack overflow.

use crate::print::read_files;
use crate::processor::cost;

/// The limit in seconds of processor time: many times the slowest case, far less than forever.
const LONGEST: f64 = 30.0;

/// Reads these files within the limit, and expects a problem with this summary; none for "".
#[track_caller]
fn check_files(files: &[(&str, &str)], expected: &str) {
    let (time, (_, reading)) = cost(|| read_files(files, []));
    let (_, text) = files[0];
    let head: String = text.chars().take(100).collect();
    assert!(time < LONGEST * 1e9, "{head:?} took {time} ns");
    let errors =
        || reading.diagnostics.iter().filter(|problem| problem.severity() == uphold_model::Severity::Error);
    let found = errors().find(|problem| problem.summary() == expected).or_else(|| errors().next());
    assert_eq!(found.map_or("", |problem| problem.summary()), expected, "{head:?}");
    assert!(errors().all(|problem| problem.detail.len() < 40_000), "{head:?}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_files(&[("a.hcl", text)], expected);
}

/// `a00`, and further names that each use the previous one, by `{}`.
fn doubling(first: &str, next: &str) -> String {
    let line = |i: usize| match i {
        0 => format!("  a00 = {first}\n"),
        _ => format!("  a{i:02} = {}\n", next.replace("{}", &format!("local.a{:02}", i - 1))),
    };
    format!(
        "task \"t\" {{}}\nlocals {{\n{}}}\noutput \"o\" {{ value = local.a59 }}\n",
        (0..60).map(line).collect::<String>()
    )
}

#[test]
fn names_that_double() {
    check(&doubling("\"xxxxxxxx\"", "\"${{}}${{}}\""), "value too large");
    check(&doubling("[1]", "[{}, {}]"), "value too large");
    check(&doubling("{}", "{ a = {}, b = {} }"), "value too large");
    check(&doubling("[1]", "concat({}, {})"), "function failed");
    check(&doubling("\"x\"", "join(\",\", [{}, {}])"), "function failed");
    // Unknown values: only what they wait for could double.
    check(&doubling("task.t.out", "\"${{}}${{}}\""), "");
    check(&doubling("task.t.out", "max({}, {})"), "");
    check(&doubling("task.t.out", "try({}, {})"), "");
    check(&doubling("task.t.out", "{} == 1 ? {} : {}"), "");
}

#[test]
fn variables_that_double() {
    let nested = |first: &str, next: &str| {
        let head = |i: usize| match i {
            0 => format!("[for a0 in [{first}] : "),
            _ => format!("[for a{i} in [{}] : ", next.replace("{}", &format!("a{}", i - 1))),
        };
        format!("output \"o\" {{ value = {}a29{} }}\n", (0..30).map(head).collect::<String>(), "]".repeat(30))
    };
    check(&nested("\"xxxxxxxx\"", "\"${{}}${{}}\""), "value too large");
    check(&nested("[1]", "[{}, {}]"), "value too large");
}

#[test]
fn params_and_outputs_that_double() {
    let module = "param \"in\" {}\noutput \"out\" { value = \"${param.in}${param.in}\" }\n";
    let call = |i: usize| {
        let before = if i == 0 { "\"xxxxxxxx\"".into() } else { format!("module.m{}.out", i - 1) };
        format!("module \"m{i}\" {{\n  source = \"./m\"\n  in     = {before}\n}}\n")
    };
    let calls: String = (0..40).map(call).collect();
    check_files(&[("a.hcl", &calls), ("m/main.hcl", module)], "value too large");
}

#[test]
fn modules_that_double() {
    let level = |i: usize| {
        let source = format!("../m{}", i + 1);
        (
            format!("m{i}/main.hcl"),
            format!("module \"a\" {{ source = \"{source}\" }}\nmodule \"b\" {{ source = \"{source}\" }}\n"),
        )
    };
    let mut files = vec![("a.hcl".to_owned(), "module \"m\" { source = \"./m0\" }\n".to_owned())];
    files.extend((0..30).map(level));
    files.push(("m30/main.hcl".into(), "log \"l\" {}\n".into()));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    check_files(&files, "too much to compute");
}

#[test]
fn modules_in_modules_in_modules() {
    let level =
        |i: usize| (format!("m{i}/main.hcl"), format!("module \"a\" {{ source = \"../m{}\" }}\n", i + 1));
    let mut files = vec![("a.hcl".to_owned(), "module \"m\" { source = \"./m0\" }\n".to_owned())];
    files.extend((0..1_000).map(level));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    check_files(&files, "nested too deeply");
}

#[test]
fn loops_in_loops() {
    let output = |value: &str| format!("output \"o\" {{ value = {value} }}\n");
    let in_big = |value: &str| format!("locals {{ big = range(1000000) }}\n{}", output(value));
    check(
        &output("[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]"),
        "too much to compute",
    );
    check(&in_big("[for i in range(9) : local.big]"), "value too large");
    check(&output("[for a in range(9999) : length([for b in range(9999) : 1])]"), "too much to compute");
    check(
        &output(&format!("{}x{}", "[for x in [1, 2] : ".repeat(50), "]".repeat(50))),
        "too much to compute",
    );
    check(&output("range(1000000000)"), "function failed");
    check(&output("setproduct(range(1000), range(1000), range(1000))"), "function failed");
    check(&in_big("[for i in range(1000000) : local.big == local.big]"), "too much to compute");
    check(&in_big("[for i in range(1000000) : sum(local.big)]"), "too much to compute");
    check(&in_big("[for i in range(1000000) : can(local.big)]"), "too much to compute");
    check(&in_big("[for i in range(1000000) : [for x in local.big : x if false]]"), "too much to compute");
}

#[test]
fn calls_are_charged_for_their_arguments() {
    let output =
        |value: &str| format!("output \"o\" {{ value = [for i in range(1000) : length({value})] }}\n");
    let in_locals = |value: &str| {
        let big = "big = [for i in range(30000) : \"key-${i}\"]\n  map = { for k in local.big : k => k }";
        format!("locals {{\n  {big}\n}}\n{}", output(value))
    };
    for value in [
        "jsonencode(local.big)",
        "merge(local.map, { a = i })",
        "distinct(local.big)",
        "zipmap(local.big, local.big)",
        "setunion(local.big, [\"${i}\"])",
        "regexall(\"a\", join(\"\", local.big))",
        "yamldecode(jsonencode(local.big))",
        "templatestring(\"{% for i in range(9999) %}{{ i }}{% endfor %}\", {})",
    ] {
        check(&in_locals(value), "too much to compute");
    }
}

#[test]
fn many_names_of_one_large_value() {
    let names: String = (0..1_000).map(|i| format!("  b{i} = local.big\n")).collect();
    check(&format!("locals {{\n  big = range(1000000)\n{names}}}\n"), "too much to compute");
}

/// Names that refer to each other, each nested in this many brackets.
fn chain(names: usize, open: &str, close: &str, levels: usize) -> String {
    let line = |i: usize| {
        let next = if i + 1 == names { "1".into() } else { format!("local.b{:05}", i + 1) };
        format!("  b{i:05} = {}{next}{}\n", open.repeat(levels), close.repeat(levels))
    };
    format!(
        "locals {{\n{}}}\noutput \"o\" {{ value = local.b00000 }}\n",
        (0..names).map(line).collect::<String>()
    )
}

#[test]
fn chains_of_names() {
    check(&chain(200, "", "", 0), "");
    check(&chain(10_000, "", "", 0), "too deep to compute");
    // In alphabetical order, each uses the previous one.
    let line = |i: usize| {
        format!("  a{i:05} = {}\n", if i == 0 { "1".into() } else { format!("local.a{:05} + 1", i - 1) })
    };
    check(
        &format!(
            "locals {{\n{}}}\noutput \"o\" {{ value = local.a09999 }}\n",
            (0..10_000).map(line).collect::<String>()
        ),
        "",
    );
    let line = |i: usize| {
        format!("  a{i:05} = [{}]\n", if i == 0 { "1".into() } else { format!("local.a{:05}", i - 1) })
    };
    check(&format!("locals {{\n{}}}\n", (0..10_000).map(line).collect::<String>()), "value too large");
    let param = |i: usize| format!("param \"p{i:05}\" {{ default = param.p{:05} }}\n", i + 1);
    let params: String = (0..3_000).map(param).collect();
    check(
        &format!("{params}param \"p03000\" {{ default = 1 }}\noutput \"o\" {{ value = param.p00000 }}\n"),
        "too deep to compute",
    );
    let spread = |i: usize| format!("t \"x{i:05}\" {{ for_each = keys(t.x{:05}) }}\n", i + 1);
    let spreads: String = (0..3_000).map(spread).collect();
    check(&format!("{spreads}t \"x03000\" {{ for_each = [\"a\"] }}\n"), "too deep to compute");
}

#[test]
fn chains_through_everything() {
    let all = [
        ("(1 + ", ")"),
        ("max(1, ", ")"),
        ("\"x${", "}\""),
        ("[", "]"),
        ("{ a = ", " }"),
        ("[for x in [1] : ", "]"),
        ("{ for x in [1] : \"a\" => ", " }"),
        ("[for x in ", " : x]"),
        ("try(", ", 1)"),
        ("can(", ")"),
        ("true ? (", ") : 1"),
        ("{ \"1\" = 1 }[", "]"),
        ("\"%{ if true }a${", "}%{ endif }\""),
        ("\"%{ for x in [1] }a${", "}%{ endfor }\""),
        ("{ (", ") = 1 }"),
        ("-(", ")"),
    ];
    for (open, close) in all {
        check(&chain(60, open, close, 25), "too deep to compute");
    }
}

#[test]
fn deep_expressions() {
    let output = |value: String| format!("output \"o\" {{ value = {value} }}\n");
    let many = 100_000;
    // A chain of operators is flat, and as long as its text.
    for (operand, operator) in
        [("1", " + "), ("true", " && "), ("false", " || "), ("1", " == "), ("2", " * 3 - ")]
    {
        check(&output(format!("{}{operand}", format!("{operand}{operator}").repeat(many))), "");
    }
    let chained = ["1 + (", "!", "- ", "true ? 1 : ", "(", "[", "upper(", "[for x in ", "\"${"];
    for text in chained {
        check(&output(text.repeat(many) + "1"), "nested too deeply");
    }
    for text in [".b", "[0]", "[*]", "[1 + 1]", "[*].c"] {
        check(&output(format!("t.a{}", text.repeat(many))), "nested too deeply");
    }
    check(&output(format!("\"{}\"", "%{ if true }".repeat(many))), "unclosed directive");
    check(
        &output(format!("\"{}{}\"", "%{ if true }".repeat(many), "%{ endif }".repeat(many))),
        "nested too deeply",
    );
    check(&output(format!("\"{}\"", "%{ if true }a%{ endif }".repeat(10_000))), "");
    check(&output(format!("max({}1)", "1, ".repeat(many))), "");
    check(&format!("param \"p\" {{ type = {} }}\n", "list(".repeat(many)), "nested too deeply");
    check(&"sequence {\n".repeat(10_000), "nested too deeply");
}
