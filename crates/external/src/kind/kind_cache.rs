//! A cache of kinds: each is created once, because its schema lives as long as the process.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;
use uphold_model::Schema;
use uphold_resource::Result as Outcome;

use super::definition::External;
use crate::document::Fault;
use crate::manifest::Manifest;

/// The inputs of a kind: its file, its type, the texts, and its name and schema.
type Key = (PathBuf, String, String, String);

static DEFINITIONS: Mutex<BTreeMap<Key, Arc<External>>> = Mutex::new(BTreeMap::new());
static OUTLINES: Mutex<BTreeMap<Key, &'static Schema>> = Mutex::new(BTreeMap::new());
/// Schemas that programs printed, by the state of the program's file: another program may print another schema.
static PRINTED: Mutex<BTreeMap<Key, Json>> = Mutex::new(BTreeMap::new());

fn key(manifest: &Manifest, more: String) -> Key {
    (manifest.file.clone(), manifest.type_name.clone(), manifest.texts(), more)
}

/// The kind of this manifest, name and schema, created unless it is cached.
///
/// A watch reads its configuration repeatedly. Unchanged kinds are reused: nothing is leaked, and one program still
/// runs once at a time while the old configuration is replaced.
pub(super) fn definition(
    manifest: &Manifest,
    name: &str,
    schema: &Json,
    make: impl FnOnce() -> Result<Arc<External>, Fault>,
) -> Result<Arc<dyn uphold_resource::Definition>, Fault> {
    let key = key(manifest, format!("{name}\n{schema}"));
    let mut made = DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kind) = made.get(&key) {
        return Ok(kind.clone());
    }
    let kind = make()?;
    made.insert(key, kind.clone());
    Ok(kind)
}

/// The outline of this manifest's kind, created unless it is cached.
pub(super) fn outline(
    manifest: &Manifest,
    name: &str,
    make: impl FnOnce() -> &'static Schema,
) -> &'static Schema {
    let mut made = OUTLINES.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(key(manifest, name.to_owned())).or_insert_with(make)
}

/// The schema that the program of this manifest prints, requested unless it is cached for the same program file. A
/// program without a stamp is run each time.
pub(super) fn printed_schema(
    manifest: &Manifest,
    program_stamp: Option<&str>,
    print: impl FnOnce() -> Outcome<Json>,
) -> Outcome<Json> {
    let Some(stamp) = program_stamp else { return print() };
    let key = key(manifest, stamp.to_owned());
    let known = PRINTED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(schema) = known {
        return Ok(schema);
    }
    let schema = print()?;
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, schema.clone());
    Ok(schema)
}
