//! Parts of values that become known during the run.

use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Name, Reference, Scope, Term, Value};

/// A part of a deferred value.
#[derive(Debug)]
pub(super) struct Part {
    whole: Term,
    step: Step,
}

#[derive(Debug)]
enum Step {
    Element(usize),
    Field(Name),
}

impl Part {
    /// Element `at` of a list whose current value is `now`.
    pub(super) fn element(whole: &Term, now: &Value, at: usize) -> Term {
        Self::of(whole, now, Step::Element(at))
    }

    /// A field of a map whose current value is `now`.
    pub(super) fn field(whole: &Term, now: &Value, name: &str) -> Term {
        Self::of(whole, now, Step::Field(name.into()))
    }

    fn of(whole: &Term, now: &Value, step: Step) -> Term {
        match whole {
            Term::Known(_) => Term::Known(now.clone()),
            Term::Deferred(_) => Term::Deferred(Arc::new(Part { whole: whole.clone(), step })),
        }
    }
}

impl Deferred for Part {
    fn references(&self) -> &[Reference] {
        self.whole.references()
    }

    /// A part that no longer exists is null, which its reader rejects.
    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let whole = self.whole.evaluate(scope)?;
        let part = match (whole.reveal(), &self.step) {
            (Value::Unknown(_), _) => return Ok(whole),
            (Value::List(items), Step::Element(at)) => items.get(*at).cloned(),
            (Value::Map(map), Step::Field(name)) => map.get(name).cloned(),
            _ => None,
        };
        let part = part.unwrap_or_default();
        Ok(if matches!(whole, Value::Sensitive(_)) { part.sensitive() } else { part })
    }
}
