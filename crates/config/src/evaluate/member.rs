//! Members of values: `.field` and `[index]`.

use uphold_model::{Code, Diagnostic, Reference, Shape, Value};

use super::evaluator::{Evaluated, Evaluator, is_secret, keep_secret, unknown_like};
use super::frame::Frame;
use super::path::{Step, StepTo};
use crate::excerpt::excerpt;
use crate::suggestion::listed;
use crate::tree::NodeId;

impl Evaluator<'_> {
    /// The member at the end of these steps.
    pub(super) fn members(&self, frame: &Frame<'_>, value: Value, steps: &[Step<'_>]) -> Evaluated {
        let Some((step, rest)) = steps.split_first() else { return Ok(value) };
        let secret = is_secret(&value);
        if secret {
            self.meet_secret();
        }
        let member = match value.reveal() {
            Value::Reference(id) => {
                let target = (**id).clone();
                return self.of_resource(frame, target, steps).map(|value| keep_secret(secret, value));
            }
            Value::Unknown(unknown) => {
                check_shape(frame, value.reveal(), step).map_err(|error| hide_details(error, secret))?;
                self.read_indexes(frame, steps)?;
                return Ok(keep_secret(secret, unknown_like(unknown, None)));
            }
            whole => self.member(frame, whole, step, secret)?,
        };
        self.members(frame, keep_secret(secret, member), rest)
    }

    /// Indexes are evaluated for their references, although they cannot be applied yet.
    fn read_indexes(&self, frame: &Frame<'_>, steps: &[Step<'_>]) -> Result<(), Box<Diagnostic>> {
        for step in steps {
            if let StepTo::Index(index) = step.what {
                self.node(frame, index)?;
            }
        }
        Ok(())
    }

    fn member(&self, frame: &Frame<'_>, of: &Value, step: &Step<'_>, secret: bool) -> Evaluated {
        match step.what {
            StepTo::Field(name) => {
                field(frame, of, name, step.at).map_err(|error| hide_details(error, secret))
            }
            StepTo::Index(index) => {
                let key = self.node(frame, index)?;
                let hidden = secret || is_secret(&key);
                let value =
                    element(frame, of, key.reveal(), index).map_err(|error| hide_details(error, hidden))?;
                Ok(keep_secret(hidden, value))
            }
        }
    }

    /// The value of a property of a resource. The literal part of the path becomes part of the reference, so that it
    /// can be checked before the run.
    pub(super) fn of_resource(
        &self,
        frame: &Frame<'_>,
        target: uphold_model::ResourceId,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let mut path = Vec::with_capacity(steps.len());
        for step in steps {
            match frame.written_out(step) {
                Some(name) => path.push(self.kept(name)),
                None => break,
            }
        }
        if path.is_empty()
            && let Some(first) = steps.first()
        {
            match self.step_name(frame, first)? {
                Some(name) => path.push(self.kept(name)),
                None => return self.some_field(frame, target, first),
            }
        }
        let taken = path.len();
        let (start, end) = (steps.first(), steps.get(taken.wrapping_sub(1)));
        let place = end.or(start).map(|step| frame.code.place_of(step.at));
        let reference = Reference { target, path, place };
        let value = self.scope.resolve(&reference).map_err(Box::new)?;
        self.references.borrow_mut().push(reference);
        self.members(frame, value, &steps[taken..])
    }

    /// A property of a resource whose name is not known yet.
    fn some_field(&self, frame: &Frame<'_>, target: uphold_model::ResourceId, step: &Step<'_>) -> Evaluated {
        let place = Some(frame.code.place_of(step.at));
        self.references.borrow_mut().push(Reference { target, path: Vec::new(), place });
        match step.what {
            StepTo::Index(index) => {
                let name = self.node(frame, index)?;
                Ok(name.first_unknown().map_or_else(Value::default, |unknown| unknown_like(unknown, None)))
            }
            StepTo::Field(_) => unreachable!("the name of a field is written out"),
        }
    }
}

/// The same error without details that would reveal a secret.
pub(super) fn hide_details(error: Box<Diagnostic>, secret: bool) -> Box<Diagnostic> {
    if !secret {
        return error;
    }
    let detail = "the reason is hidden because a part of it is secret".to_owned();
    Box::new(Diagnostic { detail, ..*error }.fix("check the secret and its use"))
}

fn no_member<'k>(
    frame: &Frame<'_>,
    at: NodeId,
    name: &str,
    names: impl Iterator<Item = &'k str> + Clone,
) -> Box<Diagnostic> {
    let near = frame.instance.module.closest(name, names.clone());
    let name = excerpt(name);
    if names.clone().next().is_none() {
        let fix = format!("add {name} to it, or give a fallback: `try(…, \"fallback\")`");
        return frame.error(at, Code::UnknownMember, format!("the map is empty, so it has no {name}"), fix);
    }
    let fix = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", listed(names)),
    };
    frame.error(at, Code::UnknownMember, format!("the map has no {name}"), fix)
}

fn out_of_range(frame: &Frame<'_>, at: NodeId, number: i64, length: usize) -> Box<Diagnostic> {
    let detail = match length {
        0 => format!("the list is empty, so it has no [{number}]"),
        1 => format!("the list has one element, [0], but no [{number}]"),
        _ => format!("the list has {length} elements, [0] to [{}], but no [{number}]", length - 1),
    };
    let fix = "indexes start at 0; the last element is `list[length(list) - 1]`";
    frame.error(at, Code::IndexRange, detail, fix)
}

fn memberless(frame: &Frame<'_>, at: NodeId, of: &Value) -> Box<Diagnostic> {
    let detail = format!("{} has no members", of.type_name());
    let fix = match of {
        Value::Null => "give a fallback: `try(…, \"fallback\")`",
        text if text.shape() == Some(Shape::Text) => "for parts of a string use `substr`, `split` or `regex`",
        _ => "leave the rest of the path out",
    };
    frame.error(at, Code::UnknownMember, detail, fix)
}

fn field(frame: &Frame<'_>, of: &Value, name: &str, at: NodeId) -> Evaluated {
    match of {
        Value::Map(map) => match map.get(name) {
            Some(value) => Ok(value.clone()),
            None => Err(no_member(frame, at, name, map.keys().map(|key| &**key))),
        },
        Value::List(_) => Err(fieldless(frame, at, name)),
        other => Err(memberless(frame, at, other)),
    }
}

fn fieldless(frame: &Frame<'_>, at: NodeId, name: &str) -> Box<Diagnostic> {
    let fix = format!("take one of its elements: `[0].{name}`; or the field of each: `[*].{name}`");
    frame.error(at, Code::UnknownMember, "a list has no fields", fix)
}

/// Rejects a member that no value of this shape has, although the value is not known yet.
fn check_shape(frame: &Frame<'_>, of: &Value, step: &Step<'_>) -> Result<(), Box<Diagnostic>> {
    match (of.shape(), step.what) {
        (None | Some(Shape::Map), _) | (Some(Shape::List), StepTo::Index(_)) => Ok(()),
        (Some(Shape::List), StepTo::Field(name)) => Err(fieldless(frame, step.at, name)),
        _ => Err(memberless(frame, step.at, of)),
    }
}

/// The number, if it is whole: `1.0` is as valid an index as `1`.
pub(super) fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < (1u64 << 53) as f64 => {
            Some(*number as i64)
        }
        _ => None,
    }
}

fn element(frame: &Frame<'_>, of: &Value, key: &Value, at: NodeId) -> Evaluated {
    let whole = whole_number(key).map(Value::Int);
    match (of, whole.as_ref().unwrap_or(key)) {
        (_, Value::Unknown(unknown)) => Ok(unknown_like(unknown, None)),
        (Value::Map(map), Value::Text(name)) => match map.get(name) {
            Some(value) => Ok(value.clone()),
            None => Err(no_member(frame, at, name, map.keys().map(|key| &**key))),
        },
        (Value::Map(map), Value::Int(number)) => {
            let name = number.to_string();
            map.get(name.as_str())
                .cloned()
                .ok_or_else(|| no_member(frame, at, &name, map.keys().map(|key| &**key)))
        }
        (Value::List(items), Value::Int(number)) => {
            let found = usize::try_from(*number).ok().and_then(|number| items.get(number));
            found.cloned().ok_or_else(|| out_of_range(frame, at, *number, items.len()))
        }
        (Value::List(_), other) => Err(frame.not_a(at, Code::KeyType, other, "a whole number")),
        (Value::Map(_), other) => Err(frame.not_a(at, Code::KeyType, other, "a string")),
        (other, _) => Err(memberless(frame, at, other)),
    }
}
