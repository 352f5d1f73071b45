//! `optional(…)`: null leaves a property or an argument unset.

use crate::print::{check, check_files, diagnostics, read_files};

const MODULE: &str = "param \"owner\" { required = false }\nparam \"mode\" { default = \"0644\" }\n\
    file \"f\" {\n  owner = optional(param.owner)\n  mode  = optional(param.mode)\n}\n";

#[test]
fn null_leaves_a_property_unset() {
    check("t \"x\" {\n  a = optional(null)\n  b = optional(1)\n}", "t.x\n  b = 1\nconverge t.x");
    check("t \"x\" { a = (optional(sensitive(null))) }", "t.x\nconverge t.x");
    check("t \"x\" { a = optional(sensitive(1)) }", "t.x\n  a = secret(1)\nconverge t.x");
    check("t \"x\" { a = optional([null]) }", "t.x\n  a = [null]\nconverge t.x");
    let edited = "t \"x\" { a = 1 }\nedit \"t\" \"x\" {\n  a = optional(null)\n  b = optional(2)\n}";
    check(edited, "t.x\n  a = 1\nconverge t.x\nedit t.x\n  b = 2");
}

#[test]
fn null_leaves_an_argument_out() {
    let call = |arguments: &str| format!("module \"m\" {{\n  source = \"./m\"\n{arguments}}}\n");
    let module =
        |attributes: &str| format!("module.m {{\nmodule.m.file.f\n{attributes}converge module.m.file.f\n}}");
    let check = |arguments: &str, attributes: &str| {
        check_files(&[("a.hcl", &call(arguments)), ("m/main.hcl", MODULE)], &module(attributes));
    };
    check("", "  mode = \"0644\"\n");
    check("  owner = null\n", "  mode = \"0644\"\n");
    check("  owner = optional(null)\n  mode = optional(null)\n", "  mode = \"0644\"\n");
    check("  owner = optional(\"a\")\n  mode = optional(\"0600\")\n", "  owner = \"a\"\n  mode = \"0600\"\n");
}

#[test]
fn unknown_values_are_deferred() {
    let text = "task \"t\" {}\nt \"x\" { a = optional(task.t.out) }";
    check(text, "task.t\nconverge task.t\nt.x\n  a = <task.t.out>\nconverge t.x");
}

#[test]
fn optional_elsewhere_is_an_error() {
    let place = "`optional` in the wrong place";
    let rows = [
        ("locals { a = optional(1) }\nlog \"u\" { m = local.a }", place),
        ("output \"o\" { value = optional(1) }", place),
        ("t \"x\" { a = [optional(1)] }", place),
        ("t \"x\" { a = true ? optional(1) : 2 }", place),
        ("t \"x\" { a = \"${optional(1)}\" }", place),
        ("t \"x\" { a = upper(optional(\"a\")) }", place),
        ("t \"x\" { a = optional(optional(1)) }", place),
        ("t \"x\" {\n  env {\n    A = optional(1)\n  }\n}", place),
        ("t \"x\" { when = optional(true) }", place),
        ("t \"x\" { for_each = optional([]) }", place),
        ("t \"x\" { a = optional() }", "wrong number of arguments"),
        ("t \"x\" { a = optional(1, 2) }", "wrong number of arguments"),
        ("module \"m\" {\n  source = \"./m\"\n  need = optional(null)\n}", "missing param"),
    ];
    for (text, summary) in rows {
        let module = "param \"need\" { type = string }\noutput \"o\" { value = param.need }";
        let (sources, reading) = read_files(&[("a.hcl", text), ("m/main.hcl", module)], []);
        let found: Vec<_> = reading.diagnostics.iter().map(uphold_model::Diagnostic::summary).collect();
        assert_eq!(found, [summary], "{text}: {}", diagnostics(&sources, &reading));
    }
}
