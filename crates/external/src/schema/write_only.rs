//! Secrets: members of a value that are passed to a program, but never printed.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::Value as Json;
use uphold_model::{Map, Value};

use super::property::{resolve, says};

/// The maximum number of schema parts for one value: a schema that refers to itself in two places would never end.
const MOST: u32 = 10_000;

/// The maximum depth of alternatives and values.
const DEEPEST: usize = 64;

/// The value without members that its schema marks as `writeOnly`, at any depth: they cannot be compared.
pub(crate) fn without_write_only(root: &Json, schema: &Json, value: &Value) -> Value {
    Stripper { root, left: Cell::new(MOST) }.strip(schema, value, 0)
}

struct Stripper<'a> {
    root: &'a Json,
    /// The remaining number of schema parts.
    left: Cell<u32>,
}

impl Stripper<'_> {
    fn strip(&self, schema: &Json, value: &Value, depth: usize) -> Value {
        let is_nested = matches!(value.reveal(), Value::Map(_) | Value::List(_));
        if !is_nested || self.left.get() == 0 || depth > DEEPEST {
            return value.clone();
        }
        self.left.set(self.left.get() - 1);
        let there = resolve(self.root, schema).unwrap_or(schema);
        let mut stripped = self.strip_members(there, value, depth + 1);
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|word| there.get(word)?.as_array());
        for part in parts.flatten() {
            stripped = self.strip(part, &stripped, depth + 1);
        }
        stripped
    }

    fn strip_members(&self, schema: &Json, value: &Value, depth: usize) -> Value {
        match value {
            Value::Sensitive(inner) => self.strip_members(schema, inner, depth).sensitive(),
            Value::Map(members) => {
                let members = members.iter().filter_map(|(name, member)| {
                    let kept = self.member(member_schema(schema, name), member, depth)?;
                    Some((name.clone(), kept))
                });
                Value::Map(members.collect::<Map>().into())
            }
            Value::List(items) => match schema.get("items") {
                Some(each) => Value::list(items.iter().map(|item| self.strip(each, item, depth))),
                None => value.clone(),
            },
            value => value.clone(),
        }
    }

    /// A member without its write-only parts; none if nothing remains.
    fn member(&self, schema: Option<&Json>, value: &Value, depth: usize) -> Option<Value> {
        match schema {
            Some(schema) if says(self.root, schema, "writeOnly") => None,
            Some(schema) => Some(self.strip(schema, value, depth)),
            None => Some(value.clone()),
        }
    }
}

fn member_schema<'a>(schema: &'a Json, name: &str) -> Option<&'a Json> {
    let known = schema.get("properties").and_then(|all| all.get(name));
    known.or(schema.get("additionalProperties"))
}

/// Keywords whose value is a schema.
const SCHEMAS: [&str; 7] =
    ["items", "additionalProperties", "contains", "if", "then", "else", "propertyNames"];

/// Keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value is a map of schemas.
const MAPS: [&str; 3] = ["properties", "patternProperties", "dependentSchemas"];

/// Whether `schema` or any part of it has `"format": "password"`. Only whole properties are hidden, so one part is
/// enough.
pub(super) fn holds_password(root: &Json, schema: &Json) -> bool {
    // A schema may refer to itself, so each part is visited once.
    let (mut entered, mut open) = (HashSet::new(), vec![schema]);
    while let Some(schema) = open.pop() {
        if !entered.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        if schema.get("format").and_then(Json::as_str) == Some("password") {
            return true;
        }
        open.extend(resolve(root, schema).ok());
        open.extend(parts(schema));
    }
    false
}

fn parts(schema: &Json) -> impl Iterator<Item = &Json> {
    let lists = LISTS.iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    let maps = MAPS.iter().filter_map(|word| schema.get(word)?.as_object()).flat_map(|map| map.values());
    SCHEMAS.iter().filter_map(|word| schema.get(word)).chain(lists).chain(maps)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::value;

    #[test]
    fn members_are_left_out_at_any_depth() {
        let secret = json!({ "type": "string", "writeOnly": true });
        let root = json!({ "$defs": {
            "login": { "type": "object", "properties": { "user": {}, "password": { "$ref": "#/$defs/secret" } } },
            "secret": secret
        } });
        let check = |schema: Json, given: Json, expected: Json| {
            assert_eq!(without_write_only(&root, &schema, &value(&given)), value(&expected), "{schema}");
        };
        let login = json!({ "$ref": "#/$defs/login" });
        let (given, left) = (json!({ "user": "a", "password": "b" }), json!({ "user": "a" }));
        check(login.clone(), given.clone(), left.clone());
        check(json!({ "items": login }), json!([given]), json!([left]));
        check(json!({ "additionalProperties": login }), json!({ "x": given }), json!({ "x": left }));
        check(json!({ "oneOf": [{ "type": "null" }, login] }), given.clone(), left);
        check(json!({}), given.clone(), given);
    }

    #[test]
    fn recursive_schemas_end() {
        let circle =
            json!({ "properties": { "next": { "$ref": "#" } }, "allOf": [{ "$ref": "#" }, { "$ref": "#" }] });
        let given = value(&json!({ "next": { "next": {} } }));
        assert_eq!(without_write_only(&circle, &circle, &given), given);
    }

    #[test]
    fn a_password_is_found_at_any_depth() {
        let check = |schema: Json, expected: bool| {
            assert_eq!(holds_password(&schema, &schema), expected, "{schema}");
        };
        let password = json!({ "type": "string", "format": "password" });
        check(password.clone(), true);
        check(json!({ "properties": { "a": { "items": { "oneOf": [{}, password] } } } }), true);
        check(json!({ "additionalProperties": password }), true);
        check(json!({ "items": { "$ref": "#/$defs/p" }, "$defs": { "p": password } }), true);
        check(json!({ "properties": { "format": { "const": "password" } } }), false);
        check(json!({ "properties": { "next": { "$ref": "#" } }, "allOf": [{ "$ref": "#" }] }), false);
        check(json!(true), false);
    }
}
