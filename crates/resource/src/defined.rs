//! Kinds that are defined at run time: by a script, or by an external program.
//!
//! A front end implements [`Definition`]: a schema, the [`ValueType`] of each property, and the operations. Such a kind
//! is then used like any other.

mod instance;
mod value_type;
mod wishes;

use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::LazyLock;

use uphold_model::{Claims, Difference, Map, Mutex, Problem, PropertySchema, Schema, Value};

use super::error::{Error, ErrorKind, Result};
use super::host::{Act, Look, Reading};
use super::instance::Desired;
use super::interest::Interest;
use super::inverse::Previous;
use super::property::Context;

pub use value_type::{Member, ValueType};
pub use wishes::Wishes;

pub(crate) use instance::{apply_together, decode};

// The interface of a kind that is not compiled in.

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
    super::rules::check(property.rules, &read)?;
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

    /// A hint for a resource that still differs after it was converged or removed; `current` was loaded afterwards.
    fn still_differs_hint(&self, wishes: &Wishes, current: Option<&Map>, desired: Desired) -> Option<String> {
        let _ = (wishes, current, desired);
        None
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

// Interned parts of schemas. They live as long as the program; equal parts are stored once, so that a watch whose kinds
// are edited again and again grows only with new parts.

/// Interned parts by their type and `Debug` output.
type Interned = HashMap<(TypeId, String), Box<dyn Any + Send>>;

static PARTS: LazyLock<Mutex<Interned>> = LazyLock::new(Mutex::default);
static TEXTS: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
static VALUES: Mutex<Vec<&'static Value>> = Mutex::new(Vec::new());

/// Interns a value for the life of the program. Its `Debug` output must distinguish it from other values of its type.
pub fn keep<T: Debug + Send + Sync + 'static>(made: T) -> &'static T {
    intern(format!("{made:?}"), || Box::leak(Box::new(made)))
}

/// Interns a slice of values, like [`keep`].
pub fn keep_all<T: Debug + Send + Sync + 'static>(all: impl IntoIterator<Item = T>) -> &'static [T] {
    let all: Vec<T> = all.into_iter().collect();
    if all.is_empty() {
        return &[];
    }
    intern(format!("{all:?}"), || Vec::leak(all))
}

/// Interns a string.
pub fn intern_str(text: &str) -> &'static str {
    let mut texts = TEXTS.lock();
    if let Some(kept) = texts.get(text) {
        return kept;
    }
    let kept: &'static str = String::leak(text.to_owned());
    texts.insert(kept);
    kept
}

/// Interns a value. Equal values have the same address.
pub fn intern_value(value: Value) -> &'static Value {
    let mut values = VALUES.lock();
    if let Some(kept) = values.iter().find(|kept| ***kept == value) {
        return kept;
    }
    let kept: &'static Value = Box::leak(Box::new(value));
    values.push(kept);
    kept
}

fn intern<T: ?Sized + Sync + 'static>(text: String, leak: impl FnOnce() -> &'static T) -> &'static T {
    let mut parts = PARTS.lock();
    let slot = parts.entry((TypeId::of::<&'static T>(), text)).or_insert_with(|| Box::new(leak()));
    slot.downcast_ref::<&'static T>().unwrap_or_else(|| unreachable!("the type is a part of the key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interns_equal_parts_once() {
        assert!(std::ptr::eq(intern_str("one text"), intern_str(&String::from("one text"))));
        assert!(std::ptr::eq(keep_all(["a", "b"]), keep_all(vec!["a", "b"])));
        assert!(!std::ptr::eq(keep_all(["a", "b"]), keep_all(["a", "c"])));
        assert!(std::ptr::eq(keep((1, "x")), keep((1, "x"))));
    }

    /// `Debug` output does not distinguish whole numbers from others, nor bytes from each other.
    #[test]
    fn interns_different_values_apart() {
        let bytes = |byte: u8| intern_value(Value::Bytes([byte].into()));
        assert!(std::ptr::eq(bytes(1), bytes(1)));
        assert!(!std::ptr::eq(bytes(1), bytes(2)));
        assert!(!std::ptr::eq(intern_value(Value::Int(1)), intern_value(Value::Float(1.0))));
    }
}
