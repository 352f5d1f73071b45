//! The kinds that were made: each once, because a schema lives as long as the program.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use super::definition::External;
use crate::document::Fault;
use crate::manifest::Manifest;

/// What a kind is made from: where, its type, the texts, and the schema, which a program may have printed.
type Key = (PathBuf, String, String, String);

static MADE: Mutex<BTreeMap<Key, Arc<External>>> = Mutex::new(BTreeMap::new());

/// The kind of this manifest and schema, made now unless it was before.
///
/// A watch reads its configuration again and again. What is the same is not made again: so nothing is leaked, and one
/// program still runs once at a time while the old configuration is replaced.
pub(super) fn take(
    manifest: &Manifest,
    schema: &Json,
    make: impl FnOnce() -> Result<Arc<External>, Fault>,
) -> Result<Arc<dyn uphold_resource::Definition>, Fault> {
    let key = (manifest.file.clone(), manifest.type_name.clone(), manifest.texts(), schema.to_string());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kind) = made.get(&key) {
        return Ok(kind.clone());
    }
    let kind = make()?;
    made.insert(key, kind.clone());
    Ok(kind)
}
