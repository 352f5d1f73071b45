//! References to resources that no block declares.
//!
//! The engine reports them where a term keeps its references. A condition or a collection that is known before the run
//! keeps none, so its references are checked here.

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic, Place, Reference, ResourceId, Value};

use super::evaluator::Evaluator;
use super::frame::Frame;
use crate::instance::InstanceId;
use crate::tree::NodeId;

/// The undeclared resources that were read, with the instance that would declare them.
pub(super) type Undeclared = FxHashMap<ResourceId, InstanceId>;

impl Evaluator<'_> {
    pub(super) fn note_undeclared(&self, frame: &Frame<'_>, target: &ResourceId) {
        if !self.undeclared.borrow().contains_key(target) {
            self.undeclared.borrow_mut().insert(target.clone(), frame.instance.id);
        }
    }

    /// An error if one of these resources is not declared.
    pub(super) fn all_declared(&self, references: &[Reference]) -> Result<(), Box<Diagnostic>> {
        references.iter().try_for_each(|reference| self.declared(&reference.target, reference.place))
    }

    fn declared(&self, target: &ResourceId, place: Option<Place>) -> Result<(), Box<Diagnostic>> {
        let Some(instance) = self.undeclared.borrow().get(target).copied() else { return Ok(()) };
        let instance = self.universe.instance(instance);
        let (kind, name) = (&target.kind, &target.name);
        let fix = match instance.module.closest(name, instance.module.names(kind)) {
            Some(near) => {
                let near = ResourceId::new(kind.clone(), near).in_module(instance.path.clone());
                format!("did you mean {near}?")
            }
            None => {
                let is_kind = instance.module.names(kind).next().is_some();
                let quotes = if is_kind { "" } else { "; or write a string, in quotes" };
                format!("declare it: {kind} {name:?} {{ … }}{quotes}")
            }
        };
        let detail = format!("{target} is referred to, but not declared");
        Err(Box::new(Diagnostic::new(Code::UnknownResource, detail).at(place).fix(fix)))
    }

    /// An error if one operand is a resource and the other one a value that no resource can equal. Null is allowed: a
    /// param may be a resource or null.
    pub(super) fn comparable(
        &self,
        frame: &Frame<'_>,
        operands: [(&Value, NodeId); 2],
    ) -> Result<(), Box<Diagnostic>> {
        let [(a, left), (b, right)] = operands;
        let (target, at, other) = match (a.reveal(), b.reveal()) {
            (Value::Reference(target), other) => (target, left, other),
            (other, Value::Reference(target)) => (target, right, other),
            _ => return Ok(()),
        };
        // The reference may be written in a local or a param.
        let written = self.references.borrow().place_of_last(target);
        self.declared(target, written.or_else(|| Some(frame.code.place_of(at))))?;
        if matches!(other, Value::Reference(_) | Value::Null | Value::Unknown(_)) {
            return Ok(());
        }
        let target = target.in_module(None);
        let detail = format!("this is a resource, which never equals {}", other.type_name());
        Err(frame.error(
            at,
            Code::OperandType,
            detail,
            format!("compare one of its properties: `{target}.…`"),
        ))
    }
}
