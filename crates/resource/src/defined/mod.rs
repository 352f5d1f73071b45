//! Kinds that are defined at run time: by a script, or by an external program.
//!
//! A front end implements [`Definition`]: a schema, the [`ValueType`] of each property, and the operations. Such a kind
//! is then used like any other.

mod definition;
mod instance;
mod interned;
mod value_type;
mod wishes;

pub use definition::{BatchItem, Definition, PredictedEffects, accept};
pub(crate) use instance::{apply_together, decode};
pub use interned::{intern_str, intern_value, keep, keep_all};
pub use value_type::{Member, ValueType};
pub use wishes::Wishes;
