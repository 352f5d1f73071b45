//! Names of properties in a block.

use serde_json::Value as Json;
use uphold_model::{META_ARGUMENTS, is_identifier};

use super::RESERVED;

/// A property with one of these names takes the label, unless a rule selects another.
const USUAL: [&str; 3] = ["name", "path", "id"];

/// The name in a block: the key, with `_` for invalid characters, and with a suffix if it is a reserved word.
pub(super) fn in_block(key: &str) -> String {
    let letters = key.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
    let fits = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = letters.chars().map(fits).collect();
    if META_ARGUMENTS.contains(&&*name) { format!("{name}_") } else { name }
}

/// The key of the property that takes the label; none if the label is only a name.
///
/// The first required property, else one that is called `name`, `path` or `id`.
pub(super) fn of_label(schema: &Json) -> Option<&str> {
    let properties = schema.get("properties").and_then(Json::as_object)?;
    let can = |key: &str| {
        let found = properties.get(key);
        let reads = found.is_some_and(|schema| schema.get("readOnly") != Some(&Json::Bool(true)));
        reads && is_single(found) && !RESERVED.contains(&key) && is_identifier(&in_block(key))
    };
    let required = schema.get("required").and_then(Json::as_array).into_iter().flatten();
    let required = required.filter_map(Json::as_str).find(|key| can(key));
    required.or_else(|| USUAL.into_iter().find(|key| can(key)))
}

/// Whether a string can be the value: it is neither a list nor a map.
fn is_single(schema: Option<&Json>) -> bool {
    let ty = schema.and_then(|schema| schema.get("type")).and_then(Json::as_str);
    matches!(ty, None | Some("string" | "integer" | "number"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_property_has_a_name_in_a_block() {
        let check = |key: &str, expected: &str| assert_eq!(in_block(key), expected);
        check("keyPath", "keyPath");
        check("$id", "id");
        check("a b.c", "a_b_c");
        check("timeout", "timeout_");
        check("action", "action_");
        check("9lives", "lives");
        check("_own", "_own");
        check("✓", "");
    }

    #[test]
    fn the_label_is_found_by_a_rule() {
        let check =
            |schema: Json, expected: Option<&str>| assert_eq!(of_label(&schema), expected, "{schema}");
        let text = json!({ "type": "string" });
        let list = json!({ "type": "array" });
        let found = json!({ "type": "string", "readOnly": true });
        check(json!({ "properties": { "a": text, "b": text }, "required": ["b", "a"] }), Some("b"));
        check(json!({ "properties": { "a": list, "b": text }, "required": ["a", "b"] }), Some("b"));
        check(json!({ "properties": { "_exist": text, "b": text }, "required": ["_exist", "b"] }), Some("b"));
        check(json!({ "properties": { "path": text, "name": text } }), Some("name"));
        check(json!({ "properties": { "id": text, "name": found } }), Some("id"));
        check(json!({ "properties": { "family": text } }), None);
        check(json!({}), None);
    }
}
