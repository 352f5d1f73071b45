//! The evaluator: what an expression is worth in a frame.
//!
//! It calls itself once a level; the parser and the budget keep levels few.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use uphold_model::{Diagnostic, Name, Reference, Scope, Shape, Value};

use super::budget::Budget;
use super::frame::Frame;
use super::references::References;
use super::thunk::Forcing;
use crate::body::Entry;
use crate::instance::Universe;
use crate::tree::{Content, Item, Node, NodeId, Slice};

/// What a value that could not be read waits for. It stays unknown, so that one mistake makes no second one.
pub(crate) const MISTAKE: &str = "a mistake in the configuration";

/// A value, or why there is none.
pub(crate) type Evaluated = Result<Value, Box<Diagnostic>>;

/// Evaluates expressions, and notes which resources they read.
pub(crate) struct Evaluator<'a> {
    pub(crate) universe: &'a Arc<Universe>,
    /// Who knows the values of resources.
    pub(crate) scope: &'a dyn Scope,
    /// Whether this is later than the reading: values of resources may be known, and what is evaluated is not kept.
    pub(crate) at_run: bool,
    pub(crate) budget: &'a Budget,
    pub(super) references: RefCell<References>,
    pub(super) forcing: RefCell<Vec<Forcing>>,
    /// Whether a secret was met since somebody began to watch; none if nobody does.
    pub(super) met_secret: Cell<Option<bool>>,
    /// Named values of this evaluation, by the address of their memo.
    pub(super) late: RefCell<FxHashMap<usize, Evaluated>>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        universe: &'a Arc<Universe>,
        scope: &'a dyn Scope,
        at_run: bool,
        budget: &'a Budget,
    ) -> Self {
        let (references, forcing, met_secret, late) = Default::default();
        Self { universe, scope, at_run, budget, references, forcing, met_secret, late }
    }

    /// The resources read since this was last asked.
    pub(crate) fn take_references(&self) -> Vec<Reference> {
        self.references.take().into_list()
    }

    /// The value of what was written under one name: an attribute, or all blocks of that name.
    pub(crate) fn entry(&self, frame: &Frame<'_>, entry: &Entry) -> Evaluated {
        let tree = &frame.code.tree;
        if entry.more.is_empty() {
            return self.item(frame, tree.item(entry.first as usize));
        }
        let items = entry.items().map(|id| self.item(frame, tree.item(id)));
        Ok(Value::List(items.collect::<Result<_, _>>()?))
    }

    /// The value of an attribute, or of a nested block as a map.
    pub(crate) fn item(&self, frame: &Frame<'_>, item: &Item) -> Evaluated {
        match item.content {
            Content::Expression(node) => self.node(frame, node),
            Content::Block { items, .. } => self.block(frame, items),
            Content::Broken => Ok(Value::unknown(MISTAKE)),
        }
    }

    fn block(&self, frame: &Frame<'_>, items: Slice) -> Evaluated {
        let entries = Entry::all(&frame.code.tree, items);
        let entries = entries.iter().map(|entry| Ok((entry.name.clone(), self.entry(frame, entry)?)));
        Ok(Value::map(entries.collect::<Result<Vec<(Name, Value)>, Box<Diagnostic>>>()?))
    }

    /// The value of an expression.
    pub(crate) fn node(&self, frame: &Frame<'_>, id: NodeId) -> Evaluated {
        self.budget.spend(1, || frame.code.place_of(id))?;
        if let Node::Known(value) = frame.code.tree.node(id) {
            return Ok(value.clone());
        }
        self.budget.enter(|| frame.code.place_of(id))?;
        let value = self.inner(frame, id);
        self.budget.leave();
        if self.met_secret.get() == Some(false) && value.as_ref().is_ok_and(Value::is_sensitive) {
            self.meet_secret();
        }
        value
    }

    /// Notes that a secret was read, for whoever watches.
    pub(super) fn meet_secret(&self) {
        self.met_secret.set(self.met_secret.get().map(|_| true));
    }

    /// The result, and whether a secret was read on the way to it: then also a failure tells something about it.
    pub(super) fn watching<T>(&self, evaluate: impl FnOnce() -> T) -> (T, bool) {
        let outer = self.met_secret.replace(Some(false));
        let result = evaluate();
        let met = self.met_secret.get() == Some(true);
        self.met_secret.set(outer.map(|before| before || met));
        (result, met)
    }

    fn inner(&self, frame: &Frame<'_>, id: NodeId) -> Evaluated {
        match frame.code.tree.node(id) {
            Node::Known(value) => Ok(value.clone()),
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } => self.path(frame, id),
            Node::Splat { of, each } => self.splat(frame, *of, *each),
            Node::Element => Ok(frame.element.cloned().unwrap_or_default()),
            Node::Not(operand) => self.not(frame, *operand),
            Node::Negative(operand) => self.negative(frame, *operand),
            Node::Binary { operator, left, right } => self.binary(frame, *operator, *left, *right, id),
            Node::Conditional { condition, yes, no } => self.conditional(frame, *condition, *yes, *no),
            Node::Call(number) => self.call(frame, *number, id),
            Node::For(number) => self.for_(frame, *number),
            Node::Template(parts) => self.template(frame, *parts, id),
            Node::List(elements) => self.list(frame, *elements),
            Node::Object(entries) => self.object(frame, *entries),
        }
    }

    /// One of two. If the condition is not known yet, both are evaluated for what they read.
    fn conditional(&self, frame: &Frame<'_>, condition: NodeId, yes: NodeId, no: NodeId) -> Evaluated {
        let value = self.node(frame, condition)?;
        let chosen = match value.reveal() {
            Value::Bool(true) => self.node(frame, yes)?,
            Value::Bool(false) => self.node(frame, no)?,
            Value::Unknown(unknown) => {
                let (yes, no) = (self.node(frame, yes)?, self.node(frame, no)?);
                let shape = yes.shape().filter(|shape| no.shape() == Some(*shape));
                self.budget.look(&yes, || frame.code.place_of(condition))?;
                self.budget.look(&no, || frame.code.place_of(condition))?;
                let secret = yes.is_sensitive() || no.is_sensitive();
                keep_secret(secret, Value::unknown_of(unknown.waits_for.clone(), shape))
            }
            other => return Err(frame.not_a(condition, "condition is not a bool", other, "true or false")),
        };
        Ok(keep_secret(is_secret(&value), chosen))
    }
}

/// Whether this is a secret as a whole.
pub(super) fn is_secret(value: &Value) -> bool {
    matches!(value, Value::Sensitive(_))
}

/// What was computed from a secret is one.
pub(super) fn keep_secret(secret: bool, value: Value) -> Value {
    if secret { value.sensitive() } else { value }
}

/// Something computed from what is not known is not known.
pub(super) fn unknown_like(unknown: &uphold_model::Unknown, shape: impl Into<Option<Shape>>) -> Value {
    Value::unknown_of(unknown.waits_for.clone(), shape.into())
}
