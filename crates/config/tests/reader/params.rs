//! Params: types, defaults, and values from outside.

use uphold_config::{Given, GivenValue, Origin, read_params};
use uphold_model::{Sources, Value};

use crate::print::{check, diagnostics, flag, problems, read_files, show, statements};
use crate::surroundings::InMemory;

/// Checks the value that a param of this type gets from this text on the command line.
#[track_caller]
fn typed(constraint: &str, written: &str, expected: &str) {
    let text = format!("param \"p\" {{ type = {constraint} }}\noutput \"o\" {{ value = param.p }}\n");
    let (sources, reading) = read_files(&[("a.hcl", &text)], [flag(&format!("p={written}"))]);
    assert_eq!(diagnostics(&sources, &reading), "", "{constraint} {written}");
    assert_eq!(statements(&reading), format!("output o = {expected}"), "{constraint} {written}");
}

#[test]
fn types_convert_passed_values() {
    typed("string", "80", "\"80\"");
    typed("string", "[1]", "\"[1]\"");
    typed("any", "80", "\"80\"");
    typed("number", "80", "80");
    typed("number", "-1.5", "-1.5");
    typed("bool", "true", "true");
    typed("list", "[1, \"a\"]", "[1, \"a\"]");
    typed("list(number)", "[1, 2]", "[1, 2]");
    typed("list(any)", "[1, true]", "[1, true]");
    typed("set(string)", "[\"b\", \"a\", \"b\"]", "[\"a\", \"b\"]");
    typed("set(number)", "[2, 1, 2]", "[1, 2]");
    typed("map(string)", "{ a = \"x\" }", "{ a = \"x\" }");
    typed("map", "{ a = 1, b = [] }", "{ a = 1, b = [] }");
    typed("tuple([string, number])", "[\"a\", 1]", "[\"a\", 1]");
    typed(
        "object({ name = string, port = optional(number, 80) })",
        "{ name = \"a\" }",
        "{ name = \"a\", port = 80 }",
    );
    typed(
        "object({ name = string, port = optional(number) })",
        "{ name = \"a\" }",
        "{ name = \"a\", port = null }",
    );
    typed("object({ a = optional(list(string), [\"x\"]), b = any })", "{ b = 1 }", "{ a = [\"x\"], b = 1 }");
    typed("list(object({ n = number }))", "[{ n = 1 }, { n = 2 }]", "[{ n = 1 }, { n = 2 }]");
    typed("map(list(number))", "{ a = [1] }", "{ a = [1] }");
    typed("list(string)", "[upper(\"a\")]", "[\"A\"]");
}

#[test]
fn defaults_of_fields_are_filled_in_at_every_depth() {
    let port = "object({ port = optional(number, 80) })";
    let filled = |constraint: &str, written: &str, expected: &str| {
        typed(&constraint.replace("PORT", port), written, expected);
    };
    // In values that are passed.
    filled(
        "list(PORT)",
        "[{}, { port = 1 }, { port = null }]",
        "[{ port = 80 }, { port = 1 }, { port = 80 }]",
    );
    filled("set(PORT)", "[{}, { port = 80 }]", "[{ port = 80 }]");
    filled("map(PORT)", "{ a = {} }", "{ a = { port = 80 } }");
    filled("tuple([PORT, any])", "[{}, {}]", "[{ port = 80 }, {}]");
    filled("object({ a = PORT })", "{ a = {} }", "{ a = { port = 80 } }");
    filled("object({ a = optional(PORT) })", "{}", "{ a = null }");
    // In defaults, from the outermost in.
    filled("object({ a = optional(PORT, {}) })", "{}", "{ a = { port = 80 } }");
    filled("object({ a = optional(list(PORT), [{}]) })", "{}", "{ a = [{ port = 80 }] }");
    filled(
        "object({ a = optional(map(PORT), { x = { port = null } }) })",
        "{}",
        "{ a = { x = { port = 80 } } }",
    );
    filled(
        "object({ a = optional(object({ b = optional(PORT, {}), c = optional(PORT, { port = 1 }) }), {}) })",
        "{}",
        "{ a = { b = { port = 80 }, c = { port = 1 } } }",
    );
    // A default is sorted like a value that is passed.
    typed("object({ a = optional(set(string), [\"b\", \"a\", \"b\"]) })", "{}", "{ a = [\"a\", \"b\"] }");
    typed("object({ a = optional(number, null), b = optional(number, -1) })", "{}", "{ a = null, b = -1 }");
    typed("object({ a = optional(any, [1, \"x\"]) })", "{}", "{ a = [1, \"x\"] }");
    typed("object({ a = optional(number, 1) })", "{ a = sensitive(null) }", "{ a = secret(1) }");
}

#[test]
fn defaults() {
    check("param \"a\" { default = 5 }\noutput \"o\" { value = param.a }", "output o = 5");
    check("param \"a\" { default = null }\noutput \"o\" { value = param.a }", "output o = null");
    check("param \"a\" { required = false }\noutput \"o\" { value = param.a }", "output o = null");
    let typed_null =
        "param \"a\" {\n  type     = number\n  required = false\n}\noutput \"o\" { value = param.a }";
    check(typed_null, "output o = null");
    // A default can be computed, also from other params.
    let computed = "param \"a\" { default = 2 }\nparam \"b\" { default = param.a * 10 }\n\
                    output \"o\" { value = [for x in [param.b] : x] }";
    check(computed, "output o = [20]");
    let filled = "param \"a\" {\n  type    = object({ x = optional(number, 1) })\n  default = {}\n}\n\
                  output \"o\" { value = param.a }";
    check(filled, "output o = { x = 1 }");
}

#[test]
fn secrets() {
    let text = "param \"a\" {\n  default   = \"pw\"\n  sensitive = true\n}\n\
                output \"o\" { value = \"x${param.a}\" }";
    check(text, "output o = secret(\"xpw\")");
    check("output \"o\" {\n  value     = 1\n  sensitive = true\n}", "output o = secret(1)");
}

#[test]
fn met_validations_are_silent() {
    let text = "param \"port\" {\n  default     = 80\n  description = \"where it listens\"\n  validation {\n    \
                condition = param.port > 0\n    message   = \"x\"\n  }\n  validation {\n    \
                condition = param.port < 65536\n    message   = \"y\"\n  }\n}\noutput \"o\" { value = param.port }";
    check(text, "output o = 80");
}

fn given(name: &str, value: &str, origin: Origin) -> Given {
    Given { name: name.into(), value: GivenValue::Text(value.into()), origin }
}

#[test]
fn the_first_value_counts() {
    let text = "param \"a-b\" { default = \"d\" }\noutput \"o\" { value = param[\"a-b\"] }";
    let read = |all: Vec<Given>| {
        let (sources, reading) = read_files(&[("a.hcl", text)], all);
        assert_eq!(diagnostics(&sources, &reading), "");
        statements(&reading)
    };
    assert_eq!(read(vec![]), "output o = \"d\"");
    assert_eq!(read(vec![flag("a-b=1"), flag("a-b=2")]), "output o = \"1\"");
    assert_eq!(read(vec![given("A_B", "e", Origin::Environment)]), "output o = \"e\"");
    let both = vec![flag("a-b=f"), given("A_B", "e", Origin::Environment)];
    assert_eq!(read(both), "output o = \"f\"");
}

#[test]
fn unknown_environment_params_are_ignored() {
    let (sources, reading) = read_files(&[("a.hcl", "")], [given("OTHER", "x", Origin::Environment)]);
    let expected = "W0303 nowhere value for an unknown param\n  UPHOLD_PARAM_OTHER is set, but there is no such param\n  fix: the configuration takes no params";
    assert_eq!(diagnostics(&sources, &reading), expected);
}

#[test]
fn params_files() {
    let check = |name: &str, text: &str, expected: &[(&str, &str)]| {
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        let (given, found) = read_params(&mut sources, id, &InMemory::with([("conf/name.txt", "web")]));
        assert_eq!(problems(&sources, found.iter()), "", "{text}");
        let shown = given.iter().map(|one| match &one.value {
            GivenValue::Value(value, place) => {
                assert!(place.is_some() && one.origin == Origin::File);
                (one.name.as_str(), show(value))
            }
            GivenValue::Text(_) => panic!("a file holds values"),
        });
        let expected: Vec<_> = expected.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    };
    check("p.hcl", "a = 1\nb = [\"x\", 1 + 1]\n", &[("a", "1"), ("b", "[\"x\", 2]")]);
    check("conf/p.hcl", "a = file(\"name.txt\")\n", &[("a", "\"web\"")]);
    check("p.hcl", "", &[]);
    check(
        "p.json",
        "{ \"a\": 1, \"b\": { \"c\": [true, null, 1.5] } }",
        &[("a", "1"), ("b", "{ c = [true, null, 1.5] }")],
    );
    check("p.yaml", "a: 1\nb:\n  - x\n  - c: true\n", &[("a", "1"), ("b", "[\"x\", { c = true }]")]);
    check("p.yml", "{}", &[]);
}

#[test]
fn values_of_files_are_converted() {
    let text = "param \"hosts\" { type = set(string) }\noutput \"o\" { value = param.hosts }";
    let value = Value::list([Value::text("b"), Value::text("a"), Value::text("b")]);
    let one = Given { name: "hosts".into(), value: GivenValue::Value(value, None), origin: Origin::File };
    let (sources, reading) = read_files(&[("a.hcl", text)], [one]);
    assert_eq!(
        (diagnostics(&sources, &reading), statements(&reading)),
        (String::new(), "output o = [\"a\", \"b\"]".into())
    );
}
