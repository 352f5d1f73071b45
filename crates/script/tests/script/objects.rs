//! Properties that are objects, and lists of them.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};
use crate::stage::site;

const POOL: &str = "properties.servers = { type = \"list of object\", fields = {\n\
    host = { type = \"string\", required = true, pattern = \"^[a-z.]+$\" },\n\
    port = { type = \"port\", default = 80 },\n\
    tls = { fields = { key = { type = \"path\" }, mode = { one_of = { \"on\", \"off\" }, default = \"on\" } } },\n\
    weight = { type = \"int\", range = { 1, 10 } },\n} }\n\
    properties.quota = { type = { burst = { type = \"int\", default = 5 } } }\n\
    function actions.create()\nfs.write(`/{name}.json`, json.encode({ servers = servers, quota = quota }))\nend";

fn pool() -> Bench {
    Bench::new(&[("pool", POOL)])
}

/// The diagnostics of a block.
#[track_caller]
fn refuses(block: &str, expected: &str) {
    let output = site(&pool(), Plan, &format!("pool \"p\" {{\n{block}\n}}\n"));
    assert!(output.contains(expected), "{output}");
}

#[test]
fn blocks_are_objects_with_defaults() {
    let bench = pool();
    let text = "pool \"p\" {\n  servers {\n    host = \"a\"\n    tls {}\n  }\n  servers {\n    host = \"b\"\n    port = 81\n  }\n  quota {}\n}\n";
    let output = site(&bench, Apply, text);
    let expected = r#"{"quota":{"burst":5},"servers":[{"host":"a","port":80,"tls":{"mode":"on"}},{"host":"b","port":81}]}"#;
    assert_eq!(bench.content("/p.json"), expected, "{output}");
    let one = site(&bench, Apply, "pool \"q\" {\n  servers {\n    host = \"a\"\n  }\n}\n");
    assert_eq!(bench.content("/q.json"), r#"{"servers":[{"host":"a","port":80}]}"#, "{one}");
}

#[test]
fn scripts_declare_objects_as_tables() {
    let bench = pool();
    let output = bench.recipe(Apply, "pool(\"p\", { servers = { { host = \"a\", tls = {} } }, quota = {} })");
    let expected = r#"{"quota":{"burst":5},"servers":[{"host":"a","port":80,"tls":{"mode":"on"}}]}"#;
    assert_eq!(bench.content("/p.json"), expected, "{output}");
}

#[test]
fn each_error_names_its_field() {
    refuses("servers = [{ host = \"a\" }, { port = 1 }]", "`servers[1].host` is required");
    refuses("servers = [{ host = \"a\", port = 70000 }]", "`servers[0].port` = 70000");
    refuses("servers = [{ host = \"A\" }]", "`servers[0].host` = \"A\" must match");
    refuses("servers = [{ host = \"a\", weight = 11 }]", "`servers[0].weight` = 11 must be from 1 to 10");
    refuses("servers = [{ host = \"a\", tls = { mode = \"maybe\" } }]", "`servers[0].tls.mode` = \"maybe\"");
    refuses("servers = [{ hots = \"a\" }]", "`servers[0].hots` = \"a\" is not a known key");
    refuses("quota = 5", "`quota` = 5 must be a map");
}

/// A loaded object has the same defaults, so that it is equal to a declared one.
#[test]
fn a_loaded_object_is_compared_with_a_declared_one() {
    let text = "properties.quota = { type = { burst = { type = \"int\", default = 5 } } }\n\
                function load_current_value(current)\n\
                if not fs.exists(\"/quota\") then current_value_does_not_exist() end\n\
                current.quota = json.decode(fs.read(\"/quota\"))\nend\n\
                function actions.create() converge_if_changed(function() fs.write(\"/quota\", json.encode(quota)) end) end";
    let bench = Bench::new(&[("p", text)]).world(|host| host.file("/quota", "{}", 0o644));
    let run =
        |burst: i64| bench.run(Apply, "p", "p", &[("quota", Value::map([("burst", Value::Int(burst))]))]);
    assert!(run(5).contains("unchanged"));
    assert!(run(6).contains("changed"));
    assert_eq!(bench.content("/quota"), r#"{"burst":6}"#);
}

#[test]
fn a_sensitive_field_hides_the_object() {
    let text = "properties.login = { type = { user = { type = \"string\" }, password = { type = \"string\", sensitive = true } } }\n\
                function actions.create() fs.write(\"/x\", login.password) log.info(login.password) end";
    let login = Value::map([("user", Value::text("ada")), ("password", Value::text("hunter2"))]);
    let bench = Bench::new(&[("p", text)]);
    for mode in [Plan, Apply] {
        let output = bench.run(mode, "p", "p", &[("login", login.clone())]);
        assert!(output.contains("sensitive") && !output.contains("hunter2"), "{output}");
    }
    assert_eq!(bench.content("/x"), "hunter2");
}

#[test]
fn misuse_of_fields_is_explained() {
    let check = |property: &str, expected: &str| {
        let text = format!("properties.x = {property}\nfunction actions.create() end");
        let output = problems(&[("p", &text)], &mut Bench::new(&[]).kinds);
        let expected = format!("kinds/p.luau:1:1: script failed: property `x`: {expected}");
        assert_eq!(output.trim_end(), expected);
    };
    check(
        "{ type = \"object\" }",
        "has the type `object`, but no `fields`: fields = { port = { type = \"port\" } }",
    );
    check(
        "{ type = \"int\", fields = { a = {} } }",
        "has `fields`, but its type is `int`; write \"object\" or \"list of object\"",
    );
    check("{ type = {} }", "an object needs a field: { port = { type = \"port\" } }");
    check("{ fields = { a = \"int\" } }", "an object has named fields: { port = { type = \"port\" } }");
    check(
        "{ fields = { a = { type = \"intt\" } } }",
        "field `a`: there is no type `intt`; did you mean `int`?",
    );
    check(
        "{ fields = { a = { type = \"int\", default = \"x\" } } }",
        "field `a`: its default must be a whole number, not a string",
    );
    check(
        "{ fields = { a = { required = true, default = 1 } } }",
        "field `a`: is required and has a default, which is never used: remove one of them",
    );
    check(
        "{ fields = { a = { required = { \"create\" } } } }",
        "field `a`: `required` of a field is true or false",
    );
    check(
        "{ fields = { a = { check = print } } }",
        "field `a`: a field cannot have `check`; `check` of the property gets the whole value",
    );
    check(
        "{ fields = { a = { defualt = 1 } } }",
        "field `a`: unknown field `defualt`; did you mean `default`?",
    );
    check(
        "{ fields = { a = { fields = { b = { type = \"bol\" } } } } }",
        "field `a`: field `b`: there is no type `bol`; did you mean `bool`?",
    );
    check("{ type = \"struct\" }", "there is no type `struct`; did you mean `object`?");
}
