//! Spreads: what `for_each` and `when` make of a block.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Reference, Value};

use super::evaluator::{Evaluator, MISTAKE, is_secret};
use super::frame::{Each, EachValue, Env, Frame};
use crate::excerpt::excerpt;
use crate::instance::{Instance, Placed, Spread};
use crate::meta::Argument;
use crate::tree::{Content, NodeId, Passage};
use crate::waiting::{Late, Waiting};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Evaluator<'_> {
    /// What a block is spread to; none if it has neither `for_each` nor `when`.
    pub(crate) fn spread<'i>(&self, instance: &'i Arc<Instance>, number: u32) -> Result<Option<&'i Spread>> {
        let Some(kept) = instance.spread(number) else { return Ok(None) };
        if kept.get().is_none() {
            let block = &instance.module.blocks[number as usize];
            let name = || {
                let what = if block.argument(Argument::ForEach).is_some() { "for_each" } else { "when" };
                format!("`{what}` of {}", instance.id_for(number, None))
            };
            let (spread, _) = self
                .noting(|| self.guarded(kept, name, block.head, || self.compute_spread(instance, number)));
            // A circle comes back here while it is being told.
            _ = kept.set(spread);
        }
        match kept.get() {
            Some(Ok(spread)) => Ok(Some(spread)),
            Some(Err(problem)) => Err(problem.clone()),
            None => Ok(None),
        }
    }

    /// The result, and which resources were read for it: they are none of what is evaluated around.
    pub(crate) fn noting<T>(&self, evaluate: impl FnOnce() -> T) -> (T, Vec<Reference>) {
        let outer = self.references.take();
        let result = evaluate();
        (result, self.references.replace(outer).into_list())
    }

    fn compute_spread(&self, instance: &Arc<Instance>, number: u32) -> Result<Spread> {
        let (code, tree) = instance.module.body(number);
        let code = Passage::new(code, &tree);
        let block = &instance.module.blocks[number as usize];
        let expression = |argument| match code.item(block.argument(argument)?).content {
            Content::Expression(node) => Some(node),
            _ => None,
        };
        let frame = Frame::new(instance, code);
        let when = expression(Argument::When);
        let Some(node) = expression(Argument::ForEach) else {
            return Ok(Spread::One(self.place_one(&frame, None, when)?));
        };
        let (value, references) = self.noting(|| self.node(&frame, node));
        let mut placed = BTreeMap::new();
        for (key, each) in elements(&frame, node, &value?, &references.into())? {
            self.budget.spend(1, || code.place_of(node))?;
            let each = Arc::new(Each { key: key.clone(), value: each });
            placed.insert(key, self.place_one(&frame, Some(each), when)?);
        }
        Ok(Spread::Each(placed))
    }

    fn place_one(&self, frame: &Frame<'_>, each: Option<Arc<Each>>, when: Option<NodeId>) -> Result<Placed> {
        let Some(node) = when else { return Ok(Placed::On { each, when: None }) };
        self.condition(&Frame { each: each.as_deref(), ..*frame }, each.clone(), node)
    }

    /// What a `when` makes of the thing that it stands on.
    pub(crate) fn condition(
        &self,
        frame: &Frame<'_>,
        each: Option<Arc<Each>>,
        node: NodeId,
    ) -> Result<Placed> {
        let (value, references) = self.noting(|| self.node(frame, node));
        let value = value?;
        match value.reveal() {
            Value::Bool(false) => Ok(Placed::Off),
            Value::Bool(true) => Ok(Placed::On { each, when: None }),
            Value::Unknown(_) => {
                let env = Env { instance: frame.instance.id, each: each.clone() };
                let late = Late::Expression(frame.code.span(node));
                let waiting = Waiting::new(self.universe, &env, frame.code.code(), late, references);
                Ok(Placed::On { each, when: Some(waiting.into()) })
            }
            other => Err(frame.not_a(node, Code::ConditionType, other, "true or false")),
        }
    }
}

fn over_a_secret(frame: &Frame<'_>, node: NodeId) -> Box<Diagnostic> {
    let detail = "keys are names of resources, which everybody sees";
    let fix = "loop over something that is no secret, or over `nonsensitive(keys(…))`";
    frame.error(node, Code::SecretForEach, detail, fix)
}

fn members_of_set(frame: &Frame<'_>, node: NodeId, items: &[Value]) -> Result<Vec<(Name, EachValue)>> {
    let mut members: BTreeMap<Name, EachValue> = BTreeMap::new();
    for item in items {
        let key: Name = match item {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string().into(),
            Value::Sensitive(_) => return Err(over_a_secret(frame, node)),
            Value::Unknown(unknown) => {
                let detail = format!(
                    "an element waits for {}, but which resources there are must be known from the start",
                    unknown.waits_for
                );
                let fix = "use a map: its values may come later, its keys may not";
                return Err(frame.error(node, Code::UnknownForEach, detail, fix));
            }
            other => {
                let detail = format!("the elements of a set are texts; this one is {}", other.type_name());
                let fix = "use a map with a name for each: `{ for x in xs : x.name => x }`";
                return Err(frame.error(node, Code::NotIterable, detail, fix));
            }
        };
        if members.insert(key.clone(), EachValue::Known(item.clone())).is_some() {
            let detail = format!("{} is there twice, and each names a resource", excerpt(&key));
            return Err(frame.error(node, Code::DuplicateKey, detail, "make it a set: `toset(…)`"));
        }
    }
    Ok(members.into_iter().collect())
}

/// The elements of a `for_each`, which must be known by their keys.
fn elements(
    frame: &Frame<'_>,
    node: NodeId,
    value: &Value,
    references: &Arc<[Reference]>,
) -> Result<Vec<(Name, EachValue)>> {
    if is_secret(value) {
        return Err(over_a_secret(frame, node));
    }
    match value {
        Value::Map(map) => {
            let late = |value: &Value| match value.is_unknown() {
                true => {
                    let span = frame.code.span(node);
                    EachValue::Late { span, now: value.clone(), references: references.clone() }
                }
                false => EachValue::Known(value.clone()),
            };
            Ok(map.iter().map(|(key, value)| (key.clone(), late(value))).collect())
        }
        Value::List(items) => members_of_set(frame, node, items),
        // The mistake was reported.
        Value::Unknown(unknown) if &*unknown.waits_for == MISTAKE => Ok(Vec::new()),
        Value::Unknown(unknown) => {
            let detail = format!(
                "it waits for {}, but which resources there are must be known from the start",
                unknown.waits_for
            );
            let fix =
                "loop over params, locals or facts; the values of a map may come later, its keys may not";
            Err(frame.error(node, Code::UnknownForEach, detail, fix))
        }
        other => {
            let detail =
                format!("`for_each` goes over a map or a set of texts, not over {}", other.type_name());
            let fix = match other {
                Value::Null => "say what null means: `x == null ? [] : x`",
                Value::Int(_) => "for so many of them write `for_each = range(n)`",
                _ => "put it into a list: `[…]`",
            };
            Err(frame.error(node, Code::NotIterable, detail, fix))
        }
    }
}
