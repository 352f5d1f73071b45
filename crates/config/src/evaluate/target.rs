//! Targets: which resources are meant, without asking for their values.

use uphold_model::{Code, Diagnostic, Name, Reference, Value};

use super::address::Many;
use super::evaluator::Evaluator;
use super::frame::Frame;
use crate::excerpt::excerpt;
use crate::tree::{Literal, Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Evaluator<'_> {
    /// The resources that a list names: `[kind.name, module.name]`, or any expression that gives resources.
    pub(crate) fn dependencies(&self, frame: &Frame<'_>, node: NodeId, many: Many) -> Result<Vec<Reference>> {
        let mut found = Vec::new();
        match frame.code.node(node) {
            Node::List(elements) => {
                for element in elements.iter() {
                    self.dependency(frame, element, many, &mut found)?;
                }
            }
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } | Node::Known(_) => {
                let detail = "this must be a list of resources";
                return Err(frame.error(
                    node,
                    Code::InvalidMetaArgument,
                    detail,
                    "put it into brackets: `[kind.name]`",
                ));
            }
            _ => self.dependency(frame, node, many, &mut found)?,
        }
        Ok(found)
    }

    fn dependency(
        &self,
        frame: &Frame<'_>,
        node: NodeId,
        many: Many,
        found: &mut Vec<Reference>,
    ) -> Result<()> {
        let place = Some(frame.code.place_of(node));
        if let Some(target) = self.target_of(frame, node, many)? {
            if many == Many::Apart && target.calls {
                let detail = "a module is many things, and which of them is meant must be said";
                let fix = "name a resource in it: `module.name.kind.name`";
                return Err(frame.error(node, Code::NotAResource, detail, fix));
            }
            if !target.rest.is_empty() && !target.ids.is_empty() {
                let whole = target.ids.first().map(ToString::to_string).unwrap_or_default();
                let detail = "what comes first is a whole resource, and this is a part of one";
                return Err(frame.error(node, Code::NotAResource, detail, format!("write `{whole}`")));
            }
            found.extend(target.ids.into_iter().map(|target| Reference { target, path: Vec::new(), place }));
            return Ok(());
        }
        self.given(frame, node, found)
    }

    /// The resources that the value of an expression holds.
    pub(crate) fn given(&self, frame: &Frame<'_>, node: NodeId, found: &mut Vec<Reference>) -> Result<()> {
        let (value, _) = self.noting(|| self.node(frame, node));
        self.resources(frame, node, &value?, found)
    }

    fn resources(
        &self,
        frame: &Frame<'_>,
        node: NodeId,
        value: &Value,
        found: &mut Vec<Reference>,
    ) -> Result<()> {
        let place = Some(frame.code.place_of(node));
        match value {
            Value::Reference(id) => {
                found.push(Reference { target: (**id).clone(), path: Vec::new(), place });
                Ok(())
            }
            Value::List(items) => items.iter().try_for_each(|item| self.resources(frame, node, item, found)),
            Value::Map(map) => map.values().try_for_each(|item| self.resources(frame, node, item, found)),
            // A mistake that was told, or a part of a resource.
            Value::Unknown(unknown) if &*unknown.waits_for == super::MISTAKE => Ok(()),
            other => {
                let detail = format!("this is {}, not a resource", other.type_name());
                let fix = "write `kind.name` or `kind[\"name\"]`, without quotes around";
                Err(frame.error(node, Code::InvalidReference, detail, fix))
            }
        }
    }

    /// The words of an expression: `remove`, `"remove"`, a list of them, or anything that gives such texts.
    pub(crate) fn words(&self, frame: &Frame<'_>, node: NodeId) -> Result<Vec<(Name, NodeId)>> {
        match frame.code.node(node) {
            Node::Name(word) if frame.variable(word).is_none() => Ok(vec![(self.name(word), node)]),
            Node::Known(Literal::Text(word)) => Ok(vec![(self.name(word), node)]),
            Node::List(elements) => {
                let words = elements.iter().map(|element| self.words(frame, element));
                Ok(words.collect::<Result<Vec<_>>>()?.concat())
            }
            Node::Conditional { condition, yes, no } => match self.node(frame, condition)?.reveal() {
                Value::Bool(true) => self.words(frame, yes),
                Value::Bool(false) => self.words(frame, no),
                other => Err(frame.not_a(condition, Code::ConditionType, other, "true or false")),
            },
            _ => {
                let value = self.node(frame, node)?;
                if value.is_sensitive() {
                    let detail = "a secret cannot say what is done: everybody sees that";
                    return Err(frame.error(
                        node,
                        Code::SecretName,
                        detail,
                        "use something that is no secret",
                    ));
                }
                let items = match value.reveal() {
                    Value::List(items) => items.to_vec(),
                    single => vec![single.clone()],
                };
                let word = |item: Value| match item {
                    Value::Text(word) => Ok((word, node)),
                    other => {
                        let detail = format!("{} is not a word", excerpt(&other.to_string()));
                        Err(frame.error(
                            node,
                            Code::InvalidMetaArgument,
                            detail,
                            "write a word in quotes, or a list of them",
                        ))
                    }
                };
                items.into_iter().map(word).collect()
            }
        }
    }
}
