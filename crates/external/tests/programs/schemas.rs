//! Kinds from JSON Schemas.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use uphold_model::{Claim, Need, Role, Rule, Value};
use uphold_resource::Definition;

use super::stage::{Block, Stage, manifest};

fn kind(schema: Json, own: &Json) -> Arc<dyn Definition> {
    let mut made = manifest(json!({ "metadata": { "uphold": own } }));
    made["schema"]["embedded"] = schema;
    Stage::printing("{}").kind(&made)
}

/// Each property with its role.
fn roles(kind: &Arc<dyn Definition>) -> Vec<(&'static str, Role)> {
    kind.schema().properties.iter().map(|property| (property.name, property.role)).collect()
}

#[test]
fn every_property_has_its_role() {
    let schema = json!({
        "required": ["section", "key"],
        "properties": {
            "value": { "type": "string" },
            "section": { "type": "string" },
            "key": { "type": "string" },
            "size": { "type": "integer", "readOnly": true },
            "password": { "type": "string", "writeOnly": true },
            "timeout": { "type": "integer" },
            "$id": { "type": "string" },
            "_exist": { "type": "boolean" },
            "_inDesiredState": { "type": "boolean" }
        }
    });
    let others = [
        ("id", Role::State),
        ("password", Role::Setting),
        ("size", Role::Export),
        ("timeout_", Role::State),
        ("value", Role::State),
    ];
    let with = |names: [(&'static str, Role); 2]| {
        let mut all: Vec<_> = names[1..].iter().chain(&others).copied().collect();
        all.sort_by_key(|(name, _)| if *name == "id" { "$" } else { name });
        [&names[..1], &all].concat()
    };
    let by_rule = kind(schema.clone(), &json!({}));
    assert_eq!(roles(&by_rule), with([("section", Role::Name), ("key", Role::State)]));
    let by_name = kind(schema, &json!({ "name": "key", "identity": ["section"] }));
    assert_eq!(roles(&by_name), with([("key", Role::Name), ("section", Role::Identity)]));
}

#[test]
fn kinds_without_identity_get_a_label() {
    let kind = kind(json!({ "properties": { "family": { "type": "string" } } }), &json!({ "kind": "os" }));
    assert_eq!(roles(&kind), [("name", Role::Name), ("family", Role::State)]);
    assert_eq!(kind.schema().kind, "os");
    let found = json!({ "properties": { "name": { "type": "string", "readOnly": true } } });
    assert_eq!(roles(&self::kind(found, &json!({}))), [("label", Role::Name), ("name", Role::Export)]);
}

#[test]
fn needs_defaults_and_rules_are_described() {
    let schema = json!({
        "required": ["name", "level"],
        "properties": {
            "name": { "type": "string" },
            "level": { "type": "integer", "minimum": 1, "maximum": 9, "description": " How much. " },
            "word": { "type": "string", "pattern": "^[a-z]+$", "default": "x", "title": "A word." }
        }
    });
    let kind = kind(schema, &json!({}));
    let property = |name: &str| kind.schema().property(name).expect("it exists");
    let level = property("level");
    assert_eq!((level.need, level.doc), (Need::Required, "How much."));
    assert!(matches!(level.rules, [Rule::Range(1.0, 9.0)]));
    let word = property("word");
    assert_eq!((word.need, word.doc), (Need::Optional, "A word."));
    assert!(matches!(word.rules, [Rule::Pattern("^[a-z]+$")]));
    let default = word.default.expect("a default").make();
    assert_eq!(default, Ok(Value::text("x")));
    assert_eq!(property("name").need, Need::Optional, "the label is always there");
}

#[test]
fn values_are_checked_before_anything_runs() {
    let schema = json!({
        "properties": {
            "name": { "type": "string" },
            "keyPath": { "type": "string" },
            "port": { "type": "integer", "minimum": 1 },
            "hosts": { "type": "array", "items": { "type": "string", "minLength": 2 } },
            "mode": { "enum": ["fast", "slow"] }
        }
    });
    let kind = kind(schema, &json!({}));
    let check = |property: &str, value: Value, expected: &str| {
        let problems = Block::of(&kind, "a").set(property, value).decode().err().expect("it is refused");
        assert_eq!(problems[0].to_string(), expected);
    };
    check("port", Value::Int(0), "`port` = 0 must be at least 1; choose another number");
    check("port", "many".into(), "`port` = \"many\" must be a whole number, not a string; write a number");
    let short = Value::list(["ok".into(), "x".into()]);
    check("hosts", short, "`hosts[1]` = \"x\" has 1 characters, and must have at least 2; add some");
    check("key_path", "x".into(), "`key_path` = \"x\" is not a property of `note`; did you mean `keyPath`?");
    check(
        "mode",
        "fats".into(),
        "`mode` = \"fats\" must be one of \"fast\", \"slow\"; did you mean \"fast\"?",
    );
}

#[test]
fn watched_paths_are_dependencies() {
    let schema = json!({ "properties": { "path": { "type": "string" }, "unit": { "type": "string" } } });
    let own = json!({ "watch": ["path:{path}", "tree:/srv", "unit:{unit}", "interval:5s"] });
    let block = Block::of(&kind(schema, &own), "/etc/a");
    let instance = block.decode().expect("sound");
    let needs = instance.claims().needs;
    assert_eq!(needs, [Claim::Path("/etc/a".into()), Claim::Path("/srv".into())]);
    assert_eq!(instance.interests(&Stage::printing("{}").host.act()).len(), 3);
    let with_unit = block.set("unit", "a.service").decode().expect("sound");
    assert_eq!(with_unit.claims().needs[2], Claim::Unit("a.service".into()));
}
