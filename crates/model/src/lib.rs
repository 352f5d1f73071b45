//! The data model of Uphold: ids, values, schemas, differences, diagnostics and declarations.
//!
//! Everything here is plain data. This crate does no IO, starts no threads, and knows neither HCL nor any kind of
//! resource.

mod address;
mod block_schema;
mod change_kind;
mod claim;
mod code;
mod declaration;
mod diagnostic;
mod difference;
mod distance;
mod fact;
mod foreign_argument;
mod free_now;
mod group;
mod handling;
mod heap_room;
mod id;
mod id_text;
mod identifier;
mod invisible;
mod line_index;
mod meta_schema;
mod moved;
mod mutex;
mod place;
mod problem;
mod repeated;
mod root_schema;
mod schema;
mod source_text;
mod span;
mod thin_vec;
mod value;
mod window;

pub use address::covering_addresses;
pub use block_schema::{BLOCKS, BlockAttribute, BlockSchema, RESERVED_BLOCKS};
pub use change_kind::ChangeKind;
pub use claim::{Claim, Claims};
pub use code::Code;
pub use declaration::OnRemoval;
pub use declaration::Settings;
pub use declaration::{
    Action, Attribute, Declaration, Deferred, Edit, InactiveBlock, Meta, Output, Reference, Scope, Statement,
    Term, Trigger,
};
pub use diagnostic::{Diagnostic, Diagnostics, Related, Severity};
pub use difference::{Difference, DifferenceCause, DifferenceCauses, Side};
pub use distance::closest;
pub use fact::FactSchema;
pub use foreign_argument::{
    foreign_action, foreign_argument, foreign_existence, foreign_kind, foreign_property, foreign_word,
};
pub use free_now::shed;
pub use group::{ActionGroup, Order, Verification};
pub use handling::{
    FAILURES, Guard, GuardCommand, Handling, Limit, Lock, Moment, NotUntil, Notification, Retry,
};
pub use heap_room::reserve_heap;
pub use id::{Identity, Name, ResourceId};
pub use id_text::InvalidId;
pub use identifier::{continues_identifier, is_identifier, starts_identifier};
pub use invisible::is_invisible;
pub use line_index::{LineIndexes, Outline};
pub use meta_schema::{META, META_ARGUMENTS, MetaSchema};
pub use moved::Moved;
pub use moved::Removed;
pub use mutex::Mutex;
pub use place::{LineColumn, Place, Source, SourceId, Sources};
pub use problem::{Problem, ProblemKind};
pub use root_schema::{RESERVED_ROOTS, ROOTS, RootSchema};
pub use schema::{
    DefaultValue, Group, GroupRule, Need, PropertySchema, Role, Rule, Schema, Type, VerbSchema,
};
pub use source_text::SourceText;
pub use span::parse_duration;
pub use thin_vec::ThinVec;
pub use value::{Map, SENSITIVE, Shape, UNKNOWN, Unknown, Value};
pub use window::{Window, WindowSpan};
