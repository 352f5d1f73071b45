//! Kinds that only read.

use uphold_resource::{Error, ErrorKind, Result};

/// The error of `apply` for a kind that never changes the machine. The engine does not call `apply` of a resource
/// without differences, so only a mistake of the kind leads here.
pub fn refuse(kind: &str) -> Result<()> {
    Err(Error::new(ErrorKind::Unsupported, format!("a {kind} is read-only and cannot be changed or removed")))
}
