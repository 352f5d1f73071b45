//! The vocabulary of Uphold: ids, values, schemas, differences, diagnostics and declarations.
//!
//! Everything here is plain data. This crate does no IO, starts no thread, and knows neither
//! HCL nor any kind of resource.

mod claim;
mod declaration;
mod diagnostic;
mod difference;
mod distance;
mod id;
mod place;
mod problem;
mod schema;
mod value;

pub use claim::{Claim, Claims};
pub use declaration::{
    Action, Attribute, Declaration, Deferred, Edit, META_ARGUMENTS, Meta, RESERVED_BLOCKS, Reference, Scope,
    Statement, Term, Trigger,
};
pub use diagnostic::{Diagnostic, Diagnostics, Related, Severity};
pub use difference::{Difference, Side};
pub use distance::closest;
pub use id::{Name, ResourceId, is_identifier};
pub use place::{LineColumn, Place, Source, SourceId, Sources};
pub use problem::{Problem, ProblemSort};
pub use schema::{Group, GroupRule, Need, PropertySchema, Role, Rule, Schema, Type, VerbSchema};
pub use value::{Map, SENSITIVE, UNKNOWN, Unknown, Value};
