//! What most methods are given.

use serde_json::Value as Json;

use super::fault::Fault;
use crate::text::Position;

/// The text at this pointer.
pub(crate) fn text<'j>(parameters: &'j Json, pointer: &str) -> Result<&'j str, Fault> {
    let found = parameters.pointer(pointer).and_then(Json::as_str);
    found.ok_or_else(|| Fault::parameters(&pointer[1..].replace('/', ".")))
}

/// The document that is meant.
pub(crate) fn uri(parameters: &Json) -> Result<&str, Fault> {
    text(parameters, "/textDocument/uri")
}

/// The position at this pointer.
pub(crate) fn place(parameters: &Json, pointer: &str) -> Result<Position, Fault> {
    let number = |name: &str| {
        let found = parameters.pointer(&format!("{pointer}/{name}")).and_then(Json::as_u64);
        let number = found.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        number.ok_or_else(|| Fault::parameters(&format!("{pointer}/{name}")[1..].replace('/', ".")))
    };
    Ok(Position { line: number("line")?, column: number("character")? })
}
