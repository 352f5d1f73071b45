//! Expressions over resources, built in code.

use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Name, Place, Reference, ResourceId, Scope, Shape, Term, Value};

/// The result of an expression from the value that it reads.
#[derive(Clone, Debug)]
enum Form {
    Itself,
    Template,
    Equals(Value),
    Try(Value),
    Secret,
}

/// Reads one value of one resource.
#[derive(Clone, Debug)]
struct Expression {
    references: [Reference; 1],
    form: Form,
}

impl Deferred for Expression {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let read = scope.resolve(&self.references[0]);
        if let (Err(_), Form::Try(instead)) = (&read, &self.form) {
            return Ok(instead.clone());
        }
        let value = read?;
        let later =
            |shape| value.first_unknown().map(|u| Value::unknown_of(u.waits_for.clone(), Some(shape)));
        Ok(match &self.form {
            Form::Itself | Form::Try(_) => value,
            Form::Secret => value.sensitive(),
            Form::Template => later(Shape::Text).unwrap_or_else(|| Value::text(format!("it is {value}"))),
            Form::Equals(other) => later(Shape::Bool).unwrap_or_else(|| Value::Bool(value == *other)),
        })
    }
}

/// A reference to `path` of a resource, written at `place`.
pub(crate) fn reference(target: &ResourceId, path: &str, place: u32) -> Reference {
    let path = path.split('.').filter(|step| !step.is_empty()).map(Name::from).collect();
    Reference { target: target.clone(), path, place: Some(place_at(place)) }
}

/// A place that prints as `@start`.
pub(crate) fn place_at(start: u32) -> Place {
    Place { source: uphold_model::SourceId::FIRST, start, end: start + 1 }
}

fn term(target: &ResourceId, path: &str, form: Form) -> Term {
    Term::Deferred(Arc::new(Expression { references: [reference(target, path, 900)], form }))
}

/// `note.a.length`
pub(crate) fn read(target: &ResourceId, path: &str) -> Term {
    term(target, path, Form::Itself)
}

/// `"it is ${note.a.length}"`
pub(crate) fn template(target: &ResourceId, path: &str) -> Term {
    term(target, path, Form::Template)
}

/// `note.a.length == 5`
pub(crate) fn equals(target: &ResourceId, path: &str, value: impl Into<Value>) -> Term {
    term(target, path, Form::Equals(value.into()))
}

/// `try(note.a.length, 5)`
pub(crate) fn attempt(target: &ResourceId, path: &str, instead: impl Into<Value>) -> Term {
    term(target, path, Form::Try(instead.into()))
}

/// `sensitive(note.a.length)`
pub(crate) fn secret(target: &ResourceId, path: &str) -> Term {
    term(target, path, Form::Secret)
}
