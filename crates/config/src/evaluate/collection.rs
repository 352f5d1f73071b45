//! Lists, objects, loops over them, and splats.

use std::collections::BTreeMap;

use uphold_model::{Code, Diagnostic, Map, Name, Shape, Unknown, Value};

use super::evaluator::{Evaluated, Evaluator, is_secret, keep_secret, unknown_like};
use super::frame::{Frame, Variable};
use super::member::hide_details;
use super::operation::may_be;
use super::template::{TextBuilder, append};
use crate::excerpt::excerpt;
use crate::tree::{Children, Gathered, Loop, NodeId};

impl Evaluator<'_> {
    pub(super) fn list(&self, frame: &Frame<'_>, elements: Children<'_>) -> Evaluated {
        let elements = elements.iter().map(|element| self.node(frame, element));
        Ok(Value::List(elements.collect::<Result<_, _>>()?))
    }

    /// A map. It is unknown as a whole if a key is unknown.
    pub(super) fn object(&self, frame: &Frame<'_>, entries: Children<'_>) -> Evaluated {
        let mut map = Map::new();
        let mut open = Openness::default();
        for (at, value) in entries.pairs() {
            let (key, value) = (self.node(frame, at)?, self.node(frame, value)?);
            let Some(name) = key_text(frame, &key, at, &mut open)? else { continue };
            if map.insert(name.clone(), value).is_some() {
                return Err(hide_details(self.duplicate_key(frame, entries, &name, at), open.secret));
            }
        }
        Ok(open.close(Value::Map(map.into())))
    }

    fn duplicate_key(
        &self,
        frame: &Frame<'_>,
        entries: Children<'_>,
        name: &Name,
        second: NodeId,
    ) -> Box<Diagnostic> {
        let keys = entries.pairs().map(|(key, _)| key);
        let mut same = keys.filter(|&key| {
            let value = self.node(frame, key).unwrap_or_default();
            key_text(frame, &value, key, &mut Openness::default())
                .is_ok_and(|other| other.as_ref() == Some(name))
        });
        let first = same.next().unwrap_or(second);
        let detail = format!("{} is set twice", excerpt(name));
        let error = frame.error(second, Code::DuplicateKey, detail, "remove one of them");
        Box::new(error.and_at(frame.code.place_of(first), "set here first"))
    }

    /// `[for …]`, `{for …}` and `%{ for … }`. A loop takes as much stack as a name.
    pub(super) fn for_(&self, frame: &Frame<'_>, each: &Loop) -> Evaluated {
        self.budget.enter_name(|| frame.code.place_of(each.collection))?;
        let value = self.iterate(frame, each);
        self.budget.leave_name();
        value
    }

    fn iterate(&self, frame: &Frame<'_>, each: &Loop) -> Evaluated {
        let collection = self.node(frame, each.collection)?;
        self.budget.weigh(&collection, || frame.code.place_of(each.collection))?;
        let secret = is_secret(&collection);
        let mut gathering = Gathering::default();
        gathering.open.secret = secret;
        // The parts of a secret are secrets, so that the body cannot reveal them.
        let part = |value: Value| keep_secret(secret, value);
        match collection.reveal() {
            Value::List(items) => {
                for (key, value) in (0i64..).zip(items.iter()) {
                    self.iteration(frame, each, Value::Int(key), part(value.clone()), &mut gathering)?;
                }
            }
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    let key = part(Value::Text(key.clone()));
                    self.iteration(frame, each, key, part(value.clone()), &mut gathering)?;
                }
            }
            Value::Unknown(unknown) if matches!(unknown.shape, None | Some(Shape::List | Shape::Map)) => {
                // Evaluated once for the resources that the body reads; its errors do not count, because the collection
                // may be empty.
                let element = unknown_like(unknown, None);
                self.postpone(unknown, || {
                    self.iteration(frame, each, element.clone(), element.clone(), &mut gathering)
                })?;
                gathering.open.unknown = Some(element);
            }
            other => return Err(not_iterable(frame, each.collection, other)),
        }
        Ok(gathering.finish(each.result))
    }

    /// One iteration of a loop.
    fn iteration(
        &self,
        frame: &Frame<'_>,
        each: &Loop,
        key: Value,
        value: Value,
        gathering: &mut Gathering,
    ) -> Result<(), Box<Diagnostic>> {
        let name = |span| frame.code.written(span);
        let outer =
            each.key.map(|variable| Variable { name: name(variable), value: key, outer: frame.variables });
        let outer = outer.as_ref().or(frame.variables);
        let variables = Variable { name: name(each.value), value, outer };
        let inner = Frame { variables: Some(&variables), ..*frame };
        let Some(condition) = each.condition else { return self.gather(&inner, each.result, gathering) };
        match self.wanted(&inner, condition, gathering)?.reveal() {
            Value::Bool(false) => Ok(()),
            Value::Unknown(unknown) => {
                self.postpone(unknown, || self.gather(&inner, each.result, gathering)).map(|_| ())
            }
            _ => self.gather(&inner, each.result, gathering),
        }
    }

    /// Whether the `if` accepts this element. If that is unknown, so is the whole result, but its references are
    /// recorded.
    fn wanted(&self, frame: &Frame<'_>, condition: NodeId, gathering: &mut Gathering) -> Evaluated {
        let value = self.node(frame, condition)?;
        gathering.open.secret |= is_secret(&value);
        match value.reveal() {
            Value::Bool(_) => Ok(value),
            Value::Unknown(unknown) if may_be(value.shape(), Shape::Bool) => {
                gathering.open.note(unknown);
                Ok(value)
            }
            other => Err(frame.not_a(condition, Code::ConditionType, other, "true or false")),
        }
    }

    fn gather(
        &self,
        frame: &Frame<'_>,
        result: Gathered,
        gathering: &mut Gathering,
    ) -> Result<(), Box<Diagnostic>> {
        match result {
            Gathered::List(element) => {
                let value = self.node(frame, element)?;
                self.weigh_more(frame, gathering, &value, element)?;
                gathering.list.push(gathering.open.within(value));
            }
            Gathered::Text(part) => {
                let value = self.node(frame, part)?;
                append(frame, &mut gathering.text, &value, part)?;
                self.budget.length(gathering.text.len(), || frame.code.place_of(part))?;
            }
            Gathered::Object { key, value } => {
                let (written, value) = (self.node(frame, key)?, self.node(frame, value)?);
                let Some(name) = key_text(frame, &written, key, &mut gathering.open)? else { return Ok(()) };
                self.weigh_more(frame, gathering, &value, key)?;
                let value = gathering.open.within(value);
                if gathering.map.insert(name.clone(), value).is_some() && gathering.open.unknown.is_none() {
                    return Err(hide_details(repeated_key(frame, key, &name), gathering.open.secret));
                }
            }
            Gathered::Grouped { key, value } => {
                let (name, value) = (self.node(frame, key)?, self.node(frame, value)?);
                let Some(name) = key_text(frame, &name, key, &mut gathering.open)? else { return Ok(()) };
                self.weigh_more(frame, gathering, &value, key)?;
                let value = gathering.open.within(value);
                gathering.groups.entry(name).or_default().push(value);
            }
        }
        Ok(())
    }

    fn weigh_more(
        &self,
        frame: &Frame<'_>,
        gathering: &mut Gathering,
        value: &Value,
        at: NodeId,
    ) -> Result<(), Box<Diagnostic>> {
        gathering.weight = self.budget.gather(gathering.weight, value, || frame.code.place_of(at))?;
        Ok(())
    }

    /// `of[*].field`: the field of each element of a list; an empty list for null; a list of one for any other value.
    pub(super) fn splat(&self, frame: &Frame<'_>, of: NodeId, each: NodeId) -> Evaluated {
        let value = self.node(frame, of)?;
        let open = Openness { unknown: None, secret: is_secret(&value) };
        let element = |element: &Value| {
            let element = keep_secret(open.secret, element.clone());
            Ok(open.within(self.node(&Frame { element: Some(&element), ..*frame }, each)?))
        };
        let result = match value.reveal() {
            Value::Null => Value::list([]),
            Value::List(items) => Value::List(items.iter().map(element).collect::<Result<_, _>>()?),
            Value::Unknown(unknown) => {
                self.postpone(unknown, || element(&unknown_like(unknown, None)))?;
                unknown_like(unknown, Shape::List)
            }
            single => {
                let element = element(single);
                Value::list([element.map_err(|error| of_each_value(frame, of, single, error))?])
            }
        };
        Ok(open.close(result))
    }
}

/// The error for a member that a map lacks, if its values may have it: `[*]` takes a map as one element.
fn of_each_value(frame: &Frame<'_>, of: NodeId, map: &Value, error: Box<Diagnostic>) -> Box<Diagnostic> {
    let has_members = |value: &Value| matches!(value.reveal(), Value::Map(_) | Value::Reference(_));
    let is_meant = matches!(map, Value::Map(map) if map.values().next().is_some_and(has_members));
    if error.code != Code::UnknownMember || !is_meant {
        return error;
    }
    let map = frame.code.written(frame.code.span(of));
    let map = if map.len() <= 40 && !map.contains('\n') { map } else { "…" };
    let fix = format!("`[*]` is for lists; for the values of a map, write `values({map})[*].…`");
    Box::new(error.fix(fix))
}

/// Why a collection is unknown or secret as a whole.
#[derive(Default)]
struct Openness {
    unknown: Option<Value>,
    secret: bool,
}

impl Openness {
    fn note(&mut self, unknown: &Unknown) {
        self.unknown.get_or_insert_with(|| unknown_like(unknown, None));
    }

    /// A part of the collection: inside a secret, parts need no mark of their own.
    fn within(&self, part: Value) -> Value {
        match part {
            Value::Sensitive(inner) if self.secret => (*inner).clone(),
            part => part,
        }
    }

    fn close(self, value: Value) -> Value {
        keep_secret(self.secret, self.unknown.unwrap_or(value))
    }
}

/// The results that a loop has collected so far.
#[derive(Default)]
struct Gathering {
    list: Vec<Value>,
    map: Map,
    groups: BTreeMap<Name, Vec<Value>>,
    text: TextBuilder,
    open: Openness,
    /// The number of parts.
    weight: usize,
}

impl Gathering {
    fn finish(self, result: Gathered) -> Value {
        let value = match result {
            Gathered::List(_) => Value::list(self.list),
            Gathered::Object { .. } => Value::Map(self.map.into()),
            Gathered::Grouped { .. } => {
                Value::map(self.groups.into_iter().map(|(key, values)| (key, Value::list(values))))
            }
            Gathered::Text(_) => self.text.finish(),
        };
        self.open.close(value)
    }
}

/// The text of a key; none if it is unknown.
fn key_text(
    frame: &Frame<'_>,
    key: &Value,
    at: NodeId,
    open: &mut Openness,
) -> Result<Option<Name>, Box<Diagnostic>> {
    open.secret |= is_secret(key);
    match key.reveal() {
        Value::Text(name) => Ok(Some(name.clone())),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => Ok(Some(key.reveal().to_string().into())),
        Value::Unknown(unknown) => {
            open.unknown.get_or_insert_with(|| unknown_like(unknown, None));
            Ok(None)
        }
        other => {
            let detail = format!("{} cannot be a key", other.type_name());
            Err(frame.error(at, Code::KeyType, detail, "use a string as the key"))
        }
    }
}

fn not_iterable(frame: &Frame<'_>, at: NodeId, found: &Value) -> Box<Diagnostic> {
    let detail = format!("`for` loops over lists and maps, not over {}", found.type_name());
    let fix = match found {
        text if text.shape() == Some(Shape::Text) => "make a list of it: `split(\",\", …)` or `[…]`",
        Value::Null => "replace null: `x == null ? [] : x`",
        _ => "put it into a list: `[…]`",
    };
    frame.error(at, Code::NotIterable, detail, fix)
}

fn repeated_key(frame: &Frame<'_>, key: NodeId, name: &str) -> Box<Diagnostic> {
    let detail = format!("two elements have the key {}", excerpt(name));
    let fix = "make the keys unique, or collect the values of each key in a list: `key => value...`";
    frame.error(key, Code::DuplicateKey, detail, fix)
}
