//! Calling functions: checks arguments, and propagates unknown and secret values.

use std::borrow::Cow;

use uphold_model::{Name, Value};

use super::bounds::{LONGEST_TEXT, MOST_ELEMENTS, too_long, too_many};
use super::call::{Inspection, revealed};
use crate::call::{Call, Fault};
use crate::function::{Accepts, Body, Function, Parameter};
use crate::number::Number;

type Computation = fn(&Call<'_>) -> Result<Value, Fault>;

impl Function {
    /// Checks the number of arguments.
    ///
    /// # Errors
    /// A lower-case sentence such as ``` `substr` takes 3 arguments, not 1 ```.
    pub fn check_count(&self, count: usize) -> Result<(), String> {
        let most = self.parameters.len();
        let least = self.parameters.iter().filter(|parameter| !parameter.optional).count();
        if count >= least && (count <= most || self.rest.is_some()) {
            return Ok(());
        }
        let takes = match (least, most) {
            _ if self.rest.is_some() => format!("at least {}", arguments(least)),
            (0, 0) => "no arguments".to_owned(),
            _ if least == most => arguments(most),
            _ if least + 1 == most => format!("{least} or {}", arguments(most)),
            _ => format!("{least} to {}", arguments(most)),
        };
        Err(format!("`{}` takes {takes}, not {count}", self.name))
    }

    /// The parameter of an argument, by index.
    pub fn parameter(&self, argument: usize) -> Option<&Parameter> {
        self.parameters.get(argument).or(self.rest.as_ref())
    }

    /// Checks the arguments and computes the value.
    ///
    /// Unknown arguments give an unknown value and secret ones a secret, as [`Body`] specifies. It walks over the
    /// arguments, unless they are only moved ([`Body::Parts`], [`Body::Raw`]).
    ///
    /// # Errors
    /// Too few or too many arguments, one of the wrong type, or an error of the function itself. A message never
    /// contains any part of a secret.
    pub fn call(&self, call: &Call<'_>) -> Result<Value, Fault> {
        self.check_count(call.arguments.len()).map_err(Fault::new)?;
        for (index, argument) in call.arguments.iter().enumerate() {
            self.check_argument(index, argument)?;
        }
        match self.body {
            Body::Whole(compute) => self.whole(compute, call),
            Body::Parts(compute) => self.parts(compute, call, self.unknown(call)),
            Body::First(compute) => self.parts(compute, call, None),
            Body::Deciding(compute) => self.deciding(compute, call),
            Body::Raw(compute) => self.unknown(call).map_or_else(|| compute(call), Ok),
            // Arguments that were evaluated can be evaluated.
            Body::Try | Body::Optional => Ok(call.arguments.first().cloned().unwrap_or_default()),
            Body::Can => Ok(Value::Bool(true)),
        }
    }

    fn whole(&self, compute: Computation, call: &Call<'_>) -> Result<Value, Fault> {
        let Inspection { unknown, secret, .. } = Inspection::of(call.arguments)?;
        let result = match (unknown, secret) {
            (Some(waits_for), _) => Ok(self.later(waits_for)),
            (None, false) => compute(call),
            (None, true) => compute(&Call {
                arguments: &call.arguments.iter().map(revealed).collect::<Vec<_>>(),
                ..*call
            }),
        };
        self.finish(result, secret)
    }

    fn deciding(
        &self,
        compute: fn(&Call<'_>) -> Result<Option<Value>, Fault>,
        call: &Call<'_>,
    ) -> Result<Value, Fault> {
        let Inspection { unknown, secret, .. } = Inspection::of(call.arguments)?;
        let revealed = secret.then(|| call.arguments.iter().map(revealed).collect::<Vec<_>>());
        let arguments = revealed.as_deref().unwrap_or(call.arguments);
        let result = match (self.unknown(call), unknown) {
            (Some(unknown), _) => Ok(unknown),
            (None, unknown) => compute(&Call { arguments, ..*call })
                .map(|decided| decided.unwrap_or_else(|| self.later(unknown.unwrap_or_default()))),
        };
        self.finish(result, secret)
    }

    fn parts(&self, compute: Computation, call: &Call<'_>, unknown: Option<Value>) -> Result<Value, Fault> {
        let secret = call.arguments.iter().any(|argument| matches!(argument, Value::Sensitive(_)));
        let result = match (unknown, secret) {
            (Some(unknown), _) => Ok(unknown),
            (None, false) => compute(call),
            (None, true) => {
                let arguments: Vec<Value> = call.arguments.iter().map(|a| a.reveal().clone()).collect();
                compute(&Call { arguments: &arguments, ..*call })
            }
        };
        self.finish(result, secret)
    }

    /// The result if an argument itself is unknown.
    fn unknown(&self, call: &Call<'_>) -> Option<Value> {
        call.arguments.iter().find_map(|argument| match argument.reveal() {
            Value::Unknown(unknown) => Some(self.later(unknown.waits_for.clone())),
            _ => None,
        })
    }

    fn later(&self, waits_for: Name) -> Value {
        Value::unknown_of(waits_for, self.gives)
    }

    fn finish(&self, result: Result<Value, Fault>, secret: bool) -> Result<Value, Fault> {
        match result.and_then(within_bounds) {
            Ok(value) if secret => Ok(value.sensitive()),
            Err(fault) if secret => Err(self.without_message(&fault)),
            other => other,
        }
    }

    /// The same error without its message, which may quote a secret.
    fn without_message(&self, fault: &Fault) -> Fault {
        let subject = match fault.argument.and_then(|index| self.parameter(index)) {
            Some(parameter) => format!("`{}` of `{}`", parameter.name, self.name),
            None => format!("a call of `{}`", self.name),
        };
        let message = format!("{subject} is invalid; the reason is hidden because an argument is secret");
        Fault { argument: fault.argument, message, fix: None }
    }

    fn check_argument(&self, index: usize, argument: &Value) -> Result<(), Fault> {
        let Some(parameter) = self.parameter(index) else { return Ok(()) };
        let value = argument.reveal();
        let fits = match value {
            Value::Unknown(unknown) => unknown.shape.is_none_or(|shape| parameter.accepts.takes_shape(shape)),
            known => parameter.accepts.takes(known),
        };
        if fits {
            return Ok(());
        }
        let found: Cow<'_, str> = match (value, value.shape()) {
            (Value::Unknown(_), Some(shape)) => shape.words().into(),
            (Value::Float(_), _) => "a fraction".into(),
            _ => value.type_name().into(),
        };
        let Parameter { name, accepts, .. } = parameter;
        let message = format!("`{name}` of `{}` must be {}, not {found}", self.name, accepts.words());
        let fix = fix(*accepts, value).map(str::to_owned);
        Err(Fault { argument: Some(index), message, fix })
    }
}

impl Accepts {
    /// Whether a known value is accepted.
    fn takes(self, value: &Value) -> bool {
        match (self, value.shape()) {
            (Accepts::Any, _) => true,
            (Accepts::Integer, _) => Number::of(value).and_then(Number::whole).is_some(),
            (_, Some(shape)) => self.takes_shape(shape),
            (_, None) => false,
        }
    }
}

fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

fn fix(accepts: Accepts, found: &Value) -> Option<&'static str> {
    match (accepts, found) {
        (Accepts::Number | Accepts::Integer, Value::Text(_)) => {
            Some("use `tonumber` to convert a string to a number")
        }
        (Accepts::Integer, Value::Float(_)) => Some("use `floor` or `ceil` to make it whole"),
        (Accepts::Bool, Value::Text(_)) => Some("use `tobool` to convert a string to a bool"),
        (Accepts::Text | Accepts::Data, Value::Int(_) | Value::Float(_) | Value::Bool(_)) => {
            Some("use `tostring` to convert it to a string")
        }
        (Accepts::Text | Accepts::Writable, Value::List(_)) => {
            Some("use `join` to make one string of a list")
        }
        (Accepts::List | Accepts::Collection, Value::Text(_)) => Some("write it as a list: `[...]`"),
        (Accepts::List, Value::Map(_)) => Some("use `keys` or `values` to make a list of a map"),
        (Accepts::Text | Accepts::Writable, Value::Bytes(_)) => {
            Some("use `base64encode` to convert bytes to a string")
        }
        _ => None,
    }
}

/// Functions that build results step by step enforce the limits themselves; this covers all others.
fn within_bounds(value: Value) -> Result<Value, Fault> {
    match &value {
        Value::Text(text) if text.len() > LONGEST_TEXT => Err(too_long()),
        Value::List(items) if items.len() > MOST_ELEMENTS => Err(too_many()),
        Value::Map(map) if map.len() > MOST_ELEMENTS => Err(too_many()),
        _ => Ok(value),
    }
}
