//! Waiting: expressions over resources, evaluated when their turn comes.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Deferred, Diagnostic, Reference, Scope, Value};

use crate::body::Entry;
use crate::code::Code;
use crate::evaluate::{Budget, Env, Evaluator, Frame};
use crate::instance::Universe;
use crate::tree::NodeId;

/// An expression that waits for resources. Shares the tree of its source and the values around it.
pub(crate) struct Waiting {
    universe: Arc<Universe>,
    env: Env,
    code: Arc<Code>,
    what: What,
    references: Box<[Reference]>,
}

/// What is evaluated.
enum What {
    Entry(Entry),
    Node(NodeId),
    Output(usize),
}

impl Waiting {
    /// What stands under one name in a block.
    pub(crate) fn entry(
        universe: Arc<Universe>,
        env: Env,
        code: Arc<Code>,
        entry: Entry,
        references: Vec<Reference>,
    ) -> Self {
        Self { universe, env, code, what: What::Entry(entry), references: references.into() }
    }

    /// One expression.
    pub(crate) fn node(
        universe: Arc<Universe>,
        env: Env,
        code: Arc<Code>,
        node: NodeId,
        references: Vec<Reference>,
    ) -> Self {
        Self { universe, env, code, what: What::Node(node), references: references.into() }
    }

    /// An output.
    pub(crate) fn output(
        universe: Arc<Universe>,
        env: Env,
        code: Arc<Code>,
        number: usize,
        references: Vec<Reference>,
    ) -> Self {
        Self { universe, env, code, what: What::Output(number), references: references.into() }
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
        let frame = Frame { each: self.env.each.as_deref(), ..Frame::new(&instance, &self.code) };
        let value = match &self.what {
            What::Entry(entry) => evaluator.entry(&frame, entry),
            What::Node(node) => evaluator.node(&frame, *node),
            What::Output(number) => evaluator.output(&instance, *number),
        };
        value.map_err(|problem| *problem)
    }
}

/// All of these must hold.
#[derive(Debug)]
pub(crate) struct AllOf {
    terms: Vec<uphold_model::Term>,
    references: Vec<Reference>,
}

impl AllOf {
    pub(crate) fn new(terms: Vec<uphold_model::Term>) -> Self {
        let references = terms.iter().flat_map(uphold_model::Term::references).cloned().collect();
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
