//! The traits of a resource kind.

use std::path::PathBuf;

use uphold_model::{Claims, Difference, Map, Problem, Schema, Value};

use crate::error::{Error, ErrorKind, Result};
use crate::found::{Found, Other};
use crate::host::{Act, Look, Reading};
use crate::instance::Desired;
use crate::interest::Interest;
use crate::inverse::Previous;
use crate::step::Step;

use super::fields::Fields;
use super::property::Context;

/// Finds the paths that belong to a resource and that only the machine knows, such as a file in a user's home directory.
/// It outlives the resource, and is called whenever a purge needs the paths.
pub type OwnedPaths = Box<dyn Fn(&Reading<'_>) -> Result<Vec<PathBuf>> + Send + Sync>;

/// A kind of resource.
///
/// The struct defines the properties, `load` reads the current state, and `apply` makes a change. The engine compares,
/// prints, plans, retries and reports.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    note = "write `#[derive(Resource)]` on the struct and `impl Resource for {Self}` with `load` and `apply`"
)]
pub trait Resource: Described {
    /// Checks rules over several properties that depend on the declaration alone, so that every command reports them with their
    /// place, before anything is touched. Called when a resource that is to converge is decoded and all of its properties
    /// are known. A rule of one property is a `#[check]`; most kinds need no others.
    ///
    /// # Errors
    /// The broken rule, [inside](Problem::inside) the property to correct; several of them with [`Problem::of_members`].
    fn validate(&self) -> Result<(), Problem> {
        Ok(())
    }

    /// How the wishes of this visit differ from the declaration because of data of the machine, such as the content of a
    /// source file. Called before every check, except for a removal, and changes nothing: `load` and `apply` get a copy
    /// with these wishes, and the next visit begins with the declaration. Most kinds do not need it.
    ///
    /// # Errors
    /// If the declaration cannot be fulfilled, for example because its owner does not exist.
    fn prepare(&self, look: &Look<'_>) -> Result<Self::Wishes> {
        let _ = look;
        Ok(Self::Wishes::default())
    }

    /// The current state.
    ///
    /// # Errors
    /// Only if the state cannot be determined. A resource that does not exist is no error.
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>>;

    /// The current state, with the needed properties that have a function of their own. Call this where [`Resource::load`]
    /// would leave them unread, as in a verb; do not implement it.
    fn load_whole(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let mut found = self.load(look)?;
        if let Found::This(state) = &mut found {
            self.load_needed(state, look)?;
        }
        Ok(found)
    }

    /// Checks whether the resource could be created, as far as that can be predicted. Called for a missing resource that should
    /// exist, also in a plan. Most kinds do not need it.
    ///
    /// # Errors
    /// The error that its creation would fail with.
    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        let _ = look;
        Ok(())
    }

    /// Whether its creation replaces something else at its place, as with the setting `force`: see [`Found::Other`]. By
    /// default that is an error.
    fn replaces_other(&self) -> bool {
        false
    }

    /// Removes something else at its place, if the resource replaces it. By default that is an error.
    fn remove_other(&self, other: &Other, host: &Act<'_>) -> Result<()> {
        let _ = host;
        Err(other.error())
    }

    /// Digests of contents on the machine that a change reads and that its differences do not show, such as the file to
    /// compress, each with a name for messages. A saved plan refuses to change the resource if one of them has changed.
    /// Content that cannot be read yet is unknown.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let _ = (desired, host);
        Map::new()
    }

    /// Makes one change. Afterwards the engine loads and compares again; a remaining difference is an error.
    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()>;

    /// Whether `apply` writes one whole file, as its last step. Then many of these files are put in place together, because
    /// waiting for the disk once is much faster than once for each. Until `apply` has returned, its file may not be at its
    /// path.
    fn ends_with_write(&self) -> bool {
        false
    }

    /// How the state before a change can be brought back. By default, by a declaration of the previous values: right for a
    /// kind whose state properties determine its whole state.
    fn previous(&self, step: Step<'_, Self>) -> Previous {
        let _ = step;
        Previous::VALUES
    }

    /// The resource with this name and no other properties, for struct update syntax as in
    /// `File { mode: Want::of(Mode::new(0o600)), ..File::named("/etc/key")? }`.
    fn named(name: &str) -> Result<Self> {
        crate::typed_instance::decode_named(name, &Context::NOTHING)
            .map_err(|problem| Error::new(ErrorKind::Invalid, problem.to_string()))
    }
}

/// A kind: properties, of which one takes the block's label, with verbs and batches. `#[derive(Resource)]` implements it;
/// do not implement it by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind",
    note = "write `#[derive(Resource)]` and `#[resource(kind = \"…\")]` on the struct; a struct of state is embedded with `#[flatten(state)]`"
)]
pub trait Described: Properties {
    /// The kind's name. Apart from the schema, so that a kind can refer to itself.
    const KIND: &'static str;

    /// Whether the kind supports [`Described::apply_together`].
    const BATCHES: bool = false;

    /// Whether resources of this kind can own paths besides those of their names and identities.
    const MAY_OWN: bool = false;
    /// Adds functions that find the paths that belong to it and that only the machine knows, from [`Claiming`].
    fn owned_paths(&self, found: &mut Vec<OwnedPaths>) {
        let _ = found;
    }

    /// Runs a verb.
    fn run_verb(&self, verb: &str, host: &Act<'_>) -> Result<()> {
        let _ = host;
        crate::private::no_verb::<Self>(verb)
    }

    /// Whether a verb has anything to do, from [`Verbs`].
    fn is_verb_due(&self, verb: &str, host: &Reading<'_>) -> Result<bool> {
        let _ = (verb, host);
        Ok(true)
    }

    /// Applies many resources in one batch; `None` if the kind does not support it.
    fn apply_together(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Option<Vec<Result<()>>> {
        let _ = (items, host);
        None
    }
}

/// Access to an embedded resource: its part of a step of the whole. The derive implements it for `#[flatten] part: P`.
pub trait Embeds<P: Described>: Described {
    /// The part's goal.
    fn goal_part(goal: &Self::Goal) -> &P::Goal;
    /// The part's state.
    fn state_part(state: &Self::State) -> &P::State;
    /// The part's change.
    fn change_part(change: &Self::Change) -> &P::Change;
}

/// Verbs besides `converge` and `remove`. Required by `#[resource(verbs(…))]`, which also generates the enum, so that a
/// new verb without an implementation does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `verbs(…)` and does not implement `Verbs`",
    label = "no `Verbs`",
    note = "write `impl Verbs for {Self}` with `run`, or take `verbs(…)` out of `#[resource(…)]`"
)]
pub trait Verbs: Described {
    /// The kind's verbs.
    type Verb;
    /// Runs a verb.
    fn run(&self, verb: Self::Verb, host: &Act<'_>) -> Result<()>;
    /// Whether a verb has anything to do now. One that has not is reported as unchanged, and is not run.
    fn is_due(&self, verb: Self::Verb, host: &Reading<'_>) -> Result<bool> {
        let _ = (verb, host);
        Ok(true)
    }
}

/// Claims besides those of the property types. Required by `#[resource(claims)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `claims` and does not implement `Claiming`",
    label = "no `Claiming`",
    note = "write `impl Claiming for {Self}` with `add_claims`, or take `claims` out of `#[resource(…)]`"
)]
pub trait Claiming: Described {
    /// Adds what the resource provides and depends on. Claims cannot depend on the machine.
    fn add_claims(&self, claims: &mut Claims);

    /// A function that finds the paths that belong to it and that only the machine knows. A purge keeps them; nothing is
    /// purged while they cannot be determined.
    fn owned_paths(&self) -> Option<OwnedPaths> {
        None
    }
}

/// Interests besides those of the property types. Required by `#[resource(interests)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `interests` and does not implement `Watching`",
    label = "no `Watching`",
    note = "write `impl Watching for {Self}` with `add_interests`, or take `interests` out of `#[resource(…)]`"
)]
pub trait Watching: Described {
    /// Adds the changes that require a new check. Called before `prepare`; `host` is for data of the machine, such as the id
    /// of a user.
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);
}

/// Changes of many resources in one transaction. Required by `#[resource(batch)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `batch` and does not implement `Batch`",
    label = "no `Batch`",
    note = "write `impl Batch for {Self}` with `apply_all`, or take `batch` out of `#[resource(…)]`"
)]
pub trait Batch: Described {
    /// Applies all steps, with one result each, in the same order. The final state must be the same as after applying one
    /// after the other.
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>>;
}

// Structs of properties: kinds, and state that several kinds share.

/// The properties of a struct: decoded, compared and shown together. `#[derive(Resource)]` implements it for a kind, and
/// `#[derive(Properties)]` for state that several kinds share; do not implement it by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no properties that Uphold knows",
    note = "write `#[derive(Resource)]` on a kind, or `#[derive(Properties)]` on a struct of state"
)]
pub trait Properties: Sized + Send + Sync + 'static {
    /// The desired value of each state property.
    type Goal: Send + Sync;
    /// The current value of each state property and export.
    type State: Clone + Send + Sync + 'static;
    /// The changes of state properties.
    type Change: Send + Sync;
    /// The wishes of one visit, as far as they differ from the declaration.
    type Wishes: Default;

    /// The schema of the struct.
    const SCHEMA: &'static Schema;

    /// Decodes the fields. Problems are collected in `fields`.
    fn decode(fields: &mut Fields<'_>) -> Option<Self>;
    /// The goal: each property as declared, else as it is, else its create default.
    fn goal(&self, current: Option<&Self::State>) -> Self::Goal;
    /// The changes from `current` to `goal`.
    fn change(&self, goal: &Self::Goal, current: &Self::State) -> Self::Change;
    /// Whether nothing changes.
    fn is_empty(change: &Self::Change) -> bool;
    /// The differences as data, for plans and reports. Without `current`, the resource will be created.
    fn differences(&self, goal: &Self::Goal, current: Option<&Self::State>, out: &mut Vec<Difference>);
    /// The differences of a removal.
    fn losses(current: &Self::State, out: &mut Vec<Difference>);
    /// The value of a property, for references and reads: from the state if given.
    fn value(&self, property: &str, state: Option<&Self::State>) -> Option<Value>;
    /// Whether a state property is compared, because it is set or enforced.
    fn wants(&self, property: &str) -> bool;
    /// Loads the properties with `#[load(…)]` that are needed, in written order.
    fn load_needed(&self, state: &mut Self::State, look: &Look<'_>) -> Result<()>;
    /// Whether these wishes are the declaration.
    fn is_declared(wishes: &Self::Wishes) -> bool;
    /// Whether `apply` stores exports in the struct, so that each visit needs a copy.
    fn produces(&self) -> bool;
    /// A copy with these wishes, and without produced exports.
    fn complete(&self, wishes: Self::Wishes) -> Self;
    /// Replaces create defaults by those for a resource that holds a secret: see
    /// [`Property::for_secret`](crate::Property::for_secret).
    fn restrict(&mut self);
    /// Adds what it provides and depends on, from its types and from [`Claiming`](crate::Claiming).
    fn claims(&self, claims: &mut Claims);
    /// Adds the changes that require a new check, from its types and from [`Watching`](crate::Watching).
    fn interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);
}
