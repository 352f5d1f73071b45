//! Kinds that are defined while the program runs: by a script, or by somebody else's program.
//!
//! A front end gives a [`Definition`]: a schema, the [`ValueType`] of each property, and what to do. From then on such a
//! kind is a kind like any other.

mod definition;
mod instance;
mod kept;
mod value_type;
mod wishes;

pub use definition::{Definition, Foreseen, accept};
pub(crate) use instance::decode;
pub use kept::{keep, keep_all, keep_text, keep_value};
pub use value_type::{Member, ValueType};
pub use wishes::Wishes;
