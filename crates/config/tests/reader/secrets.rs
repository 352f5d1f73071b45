//! Secrets in mistakes: no message contains any part of one.

use crate::print::{check_files, diagnostics, read_files};

const AROUND: &str = r#"
param "list" {
  default   = ["hunter2", "hunter2"]
  sensitive = true
}
param "word" {
  default   = "hunter2"
  sensitive = true
}
param "map" {
  default   = { hunter2 = "hunter2" }
  sensitive = true
}
param "maps" {
  default   = [{ hunter2 = "hunter2" }]
  sensitive = true
}
task "t" { for_each = ["a"] }
"#;

const MODULE: &str = "param \"numbers\" {\n  type    = map(number)\n  default = {}\n}\n\
    param \"object\" {\n  type    = object({ a = number })\n  default = { a = 1 }\n}\n\
    log \"x\" { message = [param.numbers, param.object] }\n";

#[track_caller]
fn check_hidden(summary: &str, text: &str) {
    let text = format!(
        "{AROUND}{text}\nlog \"uses\" {{ message = [param.list, param.word, param.map, param.maps] }}\n"
    );
    let (sources, reading) = read_files(&[("a.hcl", &text), ("m/main.hcl", MODULE)], []);
    let problems = diagnostics(&sources, &reading);
    assert!(problems.contains(summary), "{text}: {problems}");
    assert!(!problems.contains("hunter2"), "{text}: {problems}");
}

#[test]
fn no_message_holds_a_secret() {
    let rows = [
        ("duplicate key", "{ for k in param.list : k => 1 }"),
        ("duplicate key", "{ for k in param.list : \"x${k}\" => 1 }"),
        ("duplicate key", "{ for k in [1, 2] : param.word => 1 }"),
        (
            "duplicate key",
            "{ for k in [\"hunt\", \"hunter2\"] : (k == \"hunt\" ? param.word : \"${k}\") => 1 }",
        ),
        ("duplicate key", "{ (param.word) = 1, \"hunte${\"r2\"}\" = 2 }"),
        ("duplicate key", "{ \"hunte${\"r2\"}\" = 2, (param.word) = 1 }"),
        ("unknown member", "param.map.x"),
        ("unknown member", "param.map[\"hunter\"]"),
        ("unknown member", "{ a = 1 }[param.word]"),
        ("unknown member", "param.maps[*].x"),
        ("unknown member", "param.maps[0].x"),
        ("unknown member", "[for m in param.maps : m.x]"),
        ("unknown member", "[for k, v in param.map : { a = 1 }[k]]"),
        ("key of the wrong type", "[1][param.word]"),
        ("function failed", "[for m in param.maps : tonumber(keys(m)[0])]"),
        ("function failed", "[for k in param.list : index([1], k)]"),
        ("secret used as a name", "task[param.word].out"),
        ("secret used as a name", "task.t[param.word].out"),
        ("secret used as a name", "task.t[\"a\"][param.word]"),
        ("secret used as a name", "host[param.word]"),
        ("secret used as a name", "module.m[param.word]"),
    ];
    for (summary, expression) in rows {
        check_hidden(
            summary,
            &format!("module \"m\" {{ source = \"./m\" }}\nlog \"a\" {{ message = {expression} }}"),
        );
    }
}

#[test]
fn no_message_about_an_argument_holds_a_secret() {
    let rows = [
        ("param of the wrong type", "module \"m\" {\n  source  = \"./m\"\n  numbers = param.map\n}"),
        ("param of the wrong type", "module \"m\" {\n  source = \"./m\"\n  object = param.map\n}"),
        ("param of the wrong type", "module \"m\" {\n  source  = \"./m\"\n  numbers = { a = param.map }\n}"),
        ("`for_each` over a secret", "log \"b\" { for_each = param.list }"),
        ("invalid meta argument", "log \"b\" { only_if = param.map }"),
        ("invalid meta argument", "log \"b\" { lock = param.word }"),
        ("invalid meta argument", "log \"b\" { retry = param.map }"),
        ("secret used as a name", "log \"b\" { action = param.word }"),
        ("secret used as a name", "log \"b\" { depends_on = [task[param.word]] }"),
        ("secret used as a name", "log \"b\" { notifies = [task.t[param.word].run] }"),
    ];
    rows.into_iter().for_each(|(summary, text)| check_hidden(summary, text));
}

#[test]
fn parts_of_a_secret_make_a_secret() {
    let check = |expression: &str, expected: &str| {
        let text = format!(
            "{AROUND}\noutput \"o\" {{ value = {expression} }}\nlog \"uses\" {{ message = [param.list, param.word, param.map, param.maps] }}\n"
        );
        let (_, reading) = read_files(&[("a.hcl", &text)], []);
        let found = crate::print::statements(&reading);
        assert!(found.contains(&format!("output o = {expected}")), "{expression}: {found}");
    };
    check("[for k in param.list : upper(k)]", "secret([\"HUNTER2\", \"HUNTER2\"])");
    check("[for k, v in param.map : [k, v]]", "secret([[secret(\"hunter2\"), secret(\"hunter2\")]])");
    check("{ for k in param.list : k => 1... }", "secret({ hunter2 = [1, 1] })");
    check("param.maps[*].hunter2", "secret([\"hunter2\"])");
    check("\"%{ for k in param.list }${k}%{ endfor }\"", "secret(\"hunter2hunter2\")");
    check_files(
        &[("a.hcl", "output \"o\" { value = [for x in [1] : sensitive(x)] }")],
        "output o = [secret(1)]",
    );
}
