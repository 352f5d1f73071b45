//! Meta arguments that affect the visit of a resource.

use crate::print::{check, check_files};

/// Checks how a block with these arguments is read.
#[track_caller]
fn meta(arguments: &str, expected: &str) {
    check(&format!("t \"a\" {{\n  {arguments}\n}}"), &format!("t.a\n  {expected}\nconverge t.a"));
}

#[test]
fn plain_ones() {
    meta("timeout = \"1m30s\"", "timeout 90s");
    meta("poll = \"1m\"", "poll 60s");
    meta("poll = 30", "poll 30s");
    meta("limit = { times = 10, per = \"1m\" }", "limit 10 per 60s");
    meta("audit = true", "audit");
    meta("ignore_failure = true", "ignore_failure");
    meta("depends_on = [t.b, file[\"/x\"]]", "depends_on t.b, file[\"/x\"]");
    meta("depends_on = concat([t.b], [t.c])", "depends_on t.b, t.c");
    meta("depends_on = [for n in [\"x\", \"y\"] : t[n]]", "depends_on t.x, t.y");
    meta("sensitive = !false\n  auto_edges = 1 > 2", "sensitive\n  no_auto_edges");
}

#[test]
fn locks() {
    meta("lock = \"apt\"", "lock apt 1");
    meta("lock = { name = \"apt\" }", "lock apt 1");
    meta("lock = { name = \"net\", most = 3 }", "lock net 3");
    meta("lock = [\"apt\", { name = \"net\", most = 3 }]", "lock apt 1\n  lock net 3");
    check("t \"a\" { lock = [] }", "t.a\nconverge t.a");
}

#[test]
fn retries() {
    meta("retry = 3", "retry 3 after 1s");
    meta("retry = { times = 2, delay = \"5s\" }", "retry 2 after 5s");
    meta("retry = {}", "retry 1 after 1s");
    meta(
        "retry = { times = 5, delay = \"2s\", backoff = 1.5, max_delay = \"1m\", jitter = 0.2, on = [\"denied\", \"timed_out\"] }",
        "retry 5 after 2s backoff 1.5 longest 60s jitter 0.2 on [denied, timed_out]",
    );
    // The maximum delay is at least the first delay.
    meta("retry = { delay = \"10m\" }", "retry 1 after 600s backoff 1 longest 600s jitter 0 on []");
}

#[test]
fn notifications() {
    meta("notifies = [service.nginx.reload]", "notifies service.nginx reload");
    meta("notifies = [t[\"x y\"].run, t.b.converge]", "notifies t[\"x y\"] run\n  notifies t.b converge");
    meta(
        "notifies = { before = [t.b.stop], immediately = [t.c.x, t.c.y], delayed = [t.d.x], on_success = [t.e.x] }",
        "notifies t.b stop before\n  notifies t.c x immediately\n  notifies t.c y immediately\n  notifies t.d x\n  \
         notifies t.e x on_success",
    );
    meta("notifies = true ? [t.b.x] : []", "notifies t.b x");
    meta("notifies = false ? [t.b.x] : { before = 1 > 2 ? [] : [t.c.x] }", "notifies t.c x before");
    meta(
        "subscribes = { reload = [file.a, file.b] }",
        "subscribes file.a reload\n  subscribes file.b reload",
    );
    meta(
        "subscribes = { reload = { immediately = [file.a], delayed = [file.b] }, stop = { before = [file.c] } }",
        "subscribes file.a reload immediately\n  subscribes file.b reload\n  subscribes file.c stop before",
    );
}

#[test]
fn for_each_resources_notify_and_subscribe() {
    let many = "m \"m\" {\n  for_each = [\"x\", \"y\", \"z\"]\n  when     = each.key != \"z\"\n}\n";
    let shown = "m.m[\"x\"]\nconverge m.m[\"x\"]\nm.m[\"y\"]\nconverge m.m[\"y\"]";
    let check_each = |argument: &str, expected: &str| {
        let expected = format!("{shown}\nt.a\n  {expected}\nconverge t.a");
        check(&format!("{many}t \"a\" {{ {argument} }}"), &expected);
    };
    check_each("notifies = [m.m.run]", "notifies m.m[\"x\"] run\n  notifies m.m[\"y\"] run");
    check_each("notifies = [m.m[\"x\"].run]", "notifies m.m[\"x\"] run");
    check_each("subscribes = { run = [m.m] }", "subscribes m.m[\"x\"] run\n  subscribes m.m[\"y\"] run");
    check_each("depends_on = [m.m]", "depends_on m.m");
    check(
        &format!("{many}t \"a\" {{ notifies = [m.m[\"z\"].run] }}"),
        &format!("{shown}\nt.a\nconverge t.a"),
    );
}

#[test]
fn notified_resources_can_come_from_params() {
    check(
        "locals { targets = [t.b, t.c] }\nt \"a\" { notifies = [local.targets.run] }",
        "t.a\n  notifies t.b run\n  notifies t.c run\nconverge t.a",
    );
    check(
        "t \"b\" {}\nt \"a\" {\n  for_each = { x = t.b }\n  notifies = { immediately = [each.value.run] }\n}",
        "t.b\nconverge t.b\nt.a[\"x\"]\n  notifies t.b run immediately\nconverge t.a[\"x\"]",
    );
    check_files(
        &[
            ("a.hcl", "module \"m\" {\n  source = \"./m\"\n  tell   = service.nginx\n}"),
            (
                "m/main.hcl",
                "param \"tell\" {}\nt \"a\" { notifies = [param.tell.reload] }\nt \"b\" { depends_on = [param.tell] }",
            ),
        ],
        "module.m {\nmodule.m.t.a\n  notifies service.nginx reload\nconverge module.m.t.a\nmodule.m.t.b\n  \
         depends_on service.nginx\nconverge module.m.t.b\n}",
    );
}

#[test]
fn guards() {
    meta("only_if = \"test -e /x\"", "only_if \"test -e /x\"");
    meta("not_if = [\"test\", \"-e\", t.b.path]", "not_if <t.b.path>");
    meta("only_if = t.b.ok\n  not_if = 1 > 2", "only_if <t.b.ok>\n  not_if false");
    meta("only_if = sensitive(\"test -e /x\")", "only_if secret(\"test -e /x\")");
    meta(
        "only_if = { command = \"ls\", dir = \"/srv\", user = \"app\", env = { A = \"b\" }, timeout = \"5s\" }",
        "only_if \"ls\" in /srv as app A=b within 5s",
    );
    meta("not_if = { command = [\"test\", \"-e\", t.b.path], dir = \"/\" }", "not_if <t.b.path> in /");
}

#[test]
fn several_guards() {
    meta(
        "only_if = [[\"test\", \"-e\", \"/a\"], { command = \"ls\", dir = \"/\" }, t.b.ok, \"test -e /c\"]",
        "only_if <t.b.ok>\n  only_if <t.b.ok> in /\n  only_if <t.b.ok>\n  only_if <t.b.ok>",
    );
    meta(
        "not_if = [[\"test\", \"-e\", \"/a\"], { command = \"ls\", dir = \"/\" }]",
        "not_if [\"test\", \"-e\", \"/a\"]\n  not_if \"ls\" in /",
    );
    // A list is a command if it contains strings.
    meta("only_if = [t.b.ok, t.c.ok]", "only_if <t.b.ok, t.c.ok>\n  only_if <t.b.ok, t.c.ok>");
    meta("only_if = [t.b.program, \"-v\"]", "only_if <t.b.program>");
}

#[test]
fn not_until() {
    meta("not_until = \"test -e /x\"", "not_until \"test -e /x\" every 1s");
    meta("not_until = [\"test\", \"-e\", \"/x\"]", "not_until [\"test\", \"-e\", \"/x\"] every 1s");
    meta("not_until = t.b.ok", "not_until <t.b.ok> every 1s");
    meta(
        "not_until = { command = \"ls\", every = \"2s\", timeout = \"1s\" }",
        "not_until \"ls\" within 1s every 2s",
    );
}

#[test]
fn of_each() {
    check(
        "t \"a\" {\n  for_each = [\"x\"]\n  lock     = each.key\n  retry    = length(each.key)\n  only_if  = \"test ${each.value}\"\n  notifies = [t.b[each.key].run]\n}\nt \"b\" { for_each = [\"x\"] }",
        "t.a[\"x\"]\n  notifies t.b[\"x\"] run\n  only_if \"test x\"\n  retry 1 after 1s\n  lock x 1\nconverge t.a[\"x\"]\n\
         t.b[\"x\"]\nconverge t.b[\"x\"]",
    );
}
