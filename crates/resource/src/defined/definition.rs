//! What a kind must tell that is not compiled in.

use std::path::PathBuf;

use uphold_model::{Claims, Difference, Map, Problem, PropertySchema, Schema, Value};

use super::value_type::ValueType;
use super::wishes::Wishes;
use crate::error::{Error, ErrorKind, Result};
use crate::host::{Act, Reading};
use crate::instance::Desired;
use crate::interest::Interest;
use crate::property::Context;

/// Reads a value of a property: it is coerced, read by its type, and checked by its rules and by the kind.
///
/// # Errors
/// What is wrong with the value.
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

/// What a kind would do besides making up for differing properties.
#[derive(Debug, Default)]
pub struct Foreseen {
    /// What differs, and what would be run.
    pub differences: Vec<Difference>,
    /// Whether all of it is work that runs at every visit, such as a command: a check afterwards finds it again.
    pub repeats: bool,
    /// What else decides what is done: settings of nested resources, by resource and property.
    pub inputs: Map,
}

impl From<Vec<Difference>> for Foreseen {
    fn from(differences: Vec<Difference>) -> Self {
        Self { differences, ..Self::default() }
    }
}

/// A kind that is defined while the program runs.
///
/// Decoding, comparing, planning and reporting are the same as for compiled kinds. Values go in and out as plain data;
/// what is loaded is read by the type of its property, as the user's own word is.
pub trait Definition: Send + Sync + 'static {
    /// Its description. The same for the life of the program: who makes schemas makes them once.
    fn schema(&self) -> &'static Schema;

    /// The type of a property of the schema.
    fn value_type(&self, property: &str) -> &ValueType;

    /// Converts a value before its type reads it; none if it stays as it is. Null is never converted.
    ///
    /// # Errors
    /// What is wrong with the value.
    fn coerce(&self, property: &str, value: &Value) -> std::result::Result<Option<Value>, Problem> {
        let _ = (property, value);
        Ok(None)
    }

    /// Completes a value that its type and rules accept: validation of the kind's own.
    ///
    /// # Errors
    /// What is wrong with the value.
    fn adjust(&self, property: &str, value: Value) -> std::result::Result<Value, Problem> {
        let _ = property;
        Ok(value)
    }

    /// What is wrong with all values together.
    fn check(&self, wishes: &Wishes) -> Vec<Problem> {
        let _ = wishes;
        Vec::new()
    }

    /// What is there now; none if the thing does not exist. What is not in the map counts as null.
    ///
    /// # Errors
    /// Only when it cannot be found out.
    fn load(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<Map>>;

    /// Whether a property is as good as what is wanted of it, given all that was loaded.
    fn is_as_wanted(&self, property: &str, wanted: &Value, current: &Map) -> bool {
        current.get(property) == Some(wanted)
    }

    /// Whether [`Definition::load`] finds out that the thing does not exist. If it cannot, a thing is gone when
    /// [`Definition::foresee`] finds nothing left to remove.
    fn detects_absence(&self) -> bool {
        true
    }

    /// What would be done besides making up for differing properties. A look.
    fn foresee(
        &self,
        wishes: &Wishes,
        current: Option<&Map>,
        desired: Desired,
        host: &Reading<'_>,
    ) -> Result<Foreseen> {
        let _ = (wishes, current, desired, host);
        Ok(Foreseen::default())
    }

    /// Contents on the machine that a change depends on and that no difference shows, such as the program that makes it: a
    /// digest of each, with a name for messages. A saved plan does not change the resource if one is another by then.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let _ = (desired, host);
        Map::new()
    }

    /// Creates it, or makes it as wanted.
    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()>;

    /// Removes it. Asked only if the schema says that it can be removed.
    fn remove(&self, wishes: &Wishes, current: &Map, host: &Act<'_>) -> Result<()> {
        let _ = (wishes, current, host);
        Err(Error::new(ErrorKind::Unsupported, format!("a {} cannot be removed", self.schema().kind)))
    }

    /// What a verb of the schema would do, if that can be told. A look.
    fn foresee_verb(&self, verb: &str, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<Foreseen>> {
        let _ = (verb, wishes, host);
        Ok(None)
    }

    /// Runs a verb of the schema.
    fn run_verb(&self, verb: &str, wishes: &Wishes, host: &Act<'_>) -> Result<()> {
        let _ = (wishes, host);
        Err(Error::new(ErrorKind::Unsupported, format!("{} has no verb `{verb}`", self.schema().kind)))
    }

    /// What it provides and stands on, besides what the types of its properties tell.
    fn claims(&self, wishes: &Wishes, claims: &mut Claims) {
        let _ = (wishes, claims);
    }

    /// The paths that belong to it and that only the machine can name, such as those of resources that it declares.
    ///
    /// # Errors
    /// If they cannot be found out: then nothing is purged.
    fn owned_paths(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
        let _ = (wishes, host);
        Ok(Vec::new())
    }

    /// Whether [`owned_paths`](Definition::owned_paths) finds anything.
    fn may_own(&self) -> bool {
        false
    }

    /// What should wake it, besides what the types of its properties tell.
    fn interests(&self, wishes: &Wishes, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let _ = (wishes, host, interests);
    }
}
