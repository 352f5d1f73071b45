//! `for_each` and `when`: the number of resources of a block.

use crate::print::{check, diagnostics, inactive, read_files};

#[test]
fn over_maps_sets_and_lists() {
    check(
        "file \"f\" {\n  for_each = { b = 2, a = 1 }\n  path     = \"/${each.key}\"\n  size     = each.value\n}",
        "file.f[\"a\"]\n  path = \"/a\"\n  size = 1\nconverge file.f[\"a\"]\n\
         file.f[\"b\"]\n  path = \"/b\"\n  size = 2\nconverge file.f[\"b\"]",
    );
    let each = "  for_each = XS\n  v        = [each.key, each.value]\n";
    let over = |xs: &str, expected: &[(&str, &str)]| {
        let text = format!("t \"x\" {{\n{}}}", each.replace("XS", xs));
        let one = |(key, v): &(&str, &str)| format!("t.x[{key:?}]\n  v = {v}\nconverge t.x[{key:?}]");
        check(&text, &expected.iter().map(one).collect::<Vec<_>>().join("\n"));
    };
    over("[\"a\", \"b\"]", &[("a", "[\"a\", \"a\"]"), ("b", "[\"b\", \"b\"]")]);
    over("toset([\"b\", \"a\", \"b\"])", &[("a", "[\"a\", \"a\"]"), ("b", "[\"b\", \"b\"]")]);
    over("range(2)", &[("0", "[\"0\", 0]"), ("1", "[\"1\", 1]")]);
    over("{ for x in [\"p\"] : x => { deep = x } }", &[("p", "[\"p\", { deep = \"p\" }]")]);
    over("{}", &[]);
    over("[]", &[]);
    over("{ \"any name/x\" = 1 }", &[("any name/x", "[\"any name/x\", 1]")]);
}

#[test]
fn values_can_be_deferred_but_keys_cannot() {
    check(
        "task \"t\" {}\nlocals { m = { a = task.t.out, b = 1 } }\nfile \"f\" {\n  for_each = local.m\n  v = each.value\n  k = each.key\n}",
        "task.t\nconverge task.t\n\
         file.f[\"a\"]\n  v = <task.t.out>\n  k = \"a\"\nconverge file.f[\"a\"]\n\
         file.f[\"b\"]\n  v = 1\n  k = \"b\"\nconverge file.f[\"b\"]",
    );
}

#[test]
fn conditions() {
    check("t \"a\" { when = true }\nt \"b\" { when = false }", "t.a\nconverge t.a");
    check(
        "t \"x\" {\n  for_each = [\"a\", \"b\"]\n  when     = each.key == \"b\"\n}",
        "t.x[\"b\"]\nconverge t.x[\"b\"]",
    );
    // The condition is known only during the run.
    check("t \"a\" { when = t.b.ok }\nt \"b\" {}", "t.a\n  when <t.b.ok>\nconverge t.a\nt.b\nconverge t.b");
    check(
        "t \"x\" {\n  for_each = [\"a\"]\n  when     = t.b.ok == each.key\n}\nt \"b\" {}",
        "t.x[\"a\"]\n  when <t.b.ok>\nconverge t.x[\"a\"]\nt.b\nconverge t.b",
    );
    check("t \"a\" { when = false && t.b.ok }\nt \"b\" {}", "t.b\nconverge t.b");
}

#[test]
fn references_to_for_each() {
    let f = "f \"f\" { for_each = [\"a\", \"b\"] }\n";
    let value = |expression: &str, expected: &str| {
        let shown = "f.f[\"a\"]\nconverge f.f[\"a\"]\nf.f[\"b\"]\nconverge f.f[\"b\"]";
        let text = format!("{f}log \"l\" {{\n  v = {expression}\n}}");
        check(&text, &format!("{shown}\nlog.l\n  v = {expected}\nconverge log.l"));
    };
    value("f.f[\"a\"].size", "<f.f[\"a\"].size>");
    value("f.f.a.size", "<f.f[\"a\"].size>");
    value("f.f[\"a\"]", "<f.f[\"a\"]>");
    value("f.f", "<f.f[\"a\"], f.f[\"b\"]>");
    value("[for k, x in f.f : x.size]", "<f.f[\"a\"], f.f[\"b\"], f.f[\"a\"].size, f.f[\"b\"].size>");
    value("keys(f.f)", "<f.f[\"a\"], f.f[\"b\"]>");
    value("f.f[f.f[\"a\"].next].size", "<f.f[\"a\"].next, f.f[\"a\"].size, f.f[\"b\"].size>");
    value("try(f.f[\"c\"].size, 0)", "0");
}

#[test]
fn disabled_resources_are_left_out() {
    let f =
        "f \"f\" {\n  for_each = [\"a\", \"b\"]\n  when = each.key == \"a\"\n}\nf \"off\" { when = false }\n";
    let meta = |argument: &str, expected: &str| {
        let text = format!("{f}log \"l\" {{\n  {argument}\n}}");
        check(&text, &format!("f.f[\"a\"]\nconverge f.f[\"a\"]\nlog.l{expected}\nconverge log.l"));
    };
    meta("depends_on = [f.f]", "\n  depends_on f.f[\"a\"]");
    meta("depends_on = [f.off]", "");
    meta("notifies = [f.f.run]", "\n  notifies f.f[\"a\"] run");
    meta("v = try(f.off.size, 0)", "\n  v = 0");
    meta("v = can(f.off.size)", "\n  v = false");
}

#[test]
fn blocks_with_a_false_condition_are_inactive() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let (sources, reading) = read_files(files, []);
        assert_eq!(diagnostics(&sources, &reading), "", "{files:?}");
        assert_eq!(inactive(&reading), expected, "{files:?}");
    };
    check(
        &[("a.hcl", "f \"x\" { when = false }\nf \"y\" { when = true }\nf \"z\" { for_each = [] }")],
        &["f.x"],
    );
    let each = "f \"x\" {\n  for_each = [\"a\", \"b\"]\n  when     = each.value == \"b\"\n}";
    check(&[("a.hcl", each)], &["f.x[\"a\"]"]);
    let group =
        "sequence {\n  when = false\n  f \"x\" {}\n  parallel {\n    f \"y\" { for_each = [1] }\n  }\n}";
    check(&[("a.hcl", group)], &["f.x", "f.y"]);
    let call = "module \"m\" {\n  source = \"./m\"\n  when   = false\n}";
    check(&[("a.hcl", call), ("m/m.hcl", "f \"x\" {}")], &["module.m"]);
}
