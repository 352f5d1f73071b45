//! References to other schemas: `$ref`.

use serde_json::Value as Json;

use super::schema_fault::SchemaFault;

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
