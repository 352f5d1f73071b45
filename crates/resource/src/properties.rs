//! Structs of properties: kinds, and state that several kinds share.

use uphold_model::{Claims, Difference, Schema, Value};

use crate::error::Result;
use crate::fields::Fields;
use crate::host::{Look, Reading};
use crate::interest::Interest;

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
