//! What an optional edit leaves as it was declared.

use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, Scope, Term, Value};

/// The value of an optional edit, or what was set before if that is null.
#[derive(Debug)]
pub(crate) struct OrElse {
    first: Term,
    second: Term,
    references: Box<[Reference]>,
}

impl OrElse {
    pub(crate) fn new(first: Term, second: Term) -> Self {
        let references = first.references().iter().chain(second.references()).cloned().collect();
        Self { first, second, references }
    }
}

impl From<OrElse> for Term {
    fn from(terms: OrElse) -> Self {
        Term::Deferred(Arc::new(terms))
    }
}

impl Deferred for OrElse {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let value = self.first.evaluate(scope)?;
        if *value.reveal() == Value::Null { self.second.evaluate(scope) } else { Ok(value) }
    }

    fn is_optional(&self) -> bool {
        self.second.is_optional()
    }
}
