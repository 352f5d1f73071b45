//! Sequence and parallel, and modules, which are groups, too.

use crate::print::{check, check_files};

#[test]
fn groups() {
    check(
        "sequence {\n  log \"a\" {}\n  trigger \"log\" \"a\" { action = run }\n  parallel \"p\" {\n    log \"b\" {}\n    log \"c\" {}\n  }\n}",
        "sequence {\nlog.a\nconverge log.a\nrun log.a\nparallel p {\nlog.b\nconverge log.b\nlog.c\nconverge log.c\n}\n}",
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
fn empty_groups_are_dropped() {
    check("sequence {}\nparallel {\n  sequence {\n    log \"a\" { when = false }\n  }\n}", "");
    check_files(&[("a.hcl", "module \"m\" { source = \"./m\" }"), ("m/main.hcl", "locals {}")], "");
}

/// Meta arguments of a group apply to all of it.
#[track_caller]
fn check_group(head: &str, arguments: &str, expected: &str) {
    let text = format!("{head} {{\n  {arguments}\n  log \"a\" {{}}\n}}");
    check(&text, &format!("{expected}\nlog.a\nconverge log.a\n}}"));
}

#[test]
fn handling() {
    check_group("sequence", "only_if = \"test -e /x\"", "sequence {\n  only_if \"test -e /x\"");
    check_group("sequence s", "not_if = task.t.ok", "sequence s {\n  not_if <task.t.ok>");
    check_group(
        "parallel",
        "notifies = [service.a.reload]\n  audit = true",
        "parallel {\n  notifies service.a reload\n  audit",
    );
    check_group(
        "parallel",
        "notifies = { immediately = [service.a.reload], on_success = [service.b.reload] }",
        "parallel {\n  notifies service.a reload immediately\n  notifies service.b reload on_success",
    );
    check_group(
        "sequence",
        "subscribes = [file.a, file.b]\n  ignore_failure = true",
        "sequence {\n  subscribes file.a converge\n  subscribes file.b converge\n  ignore_failure",
    );
}

#[test]
fn concurrency() {
    check_group("parallel", "concurrency = 3", "parallel {\n  concurrency 3");
    check_group("parallel p", "concurrency = 1", "sequence p {");
    check(
        "param \"n\" { default = 4 }\nparallel {\n  concurrency = param.n\n  log \"a\" {}\n}",
        "parallel {\n  concurrency 4\nlog.a\nconverge log.a\n}",
    );
}

#[test]
fn a_block_with_for_each_is_one_step_of_a_sequence() {
    let log = "log \"a\" { for_each = [\"x\", \"y\"] }";
    let both = "log.a[\"x\"]\nconverge log.a[\"x\"]\nlog.a[\"y\"]\nconverge log.a[\"y\"]";
    let group = |head: &str, expected: &str| {
        check(&format!("{head}\n  {log}\n}}"), &expected.replace("BOTH", both));
    };
    group("sequence {", "sequence {\nparallel {\nBOTH\n}\n}");
    group("parallel {", "parallel {\nBOTH\n}");
    group("parallel {\n  concurrency = 2", "parallel {\n  concurrency 2\nBOTH\n}");
    // With a concurrency of one, each resource is a member.
    group("parallel {\n  concurrency = 1", "sequence {\nBOTH\n}");
}

#[test]
fn modules_are_groups() {
    let files = |main: &str, expected: &str| {
        check_files(&[("a.hcl", main), ("m/main.hcl", "log \"l\" { for_each = [\"x\", \"y\"] }")], expected);
    };
    let logs = |path: &str| {
        let one = |key: &str| format!("{path}.log.l[\"{key}\"]\nconverge {path}.log.l[\"{key}\"]");
        format!("{path} {{\n{}\n{}\n}}", one("x"), one("y"))
    };
    files("module \"m\" { source = \"./m\" }", &logs("module.m"));
    files(
        "sequence {\n  module \"m\" { source = \"./m\" }\n}",
        &format!("sequence {{\n{}\n}}", logs("module.m")),
    );
    files(
        "sequence {\n  module \"m\" {\n    source   = \"./m\"\n    for_each = [\"a\", \"b\"]\n  }\n}",
        &format!(
            "sequence {{\nparallel {{\n{}\n{}\n}}\n}}",
            logs("module.m[\"a\"]"),
            logs("module.m[\"b\"]")
        ),
    );
}

#[test]
fn blocks_in_a_group_need_no_indentation() {
    check(
        "sequence {\nparallel {\nlog \"a\" {}\n}\nlog \"b\" {}\n}\n",
        "sequence {\nparallel {\nlog.a\nconverge log.a\n}\nlog.b\nconverge log.b\n}",
    );
}
