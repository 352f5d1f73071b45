//! Frames: the meaning of names at one place, and the steps of a path.

use std::ops::Deref;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Reference, Value};

use super::path::{Step, StepName, StepTo};
use crate::instance::{Instance, InstanceId};
use crate::token::Span;
use crate::tree::{Literal, Node, NodeId, TreeView};

/// The environment of a block: its module call and its element of `for_each`.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    pub(crate) instance: InstanceId,
    pub(crate) each: Option<Arc<Each>>,
}

/// One element of a `for_each`.
#[derive(Debug)]
pub(crate) struct Each {
    pub(crate) key: Name,
    pub(crate) value: EachValue,
}

/// The value of an element.
#[derive(Debug)]
pub(crate) enum EachValue {
    Known(Value),
    /// The element was not fully known: the expression at this span is evaluated again, and the element selected by its
    /// key.
    Deferred {
        span: Span,
        /// Its value when the configuration was read; unknown parts name what they wait for.
        now: Value,
        references: Arc<[Reference]>,
    },
}

/// The names that are visible while one expression is evaluated. Looked up, never copied.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'f> {
    pub(crate) instance: &'f Arc<Instance>,
    pub(crate) code: TreeView<'f>,
    pub(crate) each: Option<&'f Each>,
    pub(crate) variables: Option<&'f Variable<'f>>,
    /// The current element of the enclosing splat.
    pub(crate) element: Option<&'f Value>,
}

/// A loop variable, and those of the enclosing loops.
pub(crate) struct Variable<'f> {
    pub(crate) name: &'f str,
    pub(crate) value: Value,
    pub(crate) outer: Option<&'f Variable<'f>>,
}

impl<'f> Frame<'f> {
    /// A frame outside of all loops.
    pub(crate) fn new(instance: &'f Arc<Instance>, code: TreeView<'f>) -> Self {
        Self { instance, code, each: None, variables: None, element: None }
    }

    /// A frame inside a block with this environment.
    pub(crate) fn inside(instance: &'f Arc<Instance>, code: TreeView<'f>, env: &'f Env) -> Self {
        Self { each: env.each.as_deref(), ..Self::new(instance, code) }
    }

    /// The variable of this name.
    pub(crate) fn variable(&self, name: &str) -> Option<&'f Value> {
        let mut next = self.variables;
        while let Some(variable) = next {
            if variable.name == name {
                return Some(&variable.value);
            }
            next = variable.outer;
        }
        None
    }

    /// The root of a path, and its steps.
    pub(crate) fn steps(&self, id: NodeId) -> (NodeId, Steps<'f>) {
        let (root, _, steps) = self.steps_to(id, self.code.node(id));
        (root, steps)
    }

    /// Like [`Frame::steps`], for a node that is already decoded; also returns the root's node.
    pub(crate) fn steps_to(&self, id: NodeId, node: Node<'f>) -> (NodeId, Node<'f>, Steps<'f>) {
        let mut steps = Steps::of(id);
        let (mut at, mut node) = (id, node);
        loop {
            let (of, what) = match node {
                Node::Field { of, name } => (of, StepTo::Field(name)),
                Node::Index { of, index } => (of, StepTo::Index(index)),
                _ => break,
            };
            steps.push(Step { at, what });
            (at, node) = (of, self.code.node(of));
        }
        steps.reverse();
        (at, node, steps)
    }

    /// The name of a step, if it is literal.
    pub(super) fn written_out(&self, step: &Step<'f>) -> Option<StepName<'f>> {
        match step.what {
            StepTo::Field(name) => Some(StepName::Written(name)),
            StepTo::Index(index) => match self.code.node(index) {
                Node::Known(Literal::Text(name)) => Some(StepName::Written(name)),
                Node::Known(Literal::Int(number)) => Some(StepName::Computed(number.to_string().into())),
                _ => None,
            },
        }
    }

    pub(crate) fn not_a(&self, at: NodeId, code: Code, found: &Value, wanted: &str) -> Box<Diagnostic> {
        let detail = format!("this is {}, not {wanted}", found.type_name());
        let error = Diagnostic::new(code, detail).at(self.code.place_of(at));
        Box::new(match (found, wanted) {
            (Value::Null, _) => error.fix("give it a value, or replace null: `x == null ? … : …`"),
            (Value::Text(_), "a number") => error.fix("turn it into a number: `tonumber(…)`"),
            (Value::Text(text), "true or false") if matches!(self.code.node(at), Node::Known(_)) => error
                .fix(match &*text.to_lowercase() {
                    "true" | "yes" | "on" => "write `true`, without quotes",
                    "false" | "no" | "off" => "write `false`, without quotes",
                    _ => "remove the quotes: it is an expression, such as `host.os.family == \"debian\"`",
                }),
            (Value::Text(_), "true or false") => {
                error.fix("turn it into a bool: `tobool(…)`, or compare it: `x == \"yes\"`")
            }
            (Value::Int(_) | Value::Float(_), "true or false") => error.fix("compare it: `x > 0`"),
            _ => error.fix(format!("use {wanted} here")),
        })
    }

    pub(crate) fn error(
        &self,
        at: NodeId,
        code: Code,
        detail: impl Into<String>,
        fix: impl Into<String>,
    ) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, detail).at(self.code.place_of(at)).fix(fix))
    }
}

/// The number of steps that are stored without an allocation.
const FEW: usize = 4;

/// The steps of a path. Only long paths, which are rare, allocate a list.
pub(crate) struct Steps<'t> {
    few: [Step<'t>; FEW],
    count: usize,
    /// All steps, if they are more than `FEW`.
    many: Vec<Step<'t>>,
}

impl<'t> Steps<'t> {
    /// No steps yet; `path` is the whole path.
    pub(super) fn of(path: NodeId) -> Self {
        Self { few: [Step { at: path, what: StepTo::Index(path) }; FEW], count: 0, many: Vec::new() }
    }

    pub(super) fn push(&mut self, step: Step<'t>) {
        if self.count < FEW {
            self.few[self.count] = step;
        } else {
            if self.many.is_empty() {
                self.many.extend(self.few);
            }
            self.many.push(step);
        }
        self.count += 1;
    }

    pub(super) fn reverse(&mut self) {
        self.many.reverse();
        self.few[..self.count.min(FEW)].reverse();
    }
}

impl<'t> Deref for Steps<'t> {
    type Target = [Step<'t>];

    fn deref(&self) -> &[Step<'t>] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
