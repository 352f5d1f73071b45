//! Schemas that stand elsewhere: `$ref`.

use serde_json::Value as Json;

use super::flaw::Flaw;

/// A chain of references longer than this leads nowhere.
const HOPS: usize = 16;

/// The schema that is meant: the one at the end of all references. One that stands outside the text is not fetched; any
/// value is taken there.
pub(super) fn resolve<'a>(root: &'a Json, schema: &'a Json) -> Result<&'a Json, Flaw> {
    let mut at = schema;
    for _ in 0..HOPS {
        let Some(reference) = at.get("$ref").and_then(Json::as_str) else { return Ok(at) };
        let Some(pointer) = reference.strip_prefix('#') else { return Ok(&Json::Bool(true)) };
        at = root.pointer(pointer).ok_or_else(|| {
            let fix = "correct it, or add what it refers to, such as `#/$defs/name`";
            Flaw::new(format!("`$ref` = {reference:?} leads nowhere"), fix)
        })?;
    }
    Err(Flaw::new("`$ref` leads in a circle", "write the schema out"))
}
