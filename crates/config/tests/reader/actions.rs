//! Declare, edit, trigger, groups and meta arguments.

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
fn of_what_is_spread() {
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
fn groups() {
    check(
        "sequence {\n  log \"a\" {}\n  trigger \"log\" \"a\" { action = run }\n  parallel \"p\" {\n    log \"b\" {}\n    log \"c\" {}\n  }\n}",
        "sequence {\nlog.a\nconverge log.a\nrun log.a\nparallel {\nlog.b\nconverge log.b\nlog.c\nconverge log.c\n}\n}",
    );
    check("sequence \"s\" {\n  when = false\n  log \"a\" {}\n}", "");
    check(
        "task \"t\" {}\nsequence {\n  when       = task.t.ok\n  depends_on = [task.t]\n  log \"a\" {}\n  parallel {\n    \
         when = task.t.more\n    log \"b\" { when = task.t.own }\n  }\n}",
        "task.t\nconverge task.t\nsequence {\nlog.a\n  depends_on task.t\n  when <task.t.ok>\nconverge log.a\n\
         parallel {\nlog.b\n  depends_on task.t\n  when <task.t.ok, task.t.more, task.t.own>\nconverge log.b\n}\n}",
    );
}

#[test]
fn handling() {
    let meta = |arguments: &str, expected: &str| {
        check(&format!("t \"a\" {{\n  {arguments}\n}}"), &format!("t.a\n  {expected}\nconverge t.a"));
    };
    meta("notifies = [service.nginx.reload]", "notifies service.nginx reload");
    meta("notifies = [t[\"x y\"].run, t.b.converge]", "notifies t[\"x y\"] run\n  notifies t.b converge");
    meta(
        "subscribes = { reload = [file.a, file.b] }",
        "subscribes file.a reload\n  subscribes file.b reload",
    );
    meta("only_if = \"test -e /x\"", "only_if \"test -e /x\"");
    meta("not_if = [\"test\", \"-e\", t.b.path]", "not_if <t.b.path>");
    meta("only_if = t.b.ok\n  not_if = false", "only_if <t.b.ok>\n  not_if false");
    meta("retry = 3", "retry 3 after 1s");
    meta("retry = { times = 2, delay = \"5s\" }", "retry 2 after 5s");
    meta("poll = \"1m\"", "poll 60s");
    meta("poll = 30", "poll 30s");
    meta("limit = { name = \"downloads\", most = 2 }", "limit downloads 2");
    meta("lock = \"apt\"", "lock apt");
    meta("audit = true", "audit");
    meta("ignore_failure = true", "ignore_failure");
    meta("on_removal = remove", "on_removal remove");
    meta("on_removal = true ? \"remove\" : \"keep\"", "on_removal remove");
    meta("depends_on = [t.b, file[\"/x\"]]", "depends_on t.b, file[\"/x\"]");
    meta("depends_on = concat([t.b], [t.c])", "depends_on t.b, t.c");
    meta("depends_on = [for n in [\"x\", \"y\"] : t[n]]", "depends_on t.x, t.y");
    meta("sensitive = !false\n  auto_edges = 1 > 2", "sensitive\n  no_auto_edges");
}

#[test]
fn handling_of_each() {
    check(
        "t \"a\" {\n  for_each = [\"x\"]\n  lock     = each.key\n  retry    = length(each.key)\n  only_if  = \"test ${each.value}\"\n  notifies = [t.b[each.key].run]\n}\nt \"b\" { for_each = [\"x\"] }",
        "t.a[\"x\"]\n  notifies t.b[\"x\"] run\n  only_if \"test x\"\n  retry 1 after 1s\n  lock x\nconverge t.a[\"x\"]\n\
         t.b[\"x\"]\nconverge t.b[\"x\"]",
    );
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
