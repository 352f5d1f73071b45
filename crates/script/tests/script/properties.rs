//! Definitions of properties, valid and invalid.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};
use crate::stage::same;

/// Writes the type and the value of a property.
const WRITES: &str = "function actions.create() fs.write(`/{name}`, `{type(x)} {x}`) end\n";

/// The action of this kind writes the expected file.
#[track_caller]
fn writes(properties: &str, set: &[(&str, Value)], expected: &str) {
    let bench = Bench::new(&[("p", &format!("{properties}\n{WRITES}"))]);
    let output = bench.run(Apply, "p", "x", set);
    assert_eq!(bench.content("/x"), expected, "{output}");
}

/// A file is invalid, with exactly this diagnostic.
#[track_caller]
fn refused(text: &str, expected: &str) {
    let mut kinds = Bench::new(&[]).kinds;
    let output = problems(&[("p", text)], &mut kinds);
    assert_eq!(output.trim_end(), expected);
}

#[test]
fn a_value_is_converted_before_its_type_is_checked() {
    let path = "properties.x = { type = \"path\", coerce = function(v) return `/{v}` end }";
    writes(path, &[("x", Value::text("a"))], "string /a");
    let count = "properties.x = { type = \"int\", range = { 1, 5 }, coerce = function(v) return #v end }";
    writes(count, &[("x", Value::text("abc"))], "number 3");
    let bench = Bench::new(&[("p", &format!("{count}\n{WRITES}"))]);
    let output = bench.run(Plan, "p", "x", &[("x", Value::text("abcdef"))]);
    assert!(output.contains("must be from 1 to 5"), "{output}");
}

#[test]
fn a_loaded_value_is_converted_like_a_declared_one() {
    let text = "properties.x = { type = \"text\", coerce = string.lower }\n\
                function load_current_value(current) current.x = \"LOUD\" end\n\
                function actions.create() converge_if_changed(function() error(\"differs\") end) end";
    let bench = Bench::new(&[("p", text)]);
    same(&bench.run(Apply, "p", "x", &[("x", Value::text("Loud"))]), "p.x unchanged");
}

#[test]
fn a_computed_default_is_converted_and_checked() {
    writes("properties.x = { type = \"int\", default = function() return \"12\" end }", &[], "number 12");
    writes(
        "properties.x = { type = \"text\", default = function() return \"A\" end, coerce = string.lower }",
        &[],
        "string a",
    );
    let fails = |property: &str, expected: &str| {
        let text = format!("properties.x = {property}\n{WRITES}");
        let output = Bench::new(&[("p", &text)]).run(Plan, "p", "x", &[]);
        assert!(output.contains(expected), "{output}");
    };
    let bad = "{ type = \"int\", default = function() return \"bad\" end }";
    fails(bad, "the default of `x` = \"bad\" must be a whole number");
    let small = "{ type = \"int\", default = function() return 3 end, check = function(v) return v > 5, \"is small\" end }";
    fails(small, "the default of `x` = 3 is small");
    fails("{ type = \"int\", default = function() return 3 end, range = { 5, 9 } }", "must be from 5 to 9");
}

#[test]
fn a_plain_default_is_converted_and_checked() {
    let check =
        "properties.x = { type = \"int\", default = 3, check = function(v) return v > 5, \"is small\" end }";
    refused(
        &format!("-- first\n{check}\n{WRITES}"),
        "kinds/p.luau:2:1: script failed: property `x`: its default is small",
    );
    writes(
        "properties.x = { type = \"int\", default = \"abc\", coerce = function(v) return #v end }",
        &[],
        "number 3",
    );
}

/// A property is the declared value, else the current one, else the default.
#[test]
fn a_default_replaces_a_value_that_the_loader_does_not_set() {
    let loads = |line: &str| {
        format!(
            "properties.x = {{ type = \"text\", default = \"DB\" }}\nfunction load_current_value(current) {line} end"
        )
    };
    writes(&loads(""), &[], "string DB");
    writes(&loads("current.x = \"there\""), &[], "string there");
}

#[test]
fn a_required_property_has_no_default() {
    let text = format!(
        "properties.y = {{}}\nproperties.x = {{ type = \"int\", required = true, default = 10 }}\n{WRITES}"
    );
    refused(
        &text,
        "kinds/p.luau:2:1: script failed: property `x`: is required and has a default, which is never used: remove one of them",
    );
}

#[test]
fn a_property_required_for_the_default_action_is_required_to_converge() {
    let text = "properties.x = { type = \"text\", required = { \"doit\" }, setting = true }\n\
                function actions.doit() end\nfunction actions.other() end";
    let bench = Bench::new(&[("p", text)]);
    for action in ["converge", "doit"] {
        let output = bench.act(Plan, "p", "x", &[], action);
        assert!(output.contains(&format!("`x` is required to {action}")), "{output}");
    }
    assert!(!bench.act(Plan, "p", "x", &[], "other").contains("required"));
    refused(
        "properties.x = { required = { \"dont\" } }\nfunction actions.doit() end",
        "kinds/p.luau:1:1: script failed: property `x`: is required for `dont`, which is not an action; did you mean `doit`?",
    );
}

/// As with state of compiled kinds: a name is enough to remove a resource.
#[test]
fn a_required_property_is_not_needed_to_remove() {
    let text = "properties.x = { type = \"text\", required = true }\n\
                function actions.create() end\nfunction actions.start() end\nfunction actions.REMOVE() end";
    for (removal, word) in [("remove", "remove"), ("delete", "remove"), ("delete", "delete")] {
        let bench = Bench::new(&[("p", &text.replace("REMOVE", removal))]);
        assert!(!bench.act(Plan, "p", "x", &[], word).contains("required"), "{removal} {word}");
        for action in ["converge", "create", "start"] {
            assert!(bench.act(Plan, "p", "x", &[], action).contains("`x` is required"), "{action}");
        }
    }
}

/// `check()` relies on required properties, so it is not called where they can be missing.
#[test]
fn a_resource_is_removed_without_its_check() {
    let text = "properties.x = { type = \"int\", required = true }\n\
                function check() return if x > 5 then nil else \"is small\" end\n\
                function actions.create() end\nfunction actions.remove() end";
    let bench = Bench::new(&[("p", text)]);
    same(&bench.act(Plan, "p", "x", &[], "remove"), "p.x unchanged");
    assert!(bench.run(Plan, "p", "x", &[("x", Value::Int(3))]).contains("is small"));
}

#[test]
fn errors_of_properties_name_their_line() {
    refused(
        "properties.name = { name = true }\nproperties.port = { type = \"prot\" }",
        "kinds/p.luau:2:1: script failed: property `port`: there is no type `prot`; did you mean `port`?",
    );
    refused(
        "doc = \"x\"\n\nproperties.port = \"port\"",
        "kinds/p.luau:3:1: script failed: properties.port must be a table: { type = \"string\" }",
    );
}

const BASE: &str = "properties.path = { type = \"path\", name = true }\n\
                    properties.x = { type = \"int\", range = { 1, 100 }, doc = \"How many.\", load = function(current) current.x = 7 end }\n\
                    exclusive = { \"a\", \"b\" }\nproperties.a = {}\nproperties.b = {}\n\
                    function check() return if x == 13 then \"is unlucky\" else nil end\n\
                    function load_current_value(current) end\nfunction actions.create() end";

#[test]
fn an_overridden_property_inherits_the_other_fields() {
    let child = "extends \"base\"\nproperties.x = { default = 80 }";
    let bench = Bench::new(&[("base", BASE), ("child", child)]);
    let run = |set: &[(&str, Value)]| bench.run(Plan, "child", "/x", set);
    assert!(run(&[("x", Value::text("no"))]).contains("must be a whole number"));
    assert!(run(&[("x", Value::Int(101))]).contains("must be from 1 to 100"));
    assert!(run(&[("x", Value::Int(8))]).contains("x: 7 -> 8"));
    same(&run(&[("x", Value::Int(7))]), "child[\"/x\"] unchanged");
    let schema = bench.kinds.get("child").expect("a kind").schema();
    assert_eq!(schema.property("x").expect("inherited").doc, "How many.");
}

/// Rules over several properties and functions are inherited, too.
#[test]
fn rules_over_several_properties_are_inherited() {
    let bench = Bench::new(&[("base", BASE), ("child", "extends \"base\"")]);
    let run = |set: &[(&str, Value)]| bench.run(Plan, "child", "/x", set);
    assert!(run(&[("x", Value::Int(13))]).contains("is unlucky"));
    assert!(run(&[("a", Value::Int(1)), ("b", Value::Int(1))]).contains("excludes `b`"));
}

#[test]
fn an_inherited_loader_of_a_property_can_be_replaced() {
    let child = "extends \"base\"\nproperties.x = { load = function(current) current.x = 9 end }";
    let bench = Bench::new(&[("base", BASE), ("child", child)]);
    same(&bench.run(Plan, "child", "/x", &[("x", Value::Int(9))]), "child[\"/x\"] unchanged");
}

#[test]
fn a_kind_extends_only_one_kind() {
    let mut kinds = Bench::new(&[]).kinds;
    let plain = "function actions.create() end";
    let output = problems(&[("a", plain), ("b", plain), ("c", "extends \"a\"\nextends \"b\"")], &mut kinds);
    let expected = "kinds/c.luau:2:1: invalid parent of a kind: this kind extends both `a` and `b`, but a kind can extend only one";
    assert_eq!(output.trim_end(), expected);
}

#[test]
fn an_ignored_failure_is_reported() {
    let bad = "function actions.create() error(\"broken\") end";
    let output = Bench::new(&[("bad", bad)]).recipe(Apply, "bad(\"y\", { ignore_failure = true })");
    assert!(output.contains("bad.y failed, which is ignored: kinds/bad.luau:1: broken"), "{output}");
    assert!(output.contains("recipe[\"site.luau\"] unchanged"), "{output}");
}

/// As with compiled kinds.
#[test]
fn identity_is_reported_when_a_resource_is_created() {
    let text = "properties.site = { type = \"text\", identity = true }\nproperties.x = { type = \"text\" }\n\
                function load_current_value(current)\n\
                if not fs.exists(\"/x\") then current_value_does_not_exist() end\ncurrent.x = fs.read(\"/x\")\nend\n\
                function actions.create() converge_if_changed(function() fs.write(\"/x\", x) end) end";
    let bench = Bench::new(&[("p", text)]);
    let set = |x: &str| [("site", Value::text("s")), ("x", Value::text(x))];
    same(&bench.run(Apply, "p", "n", &set("1")), "p.n changed\n site: - -> \"s\"\n x: - -> \"1\"");
    same(&bench.run(Apply, "p", "n", &set("2")), "p.n changed\n x: \"1\" -> \"2\"");
}
