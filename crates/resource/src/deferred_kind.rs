//! A kind that is defined at its first use.

use std::sync::{Arc, OnceLock};

use uphold_model::Schema;

use crate::defined::Definition;
use crate::registry::Kind;

/// The reason why a kind that a file describes cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableKind {
    /// The failure, with its location.
    pub reason: String,
    /// A fix for it.
    pub fix: String,
}

type Define = dyn Fn() -> Result<Arc<dyn Definition>, UnusableKind> + Send + Sync;

/// A kind that is defined when a resource first uses it, because that runs a program. Clones share the outcome.
#[derive(Clone)]
pub struct DeferredKind(Arc<Deferred>);

struct Deferred {
    outline: Kind,
    define: Option<Box<Define>>,
    defined: OnceLock<Result<Kind, UnusableKind>>,
}

impl DeferredKind {
    /// A kind with this outline, described by `file`. Without [`DeferredKind::defined_by`] it stays an outline, and its
    /// resources are not checked.
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

    /// The kind, which is defined now if it was not yet. Its outline if no program may run; `None` if defining it fails.
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

    /// The kind if it was defined already, else its outline. Runs no program.
    pub(crate) fn known(&self) -> &Kind {
        self.0.defined.get().and_then(|defined| defined.as_ref().ok()).unwrap_or(&self.0.outline)
    }

    /// The reason why it could not be defined.
    pub(crate) fn failure(&self) -> Option<&UnusableKind> {
        self.0.defined.get()?.as_ref().err()
    }
}
