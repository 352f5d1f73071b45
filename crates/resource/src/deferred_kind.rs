//! A kind whose properties are asked for at its first use.

use std::sync::{Arc, OnceLock};

use uphold_model::Schema;

use crate::defined::Definition;
use crate::registry::Kind;

/// Why a kind that a file describes is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableKind {
    /// What is wrong, and where.
    pub reason: String,
    /// What to do about it.
    pub fix: String,
}

type Define = dyn Fn() -> Result<Arc<dyn Definition>, UnusableKind> + Send + Sync;

/// A kind that is defined when a resource needs it, because defining it runs a program. Clones share the outcome.
#[derive(Clone)]
pub struct DeferredKind(Arc<Deferred>);

struct Deferred {
    outline: Kind,
    define: Option<Box<Define>>,
    defined: OnceLock<Result<Kind, UnusableKind>>,
}

impl DeferredKind {
    /// A kind with this outline, which the file describes. It is never defined unless [`DeferredKind::defined_by`] is
    /// given: its resources are not checked then.
    pub fn new(outline: &'static Schema, file: &str) -> Self {
        let outline = Kind::outline(outline).in_file(Some(file.into()));
        Self(Arc::new(Deferred { outline, define: None, defined: OnceLock::new() }))
    }

    /// The same kind, defined by this function at its first use.
    #[must_use]
    pub fn defined_by(
        self,
        define: impl Fn() -> Result<Arc<dyn Definition>, UnusableKind> + Send + Sync + 'static,
    ) -> Self {
        let outline = self.0.outline.clone();
        Self(Arc::new(Deferred { outline, define: Some(Box::new(define)), defined: OnceLock::new() }))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.0.outline.schema().kind
    }

    pub(crate) fn outline(&self) -> &Kind {
        &self.0.outline
    }

    /// The kind, defined now unless it was before; its outline if that is not allowed, and none if it fails.
    pub(crate) fn kind(&self) -> Option<&Kind> {
        let Some(define) = &self.0.define else { return Some(&self.0.outline) };
        let file = || self.0.outline.defined_in().map(Arc::from);
        let attempt = || {
            let kind = define().and_then(|definition| {
                Kind::defined(definition).map_err(|error| UnusableKind {
                    reason: error.to_string(),
                    fix: "correct what its program prints".to_owned(),
                })
            });
            kind.map(|kind| kind.in_file(file()))
        };
        self.0.defined.get_or_init(attempt).as_ref().ok()
    }

    /// What is known without asking: the kind if it was defined, else its outline.
    pub(crate) fn known(&self) -> &Kind {
        self.0.defined.get().and_then(|defined| defined.as_ref().ok()).unwrap_or(&self.0.outline)
    }

    /// Why it could not be defined.
    pub(crate) fn failure(&self) -> Option<&UnusableKind> {
        self.0.defined.get()?.as_ref().err()
    }
}
