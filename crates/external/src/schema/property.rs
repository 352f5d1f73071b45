//! Converts one property of a JSON Schema, and follows its references.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::Value as Json;
use uphold_model::{DefaultValue, Map, Need, PropertySchema, Role, Rule, Value};
use uphold_resource::{Context, ValueType, intern_str, intern_value, keep_all};

use crate::json;
use crate::manifest::snake_case;

/// The description of a property: beside its reference, or at its target.
pub(super) fn doc(root: &Json, schema: &Json) -> String {
    let there = resolve(root, schema).unwrap_or(schema);
    let said =
        [schema, there].into_iter().flat_map(|schema| [schema.get("description"), schema.get("title")]);
    said.flatten().find_map(Json::as_str).unwrap_or_default().trim().to_owned()
}

/// Whether a keyword is true, beside the reference or at its target.
pub(super) fn says(root: &Json, schema: &Json, word: &str) -> bool {
    let there = resolve(root, schema).unwrap_or(schema);
    [schema, there].iter().any(|schema| schema.get(word) == Some(&Json::Bool(true)))
}

/// Facts about a property besides its JSON Schema.
pub(super) struct Given<'a> {
    pub(super) name: &'static str,
    pub(super) key: &'a str,
    pub(super) role: Role,
    pub(super) required: bool,
}

/// The schema of the property, which lives as long as the process.
pub(super) fn describe(
    root: &Json,
    schema: &Json,
    ty: &ValueType,
    given: &Given<'_>,
) -> Result<PropertySchema, SchemaFault> {
    let there = resolve(root, schema)?;
    Ok(PropertySchema {
        name: given.name,
        doc: intern_str(&doc(root, schema)),
        role: given.role,
        ty: ty.describe(),
        need: if given.required { Need::Required } else { Need::Optional },
        default: default(there.get("default").or(schema.get("default")), ty, given.role)?,
        rules: keep_all(rules(there)),
        aliases: &[],
        also: keep_all(also(given)),
        replaced_by: None,
        flatten: None,
    })
}

/// Other names for the property, for suggestions.
fn also(given: &Given<'_>) -> Vec<&'static str> {
    let others = [given.key.to_owned(), snake_case(given.key)];
    others.into_iter().filter(|other| other != given.name).map(|other| intern_str(&other)).collect()
}

fn default(default: Option<&Json>, ty: &ValueType, role: Role) -> Result<Option<DefaultValue>, SchemaFault> {
    let Some(default) = default.filter(|json| !json.is_null() && (role.is_state() || role == Role::Setting))
    else {
        return Ok(None);
    };
    let read = ty.read(&json::value(default), &Context::NOTHING).map_err(|problem| {
        let what = format!("the default does not fit: it {}", problem.rule);
        SchemaFault::new(what, problem.fix).inside(&["default"])
    })?;
    Ok(Some(DefaultValue::There(intern_value(read))))
}

/// The rules that documentation can show. The others are checked, too.
fn rules(schema: &Json) -> Vec<Rule> {
    let number = |word: &str| schema.get(word).and_then(Json::as_f64);
    let range = number("minimum").zip(number("maximum")).map(|(min, max)| Rule::Range(min, max));
    let is_text = schema.get("type").and_then(Json::as_str) == Some("string");
    let pattern = schema.get("pattern").and_then(Json::as_str).filter(|_| is_text);
    let pattern = pattern.filter(|pattern| regex_lite::Regex::new(pattern).is_ok());
    range.into_iter().chain(pattern.map(|pattern| Rule::Pattern(intern_str(pattern)))).collect()
}

/// The maximum length of a chain of references.
const HOPS: usize = 16;

/// The target of all references. A reference that is a URL is looked up among the definitions under that name. It is
/// never downloaded: if it is missing, any value is accepted.
pub(super) fn resolve<'a>(root: &'a Json, schema: &'a Json) -> Result<&'a Json, SchemaFault> {
    let mut at = schema;
    for _ in 0..HOPS {
        let Some(reference) = at.get("$ref").and_then(Json::as_str) else { return Ok(at) };
        let Some(pointer) = reference.strip_prefix('#') else {
            match root.get("$defs").and_then(|all| all.get(reference)) {
                Some(bundled) => at = bundled,
                None => return Ok(&Json::Bool(true)),
            }
            continue;
        };
        at = root.pointer(pointer).ok_or_else(|| {
            let fix = "fix it, or add its target, such as `#/$defs/name`";
            SchemaFault::new(format!("`$ref` = {reference:?} has no target"), fix)
        })?;
    }
    Err(SchemaFault::new("`$ref` is circular", "write the schema itself"))
}

/// A mistake: what is wrong, where in the schema, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SchemaFault {
    /// The path from the top of the schema.
    pub(crate) path: Vec<String>,
    pub(crate) what: String,
    pub(crate) fix: String,
    /// Whether the schema is valid but cannot be a kind.
    pub(crate) is_unsupported: bool,
}

impl SchemaFault {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), fix: fix.into(), is_unsupported: false }
    }

    /// The same for a valid schema that cannot be a kind.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_unsupported: true, ..self }
    }

    /// The same, found inside `steps`.
    pub(crate) fn inside(mut self, steps: &[&str]) -> Self {
        self.path.splice(0..0, steps.iter().map(|&step| step.to_owned()));
        self
    }
}

// Secrets: members of a value that are passed to a program, but never printed.

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
