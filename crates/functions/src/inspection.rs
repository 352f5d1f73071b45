//! Inspecting whole values for unknown and secret parts, with a limit on their size.

use std::sync::Arc;

use uphold_model::{Name, Value};

use crate::bounds::{DEEPEST, MOST_PARTS, too_deep};
use crate::call::Fault;

/// The result of inspecting values.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    /// What the first unknown part waits for.
    pub(crate) unknown: Option<Name>,
    /// Whether a part is secret.
    pub(crate) secret: bool,
    parts: usize,
}

impl Inspection {
    /// Inspects every part of `values`.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Result<Self, Fault> {
        let mut inspection = Self::default();
        values.into_iter().try_for_each(|value| inspection.visit(value, 0))?;
        Ok(inspection)
    }

    fn visit(&mut self, value: &Value, depth: usize) -> Result<(), Fault> {
        self.parts += 1;
        if depth > DEEPEST {
            return Err(too_deep());
        }
        if self.parts > MOST_PARTS {
            return Err(Fault::new(format!("the arguments have more than {MOST_PARTS} parts")));
        }
        match value {
            Value::List(items) => items.iter().try_for_each(|item| self.visit(item, depth + 1)),
            Value::Map(map) => map.values().try_for_each(|item| self.visit(item, depth + 1)),
            Value::Sensitive(inner) => {
                self.secret = true;
                self.visit(inner, depth + 1)
            }
            Value::Unknown(unknown) => {
                self.unknown.get_or_insert_with(|| unknown.waits_for.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The same value without secrets. The value must have been inspected first.
pub(crate) fn revealed(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => revealed(inner),
        Value::List(items) => Value::List(items.iter().map(revealed).collect()),
        Value::Map(map) => {
            Value::Map(Arc::new(map.iter().map(|(key, item)| (key.clone(), revealed(item))).collect()))
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_and_repeated_values_are_rejected() {
        let nest = |levels| (0..levels).fold(Value::Null, |inner, _| Value::list([inner]));
        assert!(Inspection::of([&nest(DEEPEST)]).is_ok());
        assert!(Inspection::of([&nest(DEEPEST + 1)]).is_err());
        let laughs = (0..40).fold(Value::Null, |inner, _| Value::list([inner.clone(), inner]));
        assert!(Inspection::of([&laughs]).is_err());
    }

    #[test]
    fn nested_secrets_and_unknowns_are_found() {
        let value = Value::list([Value::map([("a", Value::unknown("x.y").sensitive())])]);
        let inspection = Inspection::of([&value, &Value::unknown("later")]).unwrap_or_default();
        assert_eq!(inspection.unknown.as_deref(), Some("x.y"));
        assert!(inspection.secret);
    }
}
