//! The evaluator: what an expression is worth in a frame.
//!
//! It calls itself once a level; the parser and the budget keep levels few.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic, Name, Reference, Scope, Shape, Value};

use super::budget::Budget;
use super::frame::{Each, Frame};
use super::operation::may_be;
use super::param::Unchecked;
use super::references::References;
use super::thunk::Forcing;
use crate::body::Entry;
use crate::instance::{Instance, Universe};
use crate::names::Names;
use crate::source_code::SourceCode;
use crate::token::Span;
use crate::tree::{Content, Item, Items, Literal, Node, NodeId, Passage};

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
    /// What an error waits for that was postponed since somebody began to observe.
    pub(super) postponed: RefCell<Option<Name>>,
    /// Named values of this evaluation, by the address of their memo.
    pub(super) late: RefCell<FxHashMap<usize, (Evaluated, Option<Name>)>>,
    /// Words that values and references share.
    names: RefCell<Names>,
    /// In a run, params that were read and are not checked.
    pub(super) unchecked: RefCell<Unchecked>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        universe: &'a Arc<Universe>,
        scope: &'a dyn Scope,
        at_run: bool,
        budget: &'a Budget,
    ) -> Self {
        let (references, forcing, met_secret, postponed, late, names, unchecked) = Default::default();
        Self {
            universe,
            scope,
            at_run,
            budget,
            references,
            forcing,
            met_secret,
            postponed,
            late,
            names,
            unchecked,
        }
    }

    /// The resources read since this was last asked.
    pub(crate) fn take_references(&self) -> Vec<Reference> {
        self.references.take().into_list()
    }

    /// The value of what was written under one name: an attribute, or all blocks of that name.
    pub(crate) fn entry(&self, frame: &Frame<'_>, entry: &Entry) -> Evaluated {
        if entry.more.is_empty() {
            return self.item(frame, &frame.code.item(entry.first));
        }
        let items = entry.items().map(|id| self.item(frame, &frame.code.item(id)));
        Ok(Value::List(items.collect::<Result<_, _>>()?))
    }

    /// The same for all items that an entry has, in a tree of their own.
    pub(crate) fn items(&self, frame: &Frame<'_>, items: Items) -> Evaluated {
        let mut ids = items.ids();
        let first = ids.next().unwrap_or_default();
        self.entry(frame, &Entry { first, more: ids.collect() })
    }

    /// The value of an expression whose tree is gone.
    pub(crate) fn again(
        &self,
        instance: &Arc<Instance>,
        code: &Arc<SourceCode>,
        each: Option<&Each>,
        span: Span,
    ) -> Evaluated {
        let (tree, node) = code.parse_expression_again(span);
        let Some(node) = node else { return Ok(Value::unknown(MISTAKE)) };
        self.node(&Frame { each, ..Frame::new(instance, Passage::new(code, &tree)) }, node)
    }

    /// A name that others may have, too.
    pub(crate) fn name(&self, word: &str) -> Name {
        self.names.borrow_mut().get(word)
    }

    fn literal(&self, literal: Literal<'_>) -> Value {
        match literal {
            Literal::Text(text) => Value::Text(self.names.borrow_mut().text(text)),
            other => other.value(),
        }
    }

    /// The value of an attribute, or of a nested block as a map.
    pub(crate) fn item(&self, frame: &Frame<'_>, item: &Item<'_>) -> Evaluated {
        match item.content {
            Content::Expression(node) => self.node(frame, node),
            Content::Block { items, .. } => self.block(frame, items),
            Content::Broken => Ok(Value::unknown(MISTAKE)),
        }
    }

    fn block(&self, frame: &Frame<'_>, items: Items) -> Evaluated {
        let entries = Entry::all(frame.code, items);
        let entry = |entry: &Entry| Ok((self.name(entry.name(frame.code)), self.entry(frame, entry)?));
        let entries = entries.iter().map(entry);
        Ok(Value::map(entries.collect::<Result<Vec<(Name, Value)>, Box<Diagnostic>>>()?))
    }

    /// The value of an expression.
    pub(crate) fn node(&self, frame: &Frame<'_>, id: NodeId) -> Evaluated {
        self.read(frame, id, frame.code.node(id))
    }

    /// The same of an expression that was looked at already.
    pub(super) fn read<'f>(&self, frame: &Frame<'f>, id: NodeId, node: Node<'f>) -> Evaluated {
        self.budget.spend(1, || frame.code.place_of(id))?;
        if let Node::Known(literal) = node {
            return Ok(self.literal(literal));
        }
        self.budget.enter(|| frame.code.place_of(id))?;
        let value = self.inner(frame, id, node);
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

    fn inner<'f>(&self, frame: &Frame<'f>, id: NodeId, node: Node<'f>) -> Evaluated {
        match node {
            Node::Known(literal) => Ok(self.literal(literal)),
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } => self.path(frame, id, node),
            Node::Splat { of, each } => self.splat(frame, of, each),
            Node::Element => Ok(frame.element.cloned().unwrap_or_default()),
            Node::Not(operand) => self.not(frame, operand),
            Node::Negative(operand) => self.negative(frame, operand),
            Node::Binary { .. } => self.binary(frame, id, node),
            Node::Conditional { condition, yes, no } => self.conditional(frame, condition, yes, no),
            Node::Call(call) => self.call(frame, &call, id),
            Node::For(id) => self.for_(frame, &frame.code.loop_(id)),
            Node::Template(parts) => self.template(frame, parts, id),
            Node::List(elements) => self.list(frame, elements),
            Node::Object(entries) => self.object(frame, entries),
        }
    }

    /// One of two. If the condition is not known yet, both are evaluated for what they read, and their errors wait.
    fn conditional(&self, frame: &Frame<'_>, condition: NodeId, yes: NodeId, no: NodeId) -> Evaluated {
        let value = self.node(frame, condition)?;
        let chosen = match value.reveal() {
            Value::Bool(true) => self.node(frame, yes)?,
            Value::Bool(false) => self.node(frame, no)?,
            Value::Unknown(unknown) if may_be(value.shape(), Shape::Bool) => {
                let yes = self.speculate(frame, yes, unknown)?;
                let no = self.speculate(frame, no, unknown)?;
                let shape = yes.shape().filter(|shape| no.shape() == Some(*shape));
                self.budget.look(&yes, || frame.code.place_of(condition))?;
                self.budget.look(&no, || frame.code.place_of(condition))?;
                let secret = yes.is_sensitive() || no.is_sensitive();
                keep_secret(secret, Value::unknown_of(unknown.waits_for.clone(), shape))
            }
            other => return Err(frame.not_a(condition, Code::ConditionType, other, "true or false")),
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
