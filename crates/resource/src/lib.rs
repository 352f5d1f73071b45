//! The API for authors of resource kinds.
//!
//! A kind is a struct with `#[derive(Resource)]` and two functions: [`Resource::load`] reads the current state, and
//! [`Resource::apply`] makes one change, a [`Step`]. The role of a field follows from how it is written: `#[name]` or
//! `#[identity]` for the identity, [`Want<T>`] for state, [`Seen<T>`] for exports; anything else is a setting.
//! `docs/authoring.md` is the full guide.

mod deferred_kind;
mod defined;
mod error;
mod fields;
mod findings;
mod found;
mod group_problem;
mod host;
mod instance;
mod interest;
mod inverse;
mod property;
mod registry;
mod resource;
mod rules;
mod secret_text;
mod seen;
mod settings;
mod shape;
mod step;
mod stop;
mod typed_instance;
mod types;
mod want;

#[doc(hidden)]
mod lazy;
pub mod private;

pub use deferred_kind::{DeferredKind, UnusableKind};
pub use defined::{
    BatchItem, Definition, Member, PredictedEffects, ValueType, Wishes, accept, intern_str, intern_value,
    keep, keep_all,
};
pub use error::{Error, ErrorKind, Result, UNSAFE_LINK_HINT, replaced, too_large, unsafe_link, wrong_type};
pub use fields::Fields;
pub use findings::Findings;
pub use found::{Found, Other};
pub use host::{
    Access, Accounts, Act, Activity, Around, Clock, Command, Commands, Entry, EntryKind, Excess, Exit, FACTS,
    Facts, FileEdits, Files, Flow, Gathered, Group, KnownContents, Level, Look, Machine, NestedNotification,
    NewFile, NoRun, OpenFile, Output, ParseCache, Parsed, Place, Predictor, Probes, READ_LIMIT, Random,
    Reading, Receiver, Request, Response, RunView, STDERR_LIMIT, STDOUT_LIMIT, Sink, StagedFile, Token, Unit,
    UnitEdits, UnitFileChange, UnitFileState, UnitJob, UnitPhase, UnitVerb, Units, Untrusted, User, Verify,
    VisitLimits, WatchEvent, Watcher, Watchers, Writers, home, is_live_fact, is_private_group, set_access,
    sibling_name, trusted_path, unknown_fact, untrusted_words,
};
pub use instance::{Desired, Instance, Observation};
pub use interest::Interest;
pub use inverse::{Inverse, Irreversible, Previous, RecordedChange, RecordedState, Untouched, inverse};
pub use lazy::Lazy;
pub use property::{Base, Context, DefaultFor, Property};
pub use registry::{Kind, KindError, Registry};
pub use resource::Properties;
pub use resource::{Batch, Claiming, Described, Embeds, OwnedPaths, Resource, Verbs, Watching};
pub use secret_text::{exposed_argument, is_argument};
pub use seen::{Produced, Seen};
pub use settings::Settings;
pub use step::Step;
pub use stop::Stop;
pub use typed_instance::Decoded;
pub use types::{
    AbsolutePath, AnyPath, BesideFile, Bytes, GroupName, Mode, Port, Ref, Sensitive, Size, SourceFile, Url,
    UserName,
};
pub use uphold_derive::{Properties, Property, Resource};
pub use uphold_model::{Claim, Claims, Map, Mutex, Name, Problem, ProblemKind, Role, Type, Value, closest};
pub use want::Wish;
pub use want::{Delta, Want};
