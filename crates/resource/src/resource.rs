//! A resource is a struct and two functions.

use std::path::PathBuf;

use uphold_model::{Claims, Difference, Map, Schema, Value};

use crate::error::{Error, ErrorKind, Result};
use crate::fields::Fields;
use crate::host::{Act, Reading};
use crate::instance::Desired;
use crate::interest::Interest;
use crate::property::Context;
use crate::step::Step;

/// Finds the paths that belong to a resource and that only the machine can name, such as a file in a user's home directory.
/// It outlives the resource, and is called whenever a purge has to know them.
pub type OwnedPaths = Box<dyn Fn(&Reading<'_>) -> Result<Vec<PathBuf>> + Send + Sync>;

/// A kind of resource.
///
/// The struct says what can be declared, `load` says what is there, `apply` makes a difference
/// disappear. Comparing, printing, planning, retrying and reporting are the engine's work.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    note = "write `#[derive(Resource)]` on the struct and `impl Resource for {Self}` with `load` and `apply`"
)]
pub trait Resource: Described {
    /// Completes the wish with what only the machine can tell, such as the content of a source
    /// file. Called before every look, except to remove; most kinds need nothing.
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        let _ = host;
        Ok(())
    }

    /// What is there now; none if the thing does not exist.
    ///
    /// # Errors
    /// Only when it cannot be found out. Not existing is no error.
    fn load(&self, host: &Reading<'_>) -> Result<Option<Self::State>>;

    /// Says whether it could be created, as far as can be told by looking: called in a plan, too,
    /// when it should be there and is not. Most kinds need nothing.
    ///
    /// # Errors
    /// What creating it would fail with.
    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        let _ = host;
        Ok(())
    }

    /// Contents on the machine that a change reads and that its differences do not show, such as the file that is
    /// compressed: a digest of each, with a name for messages. A saved plan does not change the resource if one is
    /// another by then. What cannot be read yet is unknown.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let _ = (desired, host);
        Map::new()
    }

    /// Takes one step. Afterwards the engine loads again and compares again: still different is
    /// an error.
    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()>;

    /// The resource of this name of which nothing else is asked: for struct update syntax, as in
    /// `File { mode: Want::of(Mode::new(0o600)), ..File::named("/etc/key")? }`.
    fn named(name: &str) -> Result<Self> {
        crate::instance::decode_named(name, &Context::NOTHING)
            .map_err(|problem| Error::new(ErrorKind::Invalid, problem.to_string()))
    }
}

/// What `#[derive(Resource)]` writes. Nobody writes it by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no properties that Uphold knows",
    note = "write `#[derive(Resource)]` and `#[resource(kind = \"…\")]` on the struct"
)]
pub trait Described: Sized + Send + Sync + 'static {
    /// Each state property as it should be.
    type Goal: Send + Sync;
    /// Each state property and export as it is.
    type State: Clone + Send + Sync + 'static;
    /// Each state property that differs.
    type Change: Send + Sync;

    /// The kind's name; apart from the schema, so that a kind can refer to its own.
    const KIND: &'static str;
    /// The kind's description.
    const SCHEMA: &'static Schema;

    /// Whether [`Described::apply_together`] does something.
    const BATCHES: bool = false;

    /// Decodes; problems are collected in `fields`.
    fn decode(fields: &mut Fields<'_>) -> Option<Self>;
    /// What should be there: set by the user, else current, else the create default.
    fn goal(&self, current: Option<&Self::State>) -> Self::Goal;
    /// What differs between goal and current.
    fn change(&self, goal: &Self::Goal, current: &Self::State) -> Self::Change;
    /// Whether nothing differs.
    fn is_empty(change: &Self::Change) -> bool;
    /// The differences as data, for plans and reports. None as current: it will be created.
    fn differences(&self, goal: &Self::Goal, current: Option<&Self::State>, out: &mut Vec<Difference>);
    /// The differences when it is removed.
    fn losses(current: &Self::State, out: &mut Vec<Difference>);
    /// The value of a property, for references and for reading: from the state if there is one.
    fn value(&self, property: &str, state: Option<&Self::State>) -> Option<Value>;
    /// Whether a state property is wanted: set, or enforced.
    fn wants(&self, property: &str) -> bool;
    /// Forgets what an earlier `apply` told.
    fn forget(&self);
    /// Replaces create defaults by those for something that holds a secret: see [`Property::for_secret`](crate::Property::for_secret).
    fn restrict(&mut self);
    /// What it provides and stands on, from its types and from [`Claiming`].
    fn claims(&self, claims: &mut Claims);
    /// Whether resources of this kind can own paths besides those that their names and identities say.
    const MAY_OWN: bool = false;
    /// How to find the paths that belong to it and that only the machine can name, from [`Claiming`].
    fn owned_paths(&self, found: &mut Vec<OwnedPaths>) {
        let _ = found;
    }
    /// What should wake it, from its types and from [`Watching`].
    fn interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);

    /// Runs a verb.
    fn run_verb(&self, verb: &str, host: &Act<'_>) -> Result<()> {
        let _ = host;
        crate::private::no_verb::<Self>(verb)
    }

    /// Applies many at once; none if the kind cannot.
    fn apply_together(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Option<Vec<Result<()>>> {
        let _ = (items, host);
        None
    }
}

/// Written by the derive for `#[flatten] part: P`: how a step on the whole is a step on the part.
pub trait Embeds<P: Described>: Described {
    /// The part's goal.
    fn goal_part(goal: &Self::Goal) -> &P::Goal;
    /// The part's state.
    fn state_part(state: &Self::State) -> &P::State;
    /// The part's change.
    fn change_part(change: &Self::Change) -> &P::Change;
}

/// Verbs besides `converge` and `remove`. Demanded by `#[resource(verbs(…))]`, which also writes
/// the enum, so that a new verb without its arm does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `verbs(…)` and does not implement `Verbs`",
    label = "no `Verbs`",
    note = "write `impl Verbs for {Self}` with `run`, or take `verbs(…)` out of `#[resource(…)]`"
)]
pub trait Verbs: Described {
    /// The kind's verbs.
    type Verb;
    /// Does it.
    fn run(&self, verb: Self::Verb, host: &Act<'_>) -> Result<()>;
}

/// Claims besides those of the property types. Demanded by `#[resource(claims)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `claims` and does not implement `Claiming`",
    label = "no `Claiming`",
    note = "write `impl Claiming for {Self}` with `add_claims`, or take `claims` out of `#[resource(…)]`"
)]
pub trait Claiming: Described {
    /// Adds what it provides and stands on. Claims cannot depend on the machine.
    fn add_claims(&self, claims: &mut Claims);

    /// How to find the paths that belong to it and that only the machine can name: a purge leaves them alone. While they
    /// cannot be found out, nothing is purged.
    fn owned_paths(&self) -> Option<OwnedPaths> {
        None
    }
}

/// Interests besides those of the property types. Demanded by `#[resource(interests)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `interests` and does not implement `Watching`",
    label = "no `Watching`",
    note = "write `impl Watching for {Self}` with `add_interests`, or take `interests` out of `#[resource(…)]`"
)]
pub trait Watching: Described {
    /// Adds what should wake it. Asked before the resource is prepared; `host` is for what only the machine can tell,
    /// such as the number of a user.
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);
}

/// One transaction for many. Demanded by `#[resource(batch)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says `batch` and does not implement `Batch`",
    label = "no `Batch`",
    note = "write `impl Batch for {Self}` with `apply_all`, or take `batch` out of `#[resource(…)]`"
)]
pub trait Batch: Described {
    /// Applies all; one result each, in the same order. Must end in the same state as applying
    /// one after the other.
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>>;
}
