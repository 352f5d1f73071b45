//! Expressions that wait for resources, and those that need not.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, Scope, SourceId, Term, Value};

use crate::evaluate::Evaluator;
use crate::tree::{Item, Tree};

/// An attribute or some blocks of one name, to be evaluated when their turn comes. Shares the tree of its source.
struct Waiting {
    tree: Arc<Tree>,
    source: SourceId,
    items: Vec<ItemId>,
    references: Vec<Reference>,
}

/// Number of an item of a tree.
pub(crate) type ItemId = usize;

/// Only what it waits for: the tree holds literals that may be secrets.
impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.references.iter().map(Reference::to_string)).finish()
    }
}

impl Deferred for Waiting {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        evaluate(&self.tree, self.source, &self.items, scope)
    }
}

/// Nothing is known: for expressions without references, which ask for nothing.
struct Nothing;

impl Scope for Nothing {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        Ok(Value::unknown(reference.to_string()))
    }
}

/// The value of these items of one name: at once, unless they refer to anything.
pub(crate) fn term(tree: &Arc<Tree>, source: SourceId, items: Vec<ItemId>) -> Result<Term, Diagnostic> {
    let references = tree.references_in(items.iter().map(|&id| tree.item(id).references));
    if references.is_empty() {
        return evaluate(tree, source, &items, &Nothing).map(Term::Known);
    }
    Ok(Term::Deferred(Arc::new(Waiting { tree: tree.clone(), source, items, references })))
}

fn evaluate(tree: &Tree, source: SourceId, ids: &[ItemId], scope: &dyn Scope) -> Result<Value, Diagnostic> {
    let items: Vec<&Item> = ids.iter().map(|&id| tree.item(id)).collect();
    Evaluator { tree, source, scope }.repeated(&items)
}
