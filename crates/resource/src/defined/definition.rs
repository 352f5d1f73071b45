//! The interface of a kind that is not compiled in.

use std::path::PathBuf;

use uphold_model::{Claims, Difference, Map, Problem, PropertySchema, Schema, Value};

use super::value_type::ValueType;
use super::wishes::Wishes;
use crate::error::{Error, ErrorKind, Result};
use crate::host::{Act, Look, Reading};
use crate::instance::Desired;
use crate::interest::Interest;
use crate::inverse::Previous;
use crate::property::Context;

/// Reads a value of a property: coerces it, reads it by its type, then checks the rules and the kind's own validation.
///
/// # Errors
/// If the value is invalid.
pub fn accept(
    definition: &dyn Definition,
    property: &PropertySchema,
    value: &Value,
    context: &Context<'_>,
) -> std::result::Result<Value, Problem> {
    let coerced = if *value == Value::Null { None } else { definition.coerce(property.name, value)? };
    let value = coerced.as_ref().unwrap_or(value);
    let read = definition.value_type(property.name).read(value, context)?;
    crate::rules::check(property.rules, &read)?;
    definition.adjust(property.name, read)
}

/// The effects of a kind beyond changes of its properties.
#[derive(Debug, Default)]
pub struct PredictedEffects {
    /// The differences, and the commands that would run.
    pub differences: Vec<Difference>,
    /// Whether all of it is work that runs at every visit, such as a command, and so differs again at the next check.
    pub repeats: bool,
    /// Other values that the effects depend on: settings of nested resources, by resource and property.
    pub inputs: Map,
}

impl From<Vec<Difference>> for PredictedEffects {
    fn from(differences: Vec<Difference>) -> Self {
        Self { differences, ..Self::default() }
    }
}

/// One resource of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchItem<'a> {
    /// Its declared values.
    pub wishes: &'a Wishes,
    /// Its loaded state; `None` if it does not exist.
    pub current: Option<&'a Map>,
    /// Whether it is created or changed, or removed.
    pub desired: Desired,
}

/// A kind that is defined at run time.
///
/// Decoding, comparing, planning and reporting work as for compiled kinds. Values are passed as plain data; loaded ones
/// are read by the type of their property, just as declared ones are.
pub trait Definition: Send + Sync + 'static {
    /// The schema. It lives as long as the program, so an implementation creates each schema only once.
    fn schema(&self) -> &'static Schema;

    /// The type of a property of the schema.
    fn value_type(&self, property: &str) -> &ValueType;

    /// Converts a value before its type reads it; `None` leaves it unchanged. Never called for null.
    ///
    /// # Errors
    /// If the value is invalid.
    fn coerce(&self, property: &str, value: &Value) -> std::result::Result<Option<Value>, Problem> {
        let _ = (property, value);
        Ok(None)
    }

    /// The kind's own validation of a value that its type and rules accept. May also complete the value.
    ///
    /// # Errors
    /// If the value is invalid.
    fn adjust(&self, property: &str, value: Value) -> std::result::Result<Value, Problem> {
        let _ = property;
        Ok(value)
    }

    /// Problems of the combination of all values.
    fn check(&self, wishes: &Wishes) -> Vec<Problem> {
        let _ = wishes;
        Vec::new()
    }

    /// The current state; `None` if the thing does not exist. Properties that are not in the map count as null.
    ///
    /// # Errors
    /// Only if the state cannot be determined.
    fn load(&self, wishes: &Wishes, look: &Look<'_>) -> Result<Option<Map>>;

    /// Whether the current value of a property satisfies the wanted one, given everything that was loaded.
    fn is_as_wanted(&self, property: &str, wanted: &Value, current: &Map) -> bool {
        current.get(property) == Some(wanted)
    }

    /// Whether [`Definition::load`] detects that the thing does not exist. If it cannot, the thing counts as absent once
    /// [`Definition::predict_effects`] finds nothing left to remove.
    fn detects_absence(&self) -> bool {
        true
    }

    /// The effects beyond changes of properties. Changes nothing.
    fn predict_effects(
        &self,
        wishes: &Wishes,
        current: Option<&Map>,
        desired: Desired,
        host: &Reading<'_>,
    ) -> Result<PredictedEffects> {
        let _ = (wishes, current, desired, host);
        Ok(PredictedEffects::default())
    }

    /// Digests of contents on the machine that a change depends on and that no difference shows, such as the program that
    /// makes it, each with a name for messages. A saved plan refuses to change the resource if one of them has changed.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let _ = (desired, host);
        Map::new()
    }

    /// How the state before a change can be brought back. By default, by a declaration of the previous values.
    fn previous(&self, wishes: &Wishes, current: Option<&Map>, desired: Desired) -> Previous {
        let _ = (wishes, current, desired);
        Previous::VALUES
    }

    /// Creates it, or changes it to match the declaration.
    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()>;

    /// Removes it. Called only if the schema allows removal.
    fn remove(&self, wishes: &Wishes, current: &Map, host: &Act<'_>) -> Result<()> {
        let _ = (wishes, current, host);
        Err(Error::new(ErrorKind::Unsupported, format!("a {} cannot be removed", self.schema().kind)))
    }

    /// Whether many resources can be changed in one batch: see [`Definition::apply_all`].
    fn batches(&self) -> bool {
        false
    }

    /// Converges or removes all of these, with one result each, in the same order. Called only if
    /// [`Definition::batches`] is true. The final state must be the same as after one change after the other.
    fn apply_all(&self, items: &[BatchItem<'_>], host: &Act<'_>) -> Vec<Result<()>> {
        let apply = |item: &BatchItem<'_>| match (item.desired, item.current) {
            (Desired::Present, current) => self.converge(item.wishes, current, host),
            (Desired::Absent, Some(current)) => self.remove(item.wishes, current, host),
            (Desired::Absent, None) => Ok(()),
        };
        items.iter().map(apply).collect()
    }

    /// The predicted effects of a verb of the schema; `None` if they cannot be predicted. Changes nothing.
    fn predict_verb(
        &self,
        verb: &str,
        wishes: &Wishes,
        host: &Reading<'_>,
    ) -> Result<Option<PredictedEffects>> {
        let _ = (verb, wishes, host);
        Ok(None)
    }

    /// Runs a verb of the schema.
    fn run_verb(&self, verb: &str, wishes: &Wishes, host: &Act<'_>) -> Result<()> {
        let _ = (wishes, host);
        Err(Error::new(ErrorKind::Unsupported, format!("{} has no verb `{verb}`", self.schema().kind)))
    }

    /// Adds what it provides and depends on, besides the claims of its property types.
    fn claims(&self, wishes: &Wishes, claims: &mut Claims) {
        let _ = (wishes, claims);
    }

    /// The paths that belong to it and that only the machine knows, such as those of resources that it declares.
    ///
    /// # Errors
    /// If they cannot be determined: then nothing is purged.
    fn owned_paths(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
        let _ = (wishes, host);
        Ok(Vec::new())
    }

    /// Whether [`owned_paths`](Definition::owned_paths) can return any path.
    fn may_own(&self) -> bool {
        false
    }

    /// Adds the changes that require a new check, besides those of its property types.
    fn interests(&self, wishes: &Wishes, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let _ = (wishes, host, interests);
    }
}
