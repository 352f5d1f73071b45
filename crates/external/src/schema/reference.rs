//! Schemas that stand elsewhere: `$ref`.

use serde_json::Value as Json;

use super::flaw::Flaw;

/// A chain of references longer than this leads nowhere.
const HOPS: usize = 16;

/// The schema that is meant: the one at the end of all references. One that is called by an address is looked for among
/// the definitions, by that name. It is never fetched: if it is not there, any value is taken.
pub(super) fn resolve<'a>(root: &'a Json, schema: &'a Json) -> Result<&'a Json, Flaw> {
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
            let fix = "correct it, or add what it refers to, such as `#/$defs/name`";
            Flaw::new(format!("`$ref` = {reference:?} leads nowhere"), fix)
        })?;
    }
    Err(Flaw::new("`$ref` leads in a circle", "write the schema out"))
}
