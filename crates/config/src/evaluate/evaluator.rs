//! The evaluator: the value of an expression in a frame.
//!
//! It is recursive; the parser and the budget limit the depth.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic, Name, Reference, Scope, Shape, Value};

use super::budget::Budget;
use super::frame::{Each, Frame};
use super::operation::may_be;
use super::param::Unchecked;
use super::thunk::Forcing;
use super::thunk::References;
use super::undeclared::Undeclared;
use crate::body::Entry;
use crate::instance::{Instance, Universe};
use crate::names::Names;
use crate::source_code::SourceCode;
use crate::token::Span;
use crate::tree::{Content, Item, Items, Literal, Node, NodeId, TreeView};

/// What a value with a mistake waits for. It stays unknown, so that one mistake does not cause another message.
pub(crate) const MISTAKE: &str = "a mistake in the configuration";

/// A value, or the error that prevents it.
pub(crate) type Evaluated = Result<Value, Box<Diagnostic>>;

/// Evaluates expressions, and records the resources that they read.
pub(crate) struct Evaluator<'a> {
    pub(crate) universe: &'a Arc<Universe>,
    /// The source of resource values.
    pub(crate) scope: &'a dyn Scope,
    /// Whether this happens during the run: resource values may be known, and results are not cached.
    pub(crate) at_run: bool,
    pub(crate) budget: &'a Budget,
    pub(super) references: RefCell<References>,
    pub(super) forcing: RefCell<Vec<Forcing>>,
    /// Whether a secret was read since tracking began; none if it is not tracked.
    pub(super) met_secret: Cell<Option<bool>>,
    /// What a postponed error waits for, since observation began.
    pub(super) postponed: RefCell<Option<Name>>,
    /// Named values of this evaluation, by the address of their memo.
    pub(super) run_values: RefCell<FxHashMap<usize, (Evaluated, Option<Name>)>>,
    /// Strings that values and references share.
    names: RefCell<Names>,
    /// Params that were read during the run and are not yet validated.
    pub(super) unchecked: RefCell<Unchecked>,
    pub(super) undeclared: RefCell<Undeclared>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        universe: &'a Arc<Universe>,
        scope: &'a dyn Scope,
        at_run: bool,
        budget: &'a Budget,
    ) -> Self {
        let (references, forcing, met_secret, postponed, run_values) = Default::default();
        let (names, unchecked, undeclared) = Default::default();
        Self {
            universe,
            scope,
            at_run,
            budget,
            references,
            forcing,
            met_secret,
            postponed,
            run_values,
            names,
            unchecked,
            undeclared,
        }
    }

    /// Returns the resources that were read, and resets the list.
    pub(crate) fn take_references(&self) -> Vec<Reference> {
        self.references.take().into_list()
    }

    /// The value of an entry of a body: an attribute, or all blocks of a name.
    pub(crate) fn entry(&self, frame: &Frame<'_>, entry: &Entry) -> Evaluated {
        if entry.more.is_empty() {
            return self.item(frame, &frame.code.item(entry.first));
        }
        let items = entry.items().map(|id| self.item(frame, &frame.code.item(id)));
        Ok(Value::List(items.collect::<Result<_, _>>()?))
    }

    /// The value of all items of an entry, in a tree of their own.
    pub(crate) fn items(&self, frame: &Frame<'_>, items: Items) -> Evaluated {
        let mut ids = items.ids();
        let first = ids.next().unwrap_or_default();
        self.entry(frame, &Entry { first, more: ids.collect() })
    }

    /// The value of an expression whose tree was freed.
    pub(crate) fn again(
        &self,
        instance: &Arc<Instance>,
        code: &Arc<SourceCode>,
        each: Option<&Each>,
        span: Span,
    ) -> Evaluated {
        let (tree, node) = code.parse_expression_again(span);
        let Some(node) = node else { return Ok(Value::unknown(MISTAKE)) };
        self.node(&Frame { each, ..Frame::new(instance, TreeView::new(code, &tree)) }, node)
    }

    /// A shared name.
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

    /// The value of an expression whose node is already decoded.
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

    /// Records that a secret was read.
    pub(super) fn meet_secret(&self) {
        self.met_secret.set(self.met_secret.get().map(|_| true));
    }

    /// The result, and whether a secret was read to compute it: then a failure also reveals something about the secret.
    pub(super) fn tracking_secrets<T>(&self, evaluate: impl FnOnce() -> T) -> (T, bool) {
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

    /// A conditional. If the condition is unknown, both branches are evaluated for their references, and their errors
    /// are postponed.
    fn conditional(&self, frame: &Frame<'_>, condition: NodeId, yes: NodeId, no: NodeId) -> Evaluated {
        let value = self.node(frame, condition)?;
        let chosen = match value.reveal() {
            Value::Bool(true) => self.node(frame, yes)?,
            Value::Bool(false) => self.node(frame, no)?,
            Value::Unknown(unknown) if may_be(value.shape(), Shape::Bool) => {
                let yes = self.speculate(frame, yes, unknown)?;
                let no = self.speculate(frame, no, unknown)?;
                let shape = yes.shape().filter(|shape| no.shape() == Some(*shape));
                self.budget.charge(&yes, || frame.code.place_of(condition))?;
                self.budget.charge(&no, || frame.code.place_of(condition))?;
                let secret = yes.is_sensitive() || no.is_sensitive();
                keep_secret(secret, Value::unknown_of(unknown.waits_for.clone(), shape))
            }
            other => return Err(frame.not_a(condition, Code::ConditionType, other, "true or false")),
        };
        Ok(keep_secret(is_secret(&value), chosen))
    }
}

/// Whether the value is secret as a whole.
pub(super) fn is_secret(value: &Value) -> bool {
    matches!(value, Value::Sensitive(_))
}

/// A value that is computed from a secret is a secret.
pub(super) fn keep_secret(secret: bool, value: Value) -> Value {
    if secret { value.sensitive() } else { value }
}

/// A value that is computed from an unknown one is unknown.
pub(super) fn unknown_like(unknown: &uphold_model::Unknown, shape: impl Into<Option<Shape>>) -> Value {
    Value::unknown_of(unknown.waits_for.clone(), shape.into())
}
