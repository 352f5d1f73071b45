//! Targets: which resources are meant, without asking for their values.

use uphold_model::{Diagnostic, Name, Reference, ResourceId, Value};

use super::evaluator::Evaluator;
use super::frame::Frame;
use super::path::Step;
use crate::excerpt::excerpt;
use crate::instance::{Placed, Spread};
use crate::module::What;
use crate::tree::{Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What a path names.
pub(crate) struct Target<'f> {
    /// Resources, or calls of modules. None if all that is meant is switched off.
    pub(crate) ids: Vec<ResourceId>,
    /// What comes after.
    pub(crate) rest: Vec<Step<'f>>,
}

impl Evaluator<'_> {
    /// The resources that a list names: `[kind.name, module.name]`, or any expression that gives resources.
    pub(crate) fn dependencies(&self, frame: &Frame<'_>, node: NodeId) -> Result<Vec<Reference>> {
        let mut found = Vec::new();
        match frame.code.tree.node(node) {
            Node::List(elements) => {
                for &element in frame.code.tree.children(*elements) {
                    self.dependency(frame, element, &mut found)?;
                }
            }
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } | Node::Known(_) => {
                let detail = "this must be a list of resources";
                return Err(frame.error(
                    node,
                    "meta argument of the wrong type",
                    detail,
                    "put it into brackets: `[kind.name]`",
                ));
            }
            _ => self.dependency(frame, node, &mut found)?,
        }
        Ok(found)
    }

    fn dependency(&self, frame: &Frame<'_>, node: NodeId, found: &mut Vec<Reference>) -> Result<()> {
        let place = Some(frame.code.place_of(node));
        if let Some(target) = self.target_of(frame, node)? {
            if !target.rest.is_empty() {
                let whole = target.ids.first().map(ToString::to_string).unwrap_or_default();
                let detail = "what comes first is a whole resource, and this is a part of one";
                return Err(frame.error(node, "dependency on a field", detail, format!("write `{whole}`")));
            }
            let ids = together(frame, target.ids);
            found.extend(ids.into_iter().map(|target| Reference { target, path: Vec::new(), place }));
            return Ok(());
        }
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
                Err(frame.error(node, "not a reference", detail, fix))
            }
        }
    }

    /// What a path names; none if the expression is no path from a kind or a module.
    pub(crate) fn target_of<'f>(&self, frame: &Frame<'f>, node: NodeId) -> Result<Option<Target<'f>>> {
        let (root, steps) = frame.steps(node);
        let Node::Name(kind) = frame.code.tree.node(root) else { return Ok(None) };
        let other = matches!(&**kind, "local" | "param" | "each" | "host" | "path");
        if other || frame.variable(kind).is_some() || steps.is_empty() {
            return Ok(None);
        }
        let Some(name) = self.step_name(frame, &steps[0])? else { return Ok(None) };
        let Some(number) = frame.instance.module.find(kind, &name) else {
            let id = ResourceId::new(kind.clone(), name).in_module(frame.instance.path.clone());
            return Ok(Some(Target { ids: vec![id], rest: steps[1..].to_vec() }));
        };
        let id = |key: Option<&Name>| frame.instance.id_for(number, key);
        let on = |placed: &Placed| matches!(placed, Placed::On { .. });
        Ok(Some(match self.spread(frame.instance, number)? {
            None => Target { ids: vec![id(None)], rest: steps[1..].to_vec() },
            Some(Spread::One(placed)) => {
                Target { ids: on(placed).then(|| id(None)).into_iter().collect(), rest: steps[1..].to_vec() }
            }
            Some(Spread::Each(all)) => {
                match steps.get(1).map(|step| self.step_name(frame, step)).transpose()? {
                    Some(Some(key)) if all.contains_key(&key) => {
                        let ids = all.get(&key).filter(|placed| on(placed)).map(|_| id(Some(&key)));
                        Target { ids: ids.into_iter().collect(), rest: steps[2..].to_vec() }
                    }
                    // Not a key: a verb of all of them, perhaps.
                    _ => {
                        let ids = all.iter().filter(|(_, placed)| on(placed)).map(|(key, _)| id(Some(key)));
                        Target { ids: ids.collect(), rest: steps[1..].to_vec() }
                    }
                }
            }
        }))
    }

    /// The words of an expression: `remove`, `"remove"`, a list of them, or anything that gives such texts.
    pub(crate) fn words(&self, frame: &Frame<'_>, node: NodeId) -> Result<Vec<(Name, NodeId)>> {
        match frame.code.tree.node(node) {
            Node::Name(word) if frame.variable(word).is_none() => Ok(vec![(word.clone(), node)]),
            Node::Known(Value::Text(word)) => Ok(vec![(word.clone(), node)]),
            Node::List(elements) => {
                let words =
                    frame.code.tree.children(*elements).iter().map(|element| self.words(frame, *element));
                Ok(words.collect::<Result<Vec<_>>>()?.concat())
            }
            Node::Conditional { condition, yes, no } => match self.node(frame, *condition)?.reveal() {
                Value::Bool(true) => self.words(frame, *yes),
                Value::Bool(false) => self.words(frame, *no),
                other => Err(frame.not_a(*condition, "condition is not a bool", other, "true or false")),
            },
            _ => {
                let value = self.node(frame, node)?;
                if value.is_sensitive() {
                    let detail = "a secret cannot say what is done: everybody sees that";
                    return Err(frame.error(
                        node,
                        "a secret as a word",
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
                            "not a word",
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

/// All resources of a block with `for_each`, as one: an edge for each pair would be too many, and those who make the
/// graph know what is meant.
fn together(frame: &Frame<'_>, ids: Vec<ResourceId>) -> Vec<ResourceId> {
    let [first, _, ..] = &ids[..] else { return ids };
    let module = &frame.instance.module;
    let number = module.find(&first.kind, &first.name);
    match number.map(|number| &module.blocks[number as usize].what) {
        Some(What::Call(_)) | None => ids,
        Some(_) => vec![first.with_key(None)],
    }
}
