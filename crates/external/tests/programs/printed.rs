//! The output of a program is checked against the schema of its kind.

use serde_json::json;
use uphold_resource::ErrorKind;

use super::stage::{Block, Stage, input_of, manifest};

fn kind_of_things() -> serde_json::Value {
    let mut made = manifest(json!({ "delete": { "executable": "tool", "args": ["delete"] } }));
    let properties = &mut made["schema"]["embedded"]["properties"];
    properties["n"] = json!({ "type": "integer", "minimum": 1 });
    properties["login"] = json!({
        "type": "object",
        "required": ["user", "password"],
        "properties": { "user": { "type": "string" }, "password": { "type": "string", "writeOnly": true } }
    });
    made
}

#[test]
fn existence_may_be_a_word() {
    let check = |printed: &str, exists: bool| {
        let stage = Stage::printing(printed);
        let kind = stage.kind(&kind_of_things());
        let seen = Block::of(&kind, "/a").observe(&stage.host.act()).expect("it loads");
        assert_eq!((seen.exists, seen.converged), (exists, exists), "{printed}");
        let seen = Block::of(&kind, "/a").removed().observe(&stage.host.act()).expect("it loads");
        assert_eq!(seen.converged, !exists, "{printed}: nothing is removed that is not there");
    };
    check(r#"{"path": "/a", "_exist": "false"}"#, false);
    check(r#"{"path": "/a", "_exist": "true"}"#, true);
}

#[test]
fn output_must_match_the_schema() {
    let check = |printed: &str, expected: &str| {
        let stage = Stage::printing(printed);
        let error = Block::of(&stage.kind(&kind_of_things()), "/a").error(&stage.host.act());
        let what = "the output of `get` of Example.Area/Note does not match its schema: ";
        assert_eq!((error.kind(), error.chain()), (ErrorKind::Defect, format!("{what}{expected}")));
    };
    check(r#"{"_exist": 0}"#, "`_exist` = 0 must be true or false");
    check(r#"{"_exist": null}"#, "`_exist` = null must be true or false");
    check(r#"{"_exist": "no"}"#, r#"`_exist` = "no" must be true or false"#);
    // Although they were not set.
    check(r#"{"n": 0}"#, "`n` = 0 must be at least 1");
    check(r#"{"n": "1"}"#, r#"`n` = "1" must be of type integer"#);
    check(r#"{"tags": [1]}"#, "`tags[0]` = 1 must be of type string");
    check(r#"{"login": {}}"#, "`login.user` is required");
}

#[test]
fn write_only_properties_may_be_missing() {
    let printed = r#"{"path": "/a", "n": null, "login": {"user": "a"}, "unknown": {}}"#;
    let stage = Stage::printing(printed);
    let block = Block::of(&stage.kind(&kind_of_things()), "/a");
    assert!(block.observe(&stage.host.act()).expect("it loads").converged);
}

#[test]
fn values_are_hidden_if_the_input_has_a_secret() {
    let stage = Stage::printing(r#"{"n": 0}"#);
    let mut made = kind_of_things();
    made["schema"]["embedded"]["properties"]["text"]["format"] = json!("password");
    let error = Block::of(&stage.kind(&made), "/a").set("text", "hunter2").error(&stage.host.act());
    assert!(error.chain().ends_with("`n` = (sensitive value) must be at least 1"), "{}", error.chain());
}

#[test]
fn a_whole_number_may_be_written_as_a_fraction() {
    for printed in [r#"{"path": "/a", "n": 5.0}"#, r#"{"path": "/a", "n": 5e0}"#] {
        let stage = Stage::printing(printed);
        let block = Block::of(&stage.kind(&kind_of_things()), "/a").set("n", 5);
        assert!(block.observe(&stage.host.act()).expect("it loads").converged, "{printed}");
    }
}

fn kind_with_default() -> serde_json::Value {
    let mut made = kind_of_things();
    made["schema"]["embedded"]["properties"]["def"] = json!({ "type": "string", "default": "dd" });
    made
}

#[test]
fn creation_gets_the_defaults() {
    let stage = Stage::printing(r#"{"_exist": false}"#);
    let kind = stage.kind(&kind_with_default());
    Block::of(&kind, "/a").set("text", "x").apply(&stage.host.act()).expect("it is created");
    let expected = json!({ "path": "/a", "text": "x", "def": "dd", "_exist": true });
    assert_eq!(input_of(&stage.commands()[1]), expected);
    let stage = Stage::printing(r#"{"_exist": false}"#);
    Block::of(&kind, "/a").set("def", "x").apply(&stage.host.act()).expect("it is created");
    assert_eq!(input_of(&stage.commands()[1])["def"], "x");
}

#[test]
fn missing_properties_have_their_defaults() {
    let check = |printed: &str, expected: &str| {
        let stage = Stage::printing(printed);
        let block = Block::of(&stage.kind(&kind_with_default()), "/a").set("text", "x");
        let instance = block.decode().expect("a sound block");
        let seen = block.observe(&stage.host.act()).expect("it loads");
        assert_eq!(instance.value("def", Some(&seen)), Some(expected.into()), "{printed}");
        block.apply(&stage.host.act()).expect("it changes");
        let last = stage.commands().pop().expect("a command");
        assert_eq!(input_of(&last).get("def"), None, "a default is not stamped over what is there");
    };
    check(r#"{"path": "/a"}"#, "dd");
    check(r#"{"path": "/a", "def": null}"#, "dd");
    check(r#"{"path": "/a", "def": "other"}"#, "other");
}
