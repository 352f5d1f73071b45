//! Comparison, and the input of programs for it.

use serde_json::json;
use uphold_model::{Difference, Side, Value};

use super::stage::{Block, Stage, input_of, manifest};

/// A kind whose only required property is not an identity.
fn trace() -> serde_json::Value {
    let mut made = manifest(json!({ "type": "Test/Trace" }));
    made["schema"]["embedded"] = json!({
        "type": "object", "required": ["level"], "properties": { "level": { "type": "string" } }
    });
    made
}

#[test]
fn rule_7_the_first_required_property_is_compared_too() {
    let stage = Stage::printing(r#"{"level": "unset"}"#);
    let kind = stage.kind(&trace());
    let check = |block: Block, expected: Option<&str>| {
        let seen = block.observe(&stage.host.act()).expect("it loads");
        let expected = expected.map(|wanted| Difference {
            property: "level".into(),
            from: Side::Value("unset".into()),
            to: Side::Value(wanted.into()),
        });
        assert_eq!((seen.converged, seen.differences), (expected.is_none(), Vec::from_iter(expected)));
    };
    check(Block::of(&kind, "x").set("level", "other"), Some("other"));
    check(Block::of(&kind, "x"), Some("x"));
    check(Block::of(&kind, "unset"), None);
    Block::of(&kind, "x").apply(&stage.host.act()).expect("it is set");
    assert_eq!(input_of(stage.commands().last().expect("a command")), json!({ "level": "x" }));
}

#[test]
fn rule_7_a_program_that_lists_it_names_it() {
    let stage = Stage::printing("{\"level\": \"1\"}\n[\"level\"]\n");
    let mut made = trace();
    made["schema"]["embedded"]["properties"]["text"] = json!({ "type": "string" });
    made["test"] = json!({ "executable": "tool", "return": "stateAndDiff" });
    let block = Block::of(&stage.kind(&made), "5").set("text", "x");
    assert_eq!(block.differing(&stage.host.act()), ["level"]);
}

#[test]
fn rule_7_a_key_that_is_not_printed_is_not_compared() {
    let stage = Stage::printing("{}");
    assert!(Block::of(&stage.kind(&trace()), "x").observe(&stage.host.act()).expect("it loads").converged);
}

#[test]
fn rule_7_nested_write_only_members_are_not_compared() {
    let stage =
        Stage::printing(r#"{"path": "/a", "login": {"user": "a"}, "logins": [{"user": "b"}], "key": {}}"#);
    let mut made = manifest(json!({}));
    let embedded = &mut made["schema"]["embedded"];
    embedded["$defs"] = json!({
        "secret": { "type": "string", "writeOnly": true },
        "login": {
            "type": "object",
            "properties": { "user": { "type": "string" }, "password": { "$ref": "#/$defs/secret" } }
        }
    });
    embedded["properties"]["login"] = json!({ "$ref": "#/$defs/login" });
    embedded["properties"]["logins"] = json!({ "type": "array", "items": { "$ref": "#/$defs/login" } });
    embedded["properties"]["key"] = json!({ "properties": { "pin": { "$ref": "#/$defs/secret" } } });
    let kind = stage.kind(&made);
    let login = |user: &str| Value::map([("user", Value::text(user)), ("password", Value::text("p"))]);
    let block = |first: &str, second: &str| {
        let key = Value::map([("pin", Value::text("1"))]);
        let block = Block::of(&kind, "/a").set("login", login(first)).set("key", key);
        block.set("logins", Value::list([login(second)]))
    };
    assert!(block("a", "b").differing(&stage.host.act()).is_empty());
    assert_eq!(block("x", "y").differing(&stage.host.act()), ["login", "logins"]);
    assert_eq!(
        input_of(&stage.commands()[0])["login"],
        json!({ "user": "a", "password": "p" }),
        "it is passed"
    );
}

#[test]
fn rule_8_existence_is_passed_if_required() {
    // Like a test resource of DSC, it prints its input.
    let stage = Stage::new(|call| {
        let input = input_of(call.command);
        match input.get("_exist") {
            Some(_) => call.succeed(input.to_string()),
            None => call.fail(1, "missing field `_exist`"),
        }
    });
    let mut made = manifest(json!({ "set": { "handlesExist": true } }));
    made["schema"]["embedded"]["required"] = json!(["_exist", "path"]);
    let kind = stage.kind(&made);
    assert!(Block::of(&kind, "/a").observe(&stage.host.act()).expect("it loads").converged);
    assert_eq!(input_of(&stage.commands()[0]), json!({ "path": "/a", "_exist": true }));
    assert!(Block::of(&kind, "/a").removed().observe(&stage.host.act()).expect("it loads").converged);
    assert_eq!(input_of(&stage.commands()[0]), json!({ "path": "/a", "_exist": false }));
}
