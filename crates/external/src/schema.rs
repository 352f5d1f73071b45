//! Converts the JSON Schema of a resource into the schema of a kind.

mod check;
mod property;
mod typing;

use std::collections::BTreeMap;

use property::{Given, SchemaFault, describe, says};
use serde_json::Value as Json;
use uphold_model::{META_ARGUMENTS, PropertySchema, Role, Schema, is_identifier};
use uphold_resource::{ValueType, intern_str, keep, keep_all};

use super::manifest::{Manifest, Watched};

pub(crate) use check::Checker;
pub(crate) use property::without_write_only;

/// Existence: `action = "remove"` is `_exist = false`.
pub(crate) const EXIST: &str = "_exist";
/// The program's verdict that the resource is in its desired state.
pub(crate) const IN_DESIRED_STATE: &str = "_inDesiredState";
/// The list of things that must be restarted.
pub(crate) const RESTART_REQUIRED: &str = "_restartRequired";

/// Names that DSC reserves: they are not properties.
pub(crate) const RESERVED: [&str; 6] =
    [EXIST, IN_DESIRED_STATE, "_metadata", "_name", RESTART_REQUIRED, "_securityContext"];

// The properties of a resource type, as a kind has them.

/// The properties of a kind, by both of their names.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) schema: &'static Schema,
    /// By the name in a block.
    fields: BTreeMap<&'static str, Field>,
    /// From the name in JSON to the one in a block.
    keys: BTreeMap<String, &'static str>,
    /// Whether the program reports existence in `_exist`.
    pub(crate) has_exist: bool,
    /// Whether the program requires `_exist` in every input.
    pub(crate) requires_exist: bool,
}

/// One property.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name in JSON; none for a label that is not a property.
    pub(crate) key: Option<String>,
    pub(crate) ty: ValueType,
    pub(crate) json: Json,
}

impl Layout {
    /// Converts the JSON Schema of a manifest, for a kind of this name. The schema lives as long as the process.
    pub(crate) fn read(manifest: &Manifest, kind: &str, root: &Json) -> Result<Self, SchemaFault> {
        let properties = properties(root)?;
        let label = label(manifest, root)?;
        check_own(manifest, properties)?;
        let mut layout = Self {
            schema: &EMPTY,
            fields: BTreeMap::new(),
            keys: BTreeMap::new(),
            has_exist: properties.contains_key(EXIST),
            requires_exist: is_required(root, EXIST),
        };
        let mut described = Vec::new();
        if label.is_none() {
            described.push(layout.add_label(properties)?);
        }
        for (key, schema) in properties.iter().filter(|(key, _)| !RESERVED.contains(&key.as_str())) {
            let role = role(manifest, root, schema, label == Some(key), key);
            let property = layout.add(root, key, schema, role);
            described.push(property.map_err(|schema_fault| schema_fault.inside(&["properties", key]))?);
        }
        // The label comes first, where users expect it.
        described.sort_by_key(|property| property.role != Role::Name);
        layout.schema = kind_schema(manifest, kind, described, layout.has_exist);
        Ok(layout)
    }

    fn add(
        &mut self,
        root: &Json,
        key: &str,
        schema: &Json,
        role: Role,
    ) -> Result<PropertySchema, SchemaFault> {
        let name = self.name_of(key)?;
        let ty = typing::value_type(root, schema)?;
        let required = is_required(root, key) && role.is_settable() && role != Role::Name;
        let property = describe(root, schema, &ty, &Given { name, key, role, required })?;
        self.keys.insert(key.to_owned(), name);
        self.fields.insert(name, Field { key: Some(key.to_owned()), ty, json: schema.clone() });
        Ok(property)
    }

    fn name_of(&self, key: &str) -> Result<&'static str, SchemaFault> {
        let name = in_block(key);
        if name.is_empty() {
            return Err(SchemaFault::new(
                format!("`{key}` cannot be written in a block"),
                "start it with a letter",
            ));
        }
        match self.fields.get(&*name).and_then(|field| field.key.as_ref()) {
            Some(other) => {
                let what = format!("`{key}` and `{other}` would both be called `{name}` in a block");
                Err(SchemaFault::new(what, "rename one of them"))
            }
            None => Ok(intern_str(&name)),
        }
    }

    /// A label that only distinguishes blocks.
    fn add_label(&mut self, others: &serde_json::Map<String, Json>) -> Result<PropertySchema, SchemaFault> {
        let is_free = |label: &&str| !others.keys().any(|key| in_block(key) == **label);
        let name = LABELS.into_iter().find(is_free).ok_or_else(|| {
            let fix = "name the property that takes the block's label: \"metadata\": {\"uphold\": {\"name\": \
                       \"…\"}}";
            SchemaFault::new("no property can take the block's label", fix)
        })?;
        let json = serde_json::json!({
            "type": "string",
            "description": "The name of the block. It is not passed to the program.",
        });
        let ty = typing::value_type(&json, &json)?;
        let given = Given { name, key: name, role: Role::Name, required: false };
        let property = describe(&json, &json, &ty, &given)?;
        self.fields.insert(name, Field { key: None, ty, json });
        Ok(property)
    }

    /// The schema of a kind whose properties are unknown, because a program prints them.
    pub(crate) fn outline(manifest: &Manifest, kind: &str) -> &'static Schema {
        let mut manifest = manifest.clone();
        manifest.doc.push_str(UNKNOWN_PROPERTIES);
        kind_schema(&manifest, kind, Vec::new(), true)
    }

    /// The property of this name in a block.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// All properties that the program knows, by their names in a block.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields.iter().filter_map(|(name, field)| Some((*name, field.key.as_deref()?)))
    }

    /// The block name of a property, by its JSON name.
    pub(crate) fn name(&self, key: &str) -> Option<&'static str> {
        self.keys.get(key).copied()
    }
}

/// Possible names of a label that is not a property.
const LABELS: [&str; 2] = ["name", "label"];

/// The end of an outline's documentation.
const UNKNOWN_PROPERTIES: &str = "\n\nIts program prints its properties. It runs only in `plan`, `apply`, \
                                  `watch` and `read`, if a block needs it.";

/// The initial value of a layout.
static EMPTY: Schema =
    Schema { kind: "", doc: "", properties: &[], groups: &[], verbs: &[], removable: false, also: &[] };

fn kind_schema(
    manifest: &Manifest,
    kind: &str,
    properties: Vec<PropertySchema>,
    has_exist: bool,
) -> &'static Schema {
    let handles_exist = has_exist && manifest.methods.set.as_ref().is_some_and(|set| set.handles_exist);
    let also = vec![intern_str(&manifest.type_name.to_lowercase())];
    keep(Schema {
        kind: intern_str(kind),
        doc: intern_str(&manifest.doc),
        properties: keep_all(properties),
        groups: &[],
        verbs: &[],
        removable: manifest.methods.delete.is_some() || handles_exist,
        also: keep_all(also),
    })
}

fn properties(root: &Json) -> Result<&serde_json::Map<String, Json>, SchemaFault> {
    let ty = root.get("type").and_then(Json::as_str);
    if ty.is_some_and(|ty| ty != "object") || !root.is_object() {
        return Err(SchemaFault::new(
            "the schema of a resource must be an object",
            "write \"type\": \"object\"",
        ));
    }
    let fix = "add \"properties\": { \"name\": { \"type\": \"string\" } }";
    let properties = root.get("properties").and_then(Json::as_object);
    properties.ok_or_else(|| SchemaFault::new("the schema has no properties", fix).unsupported())
}

fn label<'a>(manifest: &'a Manifest, root: &'a Json) -> Result<Option<&'a String>, SchemaFault> {
    let wanted = manifest.own.name.as_deref();
    let Some(key) = wanted.or_else(|| of_label(root)) else { return Ok(None) };
    let found =
        root.get("properties").and_then(Json::as_object).and_then(|all| all.keys().find(|one| *one == key));
    match found {
        Some(key) => Ok(Some(key)),
        None => Err(SchemaFault::new(
            format!("`metadata.uphold.name` is {key:?}, but there is no such property"),
            "name a property of the schema",
        )),
    }
}

/// Checks that `metadata.uphold` refers to existing properties.
fn check_own(manifest: &Manifest, properties: &serde_json::Map<String, Json>) -> Result<(), SchemaFault> {
    let own = &manifest.own;
    let named = own.identity.iter().map(String::as_str).chain(own.watch.iter().flat_map(Watched::properties));
    match named.into_iter().find(|name| !properties.contains_key(*name)) {
        Some(name) => Err(SchemaFault::new(
            format!("`metadata.uphold` names {name:?}, but there is no such property"),
            "name a property of the schema",
        )),
        None => Ok(()),
    }
}

fn role(manifest: &Manifest, root: &Json, schema: &Json, is_label: bool, key: &str) -> Role {
    match () {
        () if is_label => Role::Name,
        () if manifest.own.identity.iter().any(|one| one == key) => Role::Identity,
        () if says(root, schema, "readOnly") => Role::Export,
        () if says(root, schema, "writeOnly") => Role::Setting,
        () => Role::State,
    }
}

fn is_required(root: &Json, key: &str) -> bool {
    let required = root.get("required").and_then(Json::as_array);
    required.is_some_and(|all| all.iter().any(|one| one == key))
}

// Names of properties in a block.

/// A property with one of these names takes the label, unless a rule selects another.
const USUAL: [&str; 3] = ["name", "path", "id"];

/// The name in a block: the key, with `_` for invalid characters, and with a suffix if it is a reserved word.
fn in_block(key: &str) -> String {
    let letters = key.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
    let fits = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = letters.chars().map(fits).collect();
    if META_ARGUMENTS.contains(&&*name) { format!("{name}_") } else { name }
}

/// The key of the property that takes the label; none if the label is only a name.
///
/// The first required property, else one that is called `name`, `path` or `id`.
fn of_label(schema: &Json) -> Option<&str> {
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
