//! Deferred expressions: evaluated during the run, when the resources they refer to are known.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, Scope, Term, Value};

use crate::body::Entry;
use crate::evaluate::{Budget, Env, Evaluator, Frame};
use crate::instance::Universe;
use crate::source_code::SourceCode;
use crate::token::Span;
use crate::tree::TreeView;

/// An expression that refers to resources. It shares the source text and the values of its environment; its tree was
/// freed, and is parsed again when it is evaluated.
pub(crate) struct DeferredExpr {
    universe: Arc<Universe>,
    env: Env,
    code: Arc<SourceCode>,
    what: DeferredPart,
    references: Box<[Reference]>,
    optional: bool,
}

/// The part of a source that is evaluated.
pub(crate) enum DeferredPart {
    /// The item that starts at this byte.
    Item(u32),
    /// The blocks of one name, which start at these bytes.
    Items(Box<[u32]>),
    /// One expression.
    Expression(Span),
    /// An output, by number.
    Output(u32),
}

impl DeferredPart {
    /// An entry of a block's body.
    pub(crate) fn entry(code: TreeView<'_>, entry: &Entry) -> Self {
        let start = |id| code.item(id).name.start;
        if entry.more.is_empty() {
            DeferredPart::Item(start(entry.first))
        } else {
            DeferredPart::Items(entry.items().map(start).collect())
        }
    }
}

impl DeferredExpr {
    pub(crate) fn new(
        universe: &Arc<Universe>,
        env: &Env,
        code: &Arc<SourceCode>,
        what: DeferredPart,
        references: Vec<Reference>,
    ) -> Self {
        let (universe, env, code) = (universe.clone(), env.clone(), code.clone());
        Self { universe, env, code, what, references: references.into(), optional: false }
    }

    /// The same, but null leaves the property unset.
    pub(crate) fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// The value, if it read no resource; otherwise the deferred expression.
    pub(crate) fn unless_final(self, value: Value) -> Term {
        if self.references.is_empty() { Term::Known(value) } else { self.into() }
    }
}

impl From<DeferredExpr> for Term {
    fn from(deferred: DeferredExpr) -> Self {
        Term::Deferred(Arc::new(deferred))
    }
}

/// Prints only the references: the tree contains literals that may be secrets.
impl fmt::Debug for DeferredExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.references.iter().map(Reference::to_string)).finish()
    }
}

impl Deferred for DeferredExpr {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let budget = Budget::default();
        let evaluator = Evaluator::new(&self.universe, scope, true, &budget);
        let instance = self.universe.instance(self.env.instance);
        let items = |starts: &[u32]| {
            let tree = self.code.parse_again(starts);
            let frame = Frame::inside(&instance, TreeView::new(&self.code, &tree), &self.env);
            evaluator.items(&frame, tree.root)
        };
        let value = match &self.what {
            DeferredPart::Item(start) => items(&[*start]),
            DeferredPart::Items(starts) => items(starts),
            DeferredPart::Expression(span) => {
                evaluator.again(&instance, &self.code, self.env.each.as_deref(), *span)
            }
            DeferredPart::Output(number) => evaluator.output(&instance, *number as usize),
        };
        // A param that breaks its validation may be the cause of any other problem.
        evaluator.check_params().and(value).map_err(|problem| *problem)
    }

    fn is_optional(&self) -> bool {
        self.optional
    }
}

/// A conjunction: all of these must be true.
#[derive(Debug)]
pub(crate) struct AllOf {
    terms: Vec<Term>,
    references: Vec<Reference>,
}

impl AllOf {
    pub(crate) fn new(terms: Vec<Term>) -> Self {
        let references = terms.iter().flat_map(Term::references).cloned().collect();
        Self { terms, references }
    }
}

impl Deferred for AllOf {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let mut answer = Value::Bool(true);
        for term in &self.terms {
            let value = term.evaluate(scope)?;
            match value.reveal() {
                Value::Bool(true) => {}
                Value::Unknown(_) => answer = value,
                // False decides; the reader reports a value that is not a bool.
                _ => return Ok(value),
            }
        }
        Ok(answer)
    }
}
