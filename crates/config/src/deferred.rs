//! Waiting: expressions over resources, evaluated when their turn comes.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, Scope, Term, Value};

use crate::body::Entry;
use crate::evaluate::{Budget, Env, Evaluator, Frame};
use crate::instance::Universe;
use crate::source_code::SourceCode;
use crate::token::Span;
use crate::tree::Passage;

/// An expression that waits for resources. Shares the text of its source and the values around it: its tree is gone by
/// then, and is made again when its turn comes.
pub(crate) struct Waiting {
    universe: Arc<Universe>,
    env: Env,
    code: Arc<SourceCode>,
    what: Late,
    references: Box<[Reference]>,
    optional: bool,
}

/// What is evaluated.
pub(crate) enum Late {
    /// The item that begins at this byte.
    Item(u32),
    /// The blocks of one name that begin at these bytes.
    Items(Box<[u32]>),
    /// One expression.
    Expression(Span),
    /// An output, by its number.
    Output(u32),
}

impl Late {
    /// What stands under one name in a block.
    pub(crate) fn entry(code: Passage<'_>, entry: &Entry) -> Self {
        let start = |id| code.item(id).name.start;
        match entry.more.is_empty() {
            true => Late::Item(start(entry.first)),
            false => Late::Items(entry.items().map(start).collect()),
        }
    }
}

impl Waiting {
    pub(crate) fn new(
        universe: &Arc<Universe>,
        env: &Env,
        code: &Arc<SourceCode>,
        what: Late,
        references: Vec<Reference>,
    ) -> Self {
        let (universe, env, code) = (universe.clone(), env.clone(), code.clone());
        Self { universe, env, code, what, references: references.into(), optional: false }
    }

    /// The same, where null means that nothing is set.
    pub(crate) fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// The value that was found, if it read no resource; else it is evaluated again later.
    pub(crate) fn unless_final(self, value: Value) -> Term {
        if self.references.is_empty() { Term::Known(value) } else { self.into() }
    }
}

impl From<Waiting> for Term {
    fn from(waiting: Waiting) -> Self {
        Term::Deferred(Arc::new(waiting))
    }
}

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
        let budget = Budget::default();
        let evaluator = Evaluator::new(&self.universe, scope, true, &budget);
        let instance = self.universe.instance(self.env.instance);
        let items = |starts: &[u32]| {
            let tree = self.code.parse_again(starts);
            let frame = Frame::inside(&instance, Passage::new(&self.code, &tree), &self.env);
            evaluator.items(&frame, tree.root)
        };
        let value = match &self.what {
            Late::Item(start) => items(&[*start]),
            Late::Items(starts) => items(starts),
            Late::Expression(span) => evaluator.again(&instance, &self.code, self.env.each.as_deref(), *span),
            Late::Output(number) => evaluator.output(&instance, *number as usize),
        };
        // A param that breaks its validation may be the reason for any other problem.
        evaluator.check_params().and(value).map_err(|problem| *problem)
    }

    fn is_optional(&self) -> bool {
        self.optional
    }
}

/// All of these must hold.
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
                // False decides; what is no bool is told by who asked.
                _ => return Ok(value),
            }
        }
        Ok(answer)
    }
}
