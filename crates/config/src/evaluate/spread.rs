//! The elements that `for_each` and `when` make of a block.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Reference, Value, is_identifier};

use super::evaluator::{Evaluator, MISTAKE, is_secret};
use super::frame::{Each, EachValue, Env, Frame};
use crate::deferred::{DeferredExpr, DeferredPart};
use crate::excerpt::excerpt;
use crate::instance::{ExpandedBlock, Instance, Spread};
use crate::meta::Argument;
use crate::tree::{Content, NodeId, TreeView};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Evaluator<'_> {
    /// The elements of a block; none if it has neither `for_each` nor `when`.
    pub(crate) fn spread<'i>(&self, instance: &'i Arc<Instance>, number: u32) -> Result<Option<&'i Spread>> {
        let Some(kept) = instance.spread(number) else { return Ok(None) };
        if kept.get().is_none() {
            let block = &instance.module.blocks[number as usize];
            let name = || {
                let what = if block.argument(Argument::ForEach).is_some() { "for_each" } else { "when" };
                format!("`{what}` of {}", instance.id_for(number, None))
            };
            let (spread, _) = self
                .recording(|| self.guarded(kept, name, block.head, || self.compute_spread(instance, number)));
            // A circular definition returns here while it is being reported.
            _ = kept.set(spread);
        }
        match kept.get() {
            Some(Ok(spread)) => Ok(Some(spread)),
            Some(Err(problem)) => Err(problem.clone()),
            None => Ok(None),
        }
    }

    /// The result, and the resources that were read for it, which do not count for the enclosing evaluation.
    pub(crate) fn recording<T>(&self, evaluate: impl FnOnce() -> T) -> (T, Vec<Reference>) {
        let outer = self.references.take();
        let result = evaluate();
        (result, self.references.replace(outer).into_list())
    }

    fn compute_spread(&self, instance: &Arc<Instance>, number: u32) -> Result<Spread> {
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let block = &instance.module.blocks[number as usize];
        let expression = |argument| match code.item(block.argument(argument)?).content {
            Content::Expression(node) => Some(node),
            _ => None,
        };
        let frame = Frame::new(instance, code);
        let when = expression(Argument::When);
        let Some(node) = expression(Argument::ForEach) else {
            return Ok(Spread::One(self.expand_one(&frame, None, when)?));
        };
        let (value, references) = self.recording(|| self.node(&frame, node));
        let value = value?;
        self.all_declared(&references)?;
        let mut expanded = BTreeMap::new();
        for (key, each) in elements(&frame, node, &value, &references.into())? {
            self.budget.spend(1, || code.place_of(node))?;
            let each = Arc::new(Each { key: key.clone(), value: each });
            expanded.insert(key, self.expand_one(&frame, Some(each), when)?);
        }
        Ok(Spread::Each(expanded))
    }

    fn expand_one(
        &self,
        frame: &Frame<'_>,
        each: Option<Arc<Each>>,
        when: Option<NodeId>,
    ) -> Result<ExpandedBlock> {
        let Some(node) = when else { return Ok(ExpandedBlock::Present { each, when: None }) };
        self.condition(&Frame { each: each.as_deref(), ..*frame }, each.clone(), node)
    }

    /// The element, if the `when` is true or unknown.
    pub(crate) fn condition(
        &self,
        frame: &Frame<'_>,
        each: Option<Arc<Each>>,
        node: NodeId,
    ) -> Result<ExpandedBlock> {
        let (value, references) = self.recording(|| self.node(frame, node));
        let value = value?;
        if !value.is_unknown() {
            self.all_declared(&references)?;
        }
        match value.reveal() {
            Value::Bool(false) => Ok(ExpandedBlock::Absent),
            Value::Bool(true) => Ok(ExpandedBlock::Present { each, when: None }),
            Value::Unknown(_) => {
                let env = Env { instance: frame.instance.id, each: each.clone() };
                let part = DeferredPart::Expression(frame.code.span(node));
                let deferred = DeferredExpr::new(self.universe, &env, frame.code.code(), part, references);
                Ok(ExpandedBlock::Present { each, when: Some(deferred.into()) })
            }
            other => Err(frame.not_a(node, Code::ConditionType, other, "true or false")),
        }
    }
}

fn secret_for_each(frame: &Frame<'_>, node: NodeId) -> Box<Diagnostic> {
    let detail = "the keys of `for_each` are names of resources, which are shown in plans and messages";
    let fix = "use keys that are not secret, or `nonsensitive(keys(…))`";
    frame.error(node, Code::SecretForEach, detail, fix)
}

fn members_of_set(frame: &Frame<'_>, node: NodeId, items: &[Value]) -> Result<Vec<(Name, EachValue)>> {
    let mut members: BTreeMap<Name, EachValue> = BTreeMap::new();
    for item in items {
        let key: Name = match item {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string().into(),
            Value::Sensitive(_) => return Err(secret_for_each(frame, node)),
            Value::Unknown(unknown) => {
                let detail = format!(
                    "an element depends on {}, but the keys of `for_each` must be known before the run",
                    unknown.waits_for
                );
                let fix = "use a map: only its values may depend on resources";
                return Err(frame.error(node, Code::UnknownForEach, detail, fix));
            }
            other => return Err(not_a_name(frame, node, other)),
        };
        if members.insert(key.clone(), EachValue::Known(item.clone())).is_some() {
            let detail = format!("{} occurs twice, but each element names a resource", excerpt(&key));
            return Err(frame.error(node, Code::DuplicateKey, detail, "make it a set: `toset(…)`"));
        }
    }
    Ok(members.into_iter().collect())
}

/// An element of a list that cannot name a resource.
fn not_a_name(frame: &Frame<'_>, node: NodeId, element: &Value) -> Box<Diagnostic> {
    let detail = format!(
        "a list in `for_each` may contain only strings and numbers, because each element names a resource; this list \
         contains {}",
        element.type_name()
    );
    let list = frame.code.written(frame.code.span(node));
    let list = if list.len() <= 40 && !list.contains(['\n', '{', '[']) { list } else { "…" };
    let key = if let Value::Map(map) = element {
        let is_text = |name: &&str| map.get(*name).is_some_and(|value| matches!(value, Value::Text(_)));
        let first = || map.keys().map(|name| &**name).find(is_text);
        Some("name").filter(is_text).or_else(first).filter(|name| is_identifier(name))
    } else {
        None
    };
    let fix = match key {
        Some(key) => format!("make a map of it: `{{ for x in {list} : x.{key} => x }}`"),
        None => format!(
            "make a map of it, with a name for each: `{{ for i, x in {list} : \"name${{i}}\" => x }}`"
        ),
    };
    frame.error(node, Code::NotIterable, detail, fix)
}

/// The elements of a `for_each`, whose keys must be known.
fn elements(
    frame: &Frame<'_>,
    node: NodeId,
    value: &Value,
    references: &Arc<[Reference]>,
) -> Result<Vec<(Name, EachValue)>> {
    if is_secret(value) {
        return Err(secret_for_each(frame, node));
    }
    match value {
        Value::Map(map) => {
            let element = |value: &Value| {
                if value.is_unknown() {
                    let span = frame.code.span(node);
                    EachValue::Deferred { span, now: value.clone(), references: references.clone() }
                } else {
                    EachValue::Known(value.clone())
                }
            };
            Ok(map.iter().map(|(key, value)| (key.clone(), element(value))).collect())
        }
        Value::List(items) => members_of_set(frame, node, items),
        // The mistake was reported.
        Value::Unknown(unknown) if &*unknown.waits_for == MISTAKE => Ok(Vec::new()),
        Value::Unknown(unknown) => {
            let detail = format!(
                "it depends on {}, but the keys of `for_each` must be known before the run",
                unknown.waits_for
            );
            let fix =
                "use params, locals or facts for the keys; only the values of a map may depend on resources";
            Err(frame.error(node, Code::UnknownForEach, detail, fix))
        }
        other => {
            let detail =
                format!("`for_each` needs a map, or a list of strings or numbers, not {}", other.type_name());
            let fix = match other {
                Value::Null => "replace null: `x == null ? [] : x`",
                Value::Int(_) => "for that many elements write `for_each = range(n)`",
                _ => "put it into a list: `[…]`",
            };
            Err(frame.error(node, Code::NotIterable, detail, fix))
        }
    }
}
