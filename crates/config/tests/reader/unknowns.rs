//! Unknown and secret values: how both propagate.

use crate::print::check_expressions;

const AROUND: &str = r#"
param "token" {
  default   = "pw"
  sensitive = true
}
param "keys" {
  default   = { a = 1, b = 2 }
  sensitive = true
}
locals {
  late = task.t.out
  part = { known = 1, late = task.t.out }
  some = [1, task.t.out]
  postponed = length([task.t.out ? [][0] : 1])
}
task "t" {}
file "f" { for_each = ["p", "q"] }
log "uses" { message = [param.token, param.keys, local.late, local.part, local.some, local.postponed] }
"#;

#[track_caller]
fn check_all(rows: &[(&str, &str)]) {
    check_expressions(AROUND, rows);
}

#[test]
fn unknown_values_keep_their_reason() {
    check_all(&[
        ("task.t.out", "?(task.t.out)"),
        ("task.t.status.stdout", "?(task.t.status.stdout)"),
        ("task.t[\"any name\"]", "?(task.t.any name)"),
        ("task.t.list[0].b", "?(task.t.list.0.b)"),
        ("task.t.list[length(\"ab\")]", "?(task.t.list)"),
        ("task.t[task.t.out]", "?(task.t.out)"),
        ("local.late", "?(task.t.out)"),
        ("local.part.known", "1"),
        ("local.part.late", "?(task.t.out)"),
        ("local.some[0]", "1"),
        ("local.some", "[1, ?(task.t.out)]"),
        ("task.t", "task.t"),
        ("file.f[\"p\"]", "file.f[\"p\"]"),
        ("file.f", "{ p = file.f[\"p\"], q = file.f[\"q\"] }"),
        ("file.f[\"p\"].sha256", "?(file.f[\"p\"].sha256)"),
    ]);
}

#[test]
fn unknown_values_have_a_shape() {
    check_all(&[
        ("\"a ${local.late}\"", "?text(task.t.out)"),
        ("\"${local.late}\"", "?(task.t.out)"),
        ("local.late + 1", "?number(task.t.out)"),
        ("-local.late", "?number(task.t.out)"),
        ("local.late > 1", "?bool(task.t.out)"),
        ("local.late == 1", "?bool(task.t.out)"),
        ("local.some == [1, 2]", "?bool(task.t.out)"),
        ("local.some == [2, 2]", "false"),
        ("local.some == [1]", "false"),
        ("!local.late", "?bool(task.t.out)"),
        ("local.late && true", "?bool(task.t.out)"),
        ("local.late && false", "false"),
        ("false && local.late", "false"),
        ("true || local.late", "true"),
        ("upper(local.late)", "?text(task.t.out)"),
        ("length(local.some)", "2"),
        ("jsonencode(local.some)", "?text(task.t.out)"),
        ("local.late ? 1 : 2", "?number(task.t.out)"),
        ("local.late ? 1 : \"a\"", "?(task.t.out)"),
        ("[for x in local.late : x]", "?(task.t.out)"),
        ("[for x in local.some : x]", "[1, ?(task.t.out)]"),
        ("[for x in local.some : x if x == 1]", "?(task.t.out)"),
        ("{ (local.late) = 1 }", "?(task.t.out)"),
        ("local.late[*].a", "?list(task.t.out)"),
        ("[1, 2][local.late]", "?(task.t.out)"),
        ("local.late.a[0].b", "?(task.t.out)"),
        ("try(local.late, 1)", "?(task.t.out)"),
        ("can(local.late)", "?bool(task.t.out)"),
        ("\"%{ if local.late }a%{ endif }\"", "?text(task.t.out)"),
        ("\"%{ for x in local.some }${x}%{ endfor }\"", "?text(task.t.out)"),
    ]);
}

#[test]
fn errors_are_postponed_until_the_condition_is_known() {
    check_all(&[
        ("local.late ? [][0] : 1", "?(task.t.out)"),
        ("local.late ? 1 : [][0]", "?(task.t.out)"),
        ("local.late ? [][0] : {}.a", "?(task.t.out)"),
        ("local.late ? (local.late ? [][0] : 1) : 1 / 0", "?(task.t.out)"),
        ("(local.late ? [][0] : 1) + 1", "?number(task.t.out)"),
        ("local.late && [][0]", "?bool(task.t.out)"),
        ("local.late || [][0]", "?bool(task.t.out)"),
        ("local.late && \"text\"", "?bool(task.t.out)"),
        ("local.late || 1 / 0 == 1 || true", "true"),
        ("[for x in local.late : [][0]]", "?(task.t.out)"),
        ("{ for x in local.late : x => [][0] }", "?(task.t.out)"),
        ("[for x in [1, 2] : [][0] if local.late]", "?(task.t.out)"),
        ("[for x in [1, 2] : [][0] if x == 3 && local.late]", "[]"),
        ("local.late[*][[][0]]", "?list(task.t.out)"),
        ("\"%{ if local.late }${[][0]}%{ endif }\"", "?(task.t.out)"),
        ("\"a%{ if local.late }${[][0]}%{ endif }\"", "?text(task.t.out)"),
        ("\"%{ for x in local.late }${[][0]}%{ endfor }\"", "?(task.t.out)"),
        ("\"%{ for x in local.late }${x}%{ endfor }\"", "?(task.t.out)"),
    ]);
}

#[test]
fn try_and_can_depend_on_all_tried_arguments() {
    check_all(&[
        ("try(local.late ? [][0] : 1, 2)", "?(task.t.out)"),
        ("try(local.late && [][0], 2)", "?(task.t.out)"),
        ("try([for x in local.late : [][0]], 2)", "?(task.t.out)"),
        ("try(length([local.late ? [][0] : 1]), 2)", "?(task.t.out)"),
        ("try(local.postponed, 2)", "?(task.t.out)"),
        ("try([][0], local.late ? [][0] : 1, 2)", "?(task.t.out)"),
        ("try(\"a ${local.late}\", 2)", "?(task.t.out)"),
        ("try(local.some, 2)", "?(task.t.out)"),
        ("try(length(local.some), 2)", "2"),
        ("try([][0] + local.late, 2)", "2"),
        ("try(1, local.late)", "1"),
        ("can(local.late ? [][0] : 1)", "?bool(task.t.out)"),
        ("can(length([local.late ? [][0] : 1]))", "?bool(task.t.out)"),
        ("can(local.postponed)", "?bool(task.t.out)"),
        ("can([][0] + local.late)", "false"),
        ("can(length(local.some))", "true"),
        ("local.late ? try([][0], 1) : 2", "?number(task.t.out)"),
    ]);
}

#[test]
fn some_errors_are_never_postponed() {
    let name = "E0232 console:1:29 name is not known\n  the name of the resource must be known before the run\n  \
                fix: use a name that does not depend on a resource";
    let late = "E0232 console:1:5 name is not known\n  the name of the resource must be known before the run\n  \
                fix: use a name that does not depend on a resource";
    check_all(&[
        ("local.late == 1 ? \"value\" : task[local.late].out", name),
        ("try(task[local.late].out, 1)", late),
    ]);
}

#[test]
fn shapes_are_checked_before_the_run() {
    let wrong = |what: &str| format!("E0220 console:1:1 operand of the wrong type\n  {what}");
    let rows = [
        (
            "\"a ${local.late}\" * 2",
            wrong("`*` computes with numbers; this is a string\n  fix: use a number here"),
        ),
        ("(local.late > 1) && 5 == 5 && true", "?bool(task.t.out)".into()),
        (
            "\"a ${local.late}\" ? 1 : 2",
            "E0224 console:1:1 condition is not a bool\n  this is a string, not true or false\n  \
             fix: use true or false here"
                .into(),
        ),
    ];
    rows.iter().for_each(|(expression, expected)| check_all(&[(expression, expected)]));
}

#[test]
fn members_of_scalars_are_rejected_before_the_run() {
    let summary = |expression: &str| {
        let (mut sources, reading) = crate::print::read_text(AROUND);
        let found = reading.console.evaluate(&mut sources, expression);
        found.err().and_then(|problems| problems.iter().next().map(uphold_model::Diagnostic::summary))
    };
    let rows = [
        ("[for x in \"a ${local.late}\" : x]", Some("value cannot be looped over")),
        ("{ for x in local.late + 1 : x => x }", Some("value cannot be looped over")),
        ("(\"a ${local.late}\").b", Some("unknown member")),
        ("(\"a ${local.late}\")[\"b\"]", Some("unknown member")),
        ("(local.late == 1)[0]", Some("unknown member")),
        ("split(\",\", local.late).b", Some("unknown member")),
        ("split(\",\", local.late)[0]", None),
        ("[for x in split(\",\", local.late) : x]", None),
        ("(\"a ${local.late}\")[*]", None),
        ("local.late.b", None),
    ];
    for (expression, expected) in rows {
        assert_eq!(summary(expression), expected, "{expression}");
    }
}

#[test]
fn secrets_stay_secret() {
    check_all(&[
        ("param.token", "secret(\"pw\")"),
        ("\"a ${param.token}\"", "secret(\"a pw\")"),
        ("[param.token, 1]", "[secret(\"pw\"), 1]"),
        ("upper(param.token)", "secret(\"PW\")"),
        ("param.token == \"pw\"", "secret(true)"),
        ("param.token == \"pw\" ? 1 : 2", "secret(1)"),
        ("param.keys.a", "secret(1)"),
        ("param.keys[\"b\"] + 1", "secret(3)"),
        ("[for k, v in param.keys : v]", "secret([1, 2])"),
        ("{ for k, v in param.keys : k => v }", "secret({ a = 1, b = 2 })"),
        ("{ (param.token) = 1 }", "secret({ pw = 1 })"),
        ("{ pw = 1 }[param.token]", "secret(1)"),
        ("param.keys[*].a", "secret([1])"),
        ("\"%{ if param.token == \"pw\" }a%{ endif }\"", "secret(\"a\")"),
        ("\"%{ for x in [1] }${param.token}%{ endfor }\"", "secret(\"pw\")"),
        ("\"${param.token}${local.late}\"", "secret(?text(task.t.out))"),
        ("nonsensitive(param.token)", "\"pw\""),
        ("sensitive(\"x\")", "secret(\"x\")"),
        ("!sensitive(true)", "secret(false)"),
        ("-sensitive(1)", "secret(-1)"),
        ("sensitive(true) && true", "secret(true)"),
        ("[1, 2, 3][sensitive(1)]", "secret(2)"),
        ("max(sensitive([1, 2])...)", "secret(2)"),
        ("local.late ? param.token : \"\"", "secret(?text(task.t.out))"),
        ("try(param.token, \"\")", "secret(\"pw\")"),
    ]);
}
