//! Targets of `depends_on` and the like: the resources that are meant, without reading their values.

use uphold_model::{Code, Diagnostic, Name, Reference, Value};

use super::address::Many;
use super::evaluator::Evaluator;
use super::frame::Frame;
use crate::excerpt::excerpt;
use crate::tree::{Literal, Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Evaluator<'_> {
    /// The resources of a list: `[kind.name, module.name]`, or any expression that yields resources.
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
                let detail = "a module is not a single resource";
                let fix = "name a resource in it: `module.name.kind.name`";
                return Err(frame.error(node, Code::NotAResource, detail, fix));
            }
            if !target.rest.is_empty() && !target.ids.is_empty() {
                let whole = target.ids.first().map(ToString::to_string).unwrap_or_default();
                let detail = "this must be a whole resource, not a property of one";
                return Err(frame.error(node, Code::NotAResource, detail, format!("write `{whole}`")));
            }
            found.extend(target.ids.into_iter().map(|target| Reference { target, path: Vec::new(), place }));
            return Ok(());
        }
        self.given(frame, node, found)
    }

    /// The resources in the value of an expression.
    pub(crate) fn given(&self, frame: &Frame<'_>, node: NodeId, found: &mut Vec<Reference>) -> Result<()> {
        let (value, _) = self.recording(|| self.node(frame, node));
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
            // A mistake that was reported, or a property of a resource.
            Value::Unknown(unknown) if &*unknown.waits_for == super::MISTAKE => Ok(()),
            other => {
                let detail = format!("this is {}, not a resource", other.type_name());
                let fix = "write `kind.name` or `kind[\"name\"]`, without quotes around";
                Err(frame.error(node, Code::InvalidReference, detail, fix))
            }
        }
    }

    /// The words of an expression: `remove`, `"remove"`, a list of them, or any expression that yields such strings.
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
                    let detail = "a secret cannot name an action, because actions are shown";
                    return Err(frame.error(
                        node,
                        Code::SecretName,
                        detail,
                        "use a value that is not secret",
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
