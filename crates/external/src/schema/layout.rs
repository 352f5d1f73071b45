//! The properties of a resource type, as a kind has them.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use uphold_model::{PropertySchema, Role, Schema};
use uphold_resource::{ValueType, intern_str, keep, keep_all};

use super::property::{Given, SchemaFault, describe, says};
use super::{EXIST, RESERVED, name, typing};
use crate::manifest::{Manifest, Watched};

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
        let name = name::in_block(key);
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
        let is_free = |label: &&str| !others.keys().any(|key| name::in_block(key) == **label);
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
    let Some(key) = wanted.or_else(|| name::of_label(root)) else { return Ok(None) };
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
