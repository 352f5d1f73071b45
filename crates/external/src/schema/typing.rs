//! The type of a property, from its JSON Schema.

use serde_json::Value as Json;
use uphold_resource::{Member, ValueType};

use super::property::holds_password;
use super::property::{SchemaFault, resolve};

/// Deeper than this, any value is accepted: a schema may refer to itself.
const DEEPEST: usize = 8;

/// JSON types and ours. `null` is never a type of its own.
const SCALARS: [(&str, &str); 4] =
    [("string", "text"), ("integer", "int"), ("number", "number"), ("boolean", "bool")];

/// A type that accepts everything that `schema` allows, and perhaps more: its rules are checked separately.
pub(super) fn value_type(root: &Json, schema: &Json) -> Result<ValueType, SchemaFault> {
    let ty = typed(root, schema, 0).map(|ty| if is_null(&ty) { ValueType::any() } else { ty })?;
    let hides_a_part = !ty.is_sensitive() && holds_password(root, schema);
    Ok(if hides_a_part { ValueType::Sensitive(Box::new(ty)) } else { ty })
}

fn typed(root: &Json, schema: &Json, depth: usize) -> Result<ValueType, SchemaFault> {
    let schema = resolve(root, schema)?;
    if depth > DEEPEST {
        return Ok(ValueType::any());
    }
    for word in ["oneOf", "anyOf"] {
        if let Some(schemas) = schema.get(word).and_then(Json::as_array) {
            return alternatives(root, schemas, depth).map_err(|schema_fault| schema_fault.inside(&[word]));
        }
    }
    if let Some(words) = words(schema) {
        return Ok(words);
    }
    match schema.get("type") {
        Some(Json::String(name)) => named(root, schema, name, depth),
        Some(Json::Array(names)) => {
            let names = names.iter().map(|name| name.as_str().unwrap_or_default());
            let types = names.map(|name| named(root, schema, name, depth)).collect::<Result<_, _>>()?;
            Ok(either(types))
        }
        Some(_) => {
            Err(SchemaFault::new("`type` must be a string or a list of strings", "write it as in \"string\""))
        }
        None if schema.get("properties").is_some() => object(root, schema, depth),
        None => Ok(ValueType::any()),
    }
}

fn alternatives(root: &Json, schemas: &[Json], depth: usize) -> Result<ValueType, SchemaFault> {
    let one = |(i, schema): (usize, &Json)| {
        typed(root, schema, depth + 1).map_err(|schema_fault| schema_fault.inside(&[&i.to_string()]))
    };
    schemas.iter().enumerate().map(one).collect::<Result<_, _>>().map(either)
}

/// One of these types; nullable if null is among them.
fn either(types: Vec<ValueType>) -> ValueType {
    let (nulls, mut others): (Vec<_>, Vec<_>) = types.into_iter().partition(is_null);
    let one = if others.len() == 1 { others.remove(0) } else { ValueType::Either(others) };
    let one =
        if matches!(&one, ValueType::Either(types) if types.is_empty()) { ValueType::any() } else { one };
    if nulls.is_empty() { one } else { ValueType::Nullable(Box::new(one)) }
}

/// The type of null alone: an enum without words.
fn is_null(ty: &ValueType) -> bool {
    matches!(ty, ValueType::Nullable(inner) if matches!(&**inner, ValueType::Words(words) if words.is_empty()))
}

fn null() -> ValueType {
    ValueType::Nullable(Box::new(ValueType::Words(Vec::new())))
}

/// `enum` or `const`, if they are strings.
fn words(schema: &Json) -> Option<ValueType> {
    let single = schema.get("const").map(std::slice::from_ref);
    let all = schema.get("enum").and_then(Json::as_array).map(Vec::as_slice).or(single)?;
    let (nulls, texts): (Vec<_>, Vec<_>) = all.iter().partition(|json| json.is_null());
    let texts: Vec<String> =
        texts.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    if texts.is_empty() {
        return None;
    }
    let words = ValueType::Words(texts);
    Some(if nulls.is_empty() { words } else { ValueType::Nullable(Box::new(words)) })
}

fn named(root: &Json, schema: &Json, name: &str, depth: usize) -> Result<ValueType, SchemaFault> {
    match name {
        "null" => Ok(null()),
        "array" => {
            let inner = match schema.get("items") {
                Some(items) => {
                    typed(root, items, depth + 1).map_err(|schema_fault| schema_fault.inside(&["items"]))?
                }
                None => ValueType::any(),
            };
            Ok(ValueType::List(Box::new(inner)))
        }
        "object" => object(root, schema, depth),
        "string" if schema.get("format").and_then(Json::as_str) == Some("password") => {
            plain("text").map(|text| ValueType::Sensitive(Box::new(text)))
        }
        name => {
            let known = SCALARS.iter().find(|(word, _)| *word == name);
            let refused = || {
                let fix = "write string, integer, number, boolean, array, object or null";
                SchemaFault::new(format!("the type {name:?} is unknown"), fix).inside(&["type"])
            };
            known.ok_or_else(refused).and_then(|(_, ours)| plain(ours))
        }
    }
}

fn plain(name: &str) -> Result<ValueType, SchemaFault> {
    ValueType::named(name).map_err(|_| SchemaFault::new(format!("there is no type {name}"), "write another"))
}

/// An object without additional properties is a struct; any other is a map, whose members are checked separately.
fn object(root: &Json, schema: &Json, depth: usize) -> Result<ValueType, SchemaFault> {
    let members = schema.get("properties").and_then(Json::as_object);
    match (members, schema.get("additionalProperties")) {
        (Some(members), Some(Json::Bool(false))) => {
            let members =
                members.iter().map(|(name, member)| self::member(root, schema, (name, member), depth));
            members.collect::<Result<_, _>>().map(ValueType::Struct)
        }
        (None, Some(others @ Json::Object(_))) => {
            let inner = typed(root, others, depth + 1)
                .map_err(|schema_fault| schema_fault.inside(&["additionalProperties"]))?;
            Ok(ValueType::Map(Box::new(inner)))
        }
        _ => Ok(ValueType::Map(Box::new(ValueType::any()))),
    }
}

fn member(
    root: &Json,
    outer: &Json,
    (name, schema): (&str, &Json),
    depth: usize,
) -> Result<Member, SchemaFault> {
    let ty =
        typed(root, schema, depth + 1).map_err(|schema_fault| schema_fault.inside(&["properties", name]))?;
    let required = outer.get("required").and_then(Json::as_array);
    Ok(Member {
        name: name.to_owned(),
        doc: super::property::doc(root, schema),
        ty,
        required: required.is_some_and(|all| all.iter().any(|one| one == name)),
        default: None,
        rules: &[],
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_are_types() {
        let check = |schema: Json, expected: &str| {
            let ty = value_type(&schema, &schema)
                .unwrap_or_else(|schema_fault| panic!("{schema}: {schema_fault:?}"));
            assert_eq!(ty.describe().to_string(), expected, "{schema}");
        };
        check(json!({ "type": "string" }), "string");
        check(json!({ "type": "integer" }), "whole number");
        check(json!({ "type": "number" }), "number");
        check(json!({ "type": "boolean" }), "bool");
        check(json!({ "type": "array" }), "list of any value");
        check(json!({ "type": "array", "items": { "type": "integer" } }), "list of whole number");
        check(json!({ "type": "object" }), "map of any value");
        check(json!({ "type": "object", "additionalProperties": { "type": "string" } }), "map of string");
        check(json!({ "properties": { "a": {} }, "additionalProperties": false }), "block");
        check(json!({ "properties": { "a": {} } }), "map of any value");
        check(json!({ "type": ["string", "null"] }), "string or null");
        check(json!({ "type": ["string", "integer"] }), "any value");
        check(json!({ "type": "null" }), "any value");
        check(json!({ "enum": ["a", "b"] }), r#""a" or "b""#);
        check(json!({ "enum": ["a", null] }), r#""a" or null"#);
        check(json!({ "enum": ["a", 1] }), "any value");
        check(json!({ "const": "a" }), r#""a""#);
        check(json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }), "string or null");
        check(json!({ "anyOf": [{ "type": "boolean" }] }), "bool");
        check(json!({ "type": "string", "format": "password" }), "string, sensitive");
        let password = json!({ "type": "string", "format": "password" });
        check(json!({ "type": "object", "properties": { "p": password } }), "map of any value, sensitive");
        check(json!({ "$ref": "#/$defs/x", "$defs": { "x": { "type": "boolean" } } }), "bool");
        check(json!({ "$ref": "https://example.org/any.json" }), "any value");
        let address = "https://example.org/flag.json";
        check(json!({ "$ref": address, "$defs": { address: { "type": "boolean" } } }), "bool");
        check(json!(true), "any value");
        check(json!({}), "any value");
        let endless = json!({ "type": "array", "items": { "$ref": "#" } });
        check(endless, &format!("{}any value", "list of ".repeat(DEEPEST + 1)));
    }

    #[test]
    fn alternatives_are_tried_in_order() {
        let schema = json!({ "type": ["boolean", "integer", "string"] });
        let ty = value_type(&schema, &schema).expect("sound");
        let read = |value: uphold_model::Value| ty.read(&value, &uphold_resource::Context::NOTHING);
        assert_eq!(read(true.into()), Ok(true.into()));
        assert_eq!(read(3.into()), Ok(3.into()));
        assert_eq!(read("x".into()), Ok("x".into()));
        assert!(read(uphold_model::Value::list([])).is_err());
    }

    #[test]
    fn flaws_have_a_path() {
        let check = |schema: Json, path: &[&str], what: &str| {
            let schema_fault = value_type(&schema, &schema).expect_err("a schema_fault");
            assert_eq!(
                (schema_fault.path, schema_fault.what),
                (path.iter().map(|&s| s.to_owned()).collect(), what.to_owned())
            );
        };
        let wrong = r#"the type "str" is unknown"#;
        check(json!({ "type": "str" }), &["type"], wrong);
        check(json!({ "type": "array", "items": { "type": "str" } }), &["items", "type"], wrong);
        check(json!({ "oneOf": [{}, { "type": "str" }] }), &["oneOf", "1", "type"], wrong);
        check(json!({ "type": 3 }), &[], "`type` must be a string or a list of strings");
        check(json!({ "$ref": "#/a", "a": { "$ref": "#/a" } }), &[], "`$ref` is circular");
        check(json!({ "$ref": "#/b" }), &[], r##"`$ref` = "#/b" has no target"##);
    }
}
