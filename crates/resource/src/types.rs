//! The types of properties. Each type knows how it is written, checked and printed.

mod account;
mod collection;
mod duration;
mod ip_address;
mod mode;
mod number;
mod path;
mod port;
mod reference;
mod sensitive;
mod size;
mod source;
mod text;
mod url;

pub use account::{GroupName, UserName};
pub use mode::Mode;
pub use path::{AbsolutePath, AnyPath};
pub use port::Port;
pub use reference::Ref;
pub use sensitive::Sensitive;
pub use size::Size;
pub use source::{BesideFile, SourceFile};
pub use text::Bytes;
pub use url::Url;

use uphold_model::{Problem, Value};

/// The problem of a value of the wrong type.
pub(crate) fn mismatch(value: &Value, wanted: &str, fix: impl Into<String>) -> Problem {
    match value {
        Value::Null => Problem::new(Some(value), "cannot be null", "leave it out, or give it a value"),
        _ => Problem::new(Some(value), format!("must be {wanted}, not {}", value.type_name()), fix),
    }
}

/// The fix for a value that must be a string. `"${x}"` has the type of `x`, so quotes are not always enough.
fn quoting(value: &Value) -> &'static str {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
            "put it in quotes; for a computed value, write `tostring(…)`"
        }
        Value::List(_) | Value::Map(_) => {
            "write a string: `join(…)` or `jsonencode(…)` makes one of a list or map"
        }
        Value::Reference(_) => "name one of its properties: `kind.name.property`",
        _ => "put it in quotes",
    }
}

/// The problem of a value of the right type that is invalid.
fn refused(value: &Value, rule: impl Into<String>, fix: impl Into<String>) -> Problem {
    Problem::new(Some(value), rule, fix)
}
