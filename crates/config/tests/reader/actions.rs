//! Declare, edit, trigger and actions.

use crate::print::check;

#[test]
fn declare_and_trigger() {
    check("declare \"task\" \"t\" { apply = \"x\" }", "task.t\n  apply = \"x\"");
    check("declare task t {}\ntrigger task t {}", "task.t\nconverge task.t");
    check(
        "declare task t {}\ntrigger task t { action = [run, \"remove\"] }",
        "task.t\nrun task.t\nremove task.t",
    );
    check("declare task t { action = run }", "task.t");
    check(
        "task \"t\" {}\nfile \"f\" {}\ntrigger \"task\" \"t\" {\n  action     = run\n  depends_on = [file.f]\n  when       = file.f.changed\n}",
        "task.t\nconverge task.t\nfile.f\nconverge file.f\nrun task.t after file.f when <file.f.changed>",
    );
    check("task \"t\" {}\ntrigger task t {\n  action = run\n  when   = false\n}", "task.t\nconverge task.t");
    check(
        "task \"t\" {}\ntrigger task t {\n  for_each = [\"a\", \"b\"]\n  action   = run\n}",
        "task.t\nconverge task.t\nrun task.t\nrun task.t",
    );
}

#[test]
fn edits() {
    check(
        "file \"f\" { mode = 1 }\nedit \"file\" \"f\" {\n  mode  = 2\n  owner = file.g.owner\n}\nfile \"g\" {}",
        "file.f\n  mode = 1\nconverge file.f\nedit file.f\n  mode = 2\n  owner = <file.g.owner>\nfile.g\nconverge file.g",
    );
    check("file \"f\" {}\nedit file f {\n  when = false\n  mode = 2\n}", "file.f\nconverge file.f");
}

#[test]
fn edits_and_triggers_of_for_each() {
    let f = "f \"f\" { for_each = [\"a\", \"b\"] }\n";
    let shown = "f.f[\"a\"]\nconverge f.f[\"a\"]\nf.f[\"b\"]\nconverge f.f[\"b\"]";
    let both = |text: &str, expected: &str| check(&format!("{f}{text}"), &format!("{shown}\n{expected}"));
    both("edit f f { mode = 1 }", "edit f.f[\"a\"]\n  mode = 1\nedit f.f[\"b\"]\n  mode = 1");
    both("edit f f b { mode = 1 }", "edit f.f[\"b\"]\n  mode = 1");
    both("trigger f f { action = run }", "run f.f[\"a\"]\nrun f.f[\"b\"]");
    both("trigger f f a { action = run }", "run f.f[\"a\"]");
    check("f \"f\" { when = false }\nedit f f { mode = 1 }\ntrigger f f { action = run }", "");
}

#[test]
fn actions_are_words_or_computed() {
    check(
        "param \"gone\" { default = true }\nt \"a\" { action = param.gone ? remove : converge }",
        "t.a\nremove t.a",
    );
    check("t \"a\" { action = true ? \"run\" : \"remove\" }", "t.a\nrun t.a");
    check(
        "locals { act = [\"remove\", \"converge\"] }\nt \"a\" { action = local.act }",
        "t.a\nremove t.a\nconverge t.a",
    );
    check("t \"a\" { action = [] }", "t.a");
}
