//! Detection of secrets inside a property.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::reference::resolve;

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
