//! Expressions over resources, built in code.

use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, ResourceId, Scope, Shape, Term, Value};

/// Reads the length of a resource.
#[derive(Debug)]
struct Length {
    references: [Reference; 1],
    /// Compared with this, or formatted as text.
    equals: Option<usize>,
}

impl Deferred for Length {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let value = scope.resolve(&self.references[0])?;
        let shape = if self.equals.is_some() { Shape::Bool } else { Shape::Text };
        if let Some(unknown) = value.first_unknown() {
            return Ok(Value::unknown_of(unknown.waits_for.clone(), Some(shape)));
        }
        Ok(match self.equals {
            Some(length) => Value::Bool(value == Value::Int(length as i64)),
            None => Value::text(format!("it is {value}")),
        })
    }
}

/// A reference to a resource, or to a property of it.
pub(crate) fn reference(target: ResourceId, property: Option<&str>) -> Reference {
    Reference { target, path: property.into_iter().map(Into::into).collect(), place: None }
}

/// `"it is ${note.a.length}"`
pub(crate) fn length_of(target: ResourceId) -> Term {
    length(target, None)
}

/// `note.a.length == n`
pub(crate) fn has_length(target: ResourceId, length_: usize) -> Term {
    length(target, Some(length_))
}

fn length(target: ResourceId, equals: Option<usize>) -> Term {
    Term::Deferred(Arc::new(Length { references: [reference(target, Some("length"))], equals }))
}
