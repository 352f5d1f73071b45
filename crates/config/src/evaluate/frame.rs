//! Frames: what names mean at one place.

use std::sync::Arc;

use uphold_model::{Name, Value};

use crate::code::Code;
use crate::instance::{Instance, InstanceId};
use crate::tree::NodeId;

/// Where a block stands: in which call of a module, and for which element of its `for_each`.
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
    /// It is not wholly known: this expression is evaluated again, and the element taken out by its key.
    Late(NodeId),
}

/// What names mean while one expression is evaluated. Looked up, never copied.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'f> {
    pub(crate) instance: &'f Arc<Instance>,
    pub(crate) code: &'f Code,
    pub(crate) each: Option<&'f Each>,
    pub(crate) variables: Option<&'f Variable<'f>>,
    /// What the splat around is looking at.
    pub(crate) element: Option<&'f Value>,
}

/// A variable of a loop, and those of the loops around.
pub(crate) struct Variable<'f> {
    pub(crate) name: &'f str,
    pub(crate) value: Value,
    pub(crate) outer: Option<&'f Variable<'f>>,
}

impl<'f> Frame<'f> {
    /// Outside of all loops.
    pub(crate) fn new(instance: &'f Arc<Instance>, code: &'f Code) -> Self {
        Self { instance, code, each: None, variables: None, element: None }
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
}
