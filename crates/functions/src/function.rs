//! Descriptions of functions, for calls and for documentation.

use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};

/// One function. All of it is static data.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The topic of its documentation.
    pub topic: Topic,
    /// Its parameters, in order.
    pub parameters: &'static [Parameter],
    /// A parameter that takes any number of further arguments.
    pub rest: Option<Parameter>,
    /// The shape of every result, if it is known before the call. Then no result is null.
    pub gives: Option<Shape>,
    /// A one-sentence summary, then details.
    pub doc: &'static str,
    /// Calls with their results; a test runs each.
    pub examples: &'static [Example],
    /// How it is computed.
    pub body: Body,
}

/// One parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in documentation and messages.
    pub name: &'static str,
    /// The accepted types.
    pub accepts: Accepts,
    /// Whether it can be left out, together with all that follow.
    pub optional: bool,
}

/// The types that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Any value, including null.
    Any,
    /// A string.
    Text,
    /// A string, a number or a bool, converted to a string.
    Writable,
    /// A string, or bytes.
    Data,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Bool,
    /// A list.
    List,
    /// A map.
    Map,
    /// A list or a map.
    Collection,
}

/// A required parameter.
pub(crate) const fn takes(name: &'static str, accepts: Accepts) -> Parameter {
    Parameter { name, accepts, optional: false }
}

/// An optional parameter.
pub(crate) const fn may_take(name: &'static str, accepts: Accepts) -> Parameter {
    Parameter { name, accepts, optional: true }
}

/// An expression and its result, both as HCL.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The call.
    pub call: &'static str,
    /// Its value, as [`uphold_model::Value`] prints it.
    pub result: &'static str,
}

/// A call and its result.
pub(crate) const fn example(call: &'static str, result: &'static str) -> Example {
    Example { call, result }
}

/// How a function is computed.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// From whole values: if any part of an argument is unknown or secret, so is the result.
    Whole(fn(&Call<'_>) -> Result<Value, Fault>),
    /// By moving parts without reading them: they can be unknown or secret, but the arguments themselves cannot.
    Parts(fn(&Call<'_>) -> Result<Value, Fault>),
    /// From whole values, some of which can be unknown: none if the known ones do not decide.
    Deciding(fn(&Call<'_>) -> Result<Option<Value>, Fault>),
    /// By moving arguments without reading their parts: arguments after the decisive one can be unknown.
    First(fn(&Call<'_>) -> Result<Value, Fault>),
    /// From the values as they are, including secret ones. An unknown argument makes the result unknown.
    Raw(fn(&Call<'_>) -> Result<Value, Fault>),
    /// The value of the first argument that can be evaluated. Implemented by the evaluator.
    Try,
    /// Whether the argument can be evaluated. Implemented by the evaluator.
    Can,
    /// The argument; null leaves the property unset. Implemented by the reader of the property.
    Optional,
}

/// Topics of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Strings.
    Strings,
    /// Lists and sets.
    Lists,
    /// Maps.
    Maps,
    /// Numbers.
    Numbers,
    /// JSON, YAML, base64 and the like.
    Encoding,
    /// Digests.
    Hashing,
    /// Paths, without access to the machine.
    Paths,
    /// Files relative to the configuration.
    Files,
    /// Dates and durations.
    Time,
    /// Regular expressions.
    Patterns,
    /// IP addresses and networks.
    Networks,
    /// Types, secrets, and errors in expressions.
    Types,
}

impl Accepts {
    /// The accepted types in error messages.
    pub fn words(self) -> &'static str {
        match self {
            Accepts::Any => "any value",
            Accepts::Text => "a string",
            Accepts::Writable => "a string, a number or a bool",
            Accepts::Data => "a string or bytes",
            Accepts::Number => "a number",
            Accepts::Integer => "a whole number",
            Accepts::Bool => "a bool",
            Accepts::List => "a list",
            Accepts::Map => "a map",
            Accepts::Collection => "a list or a map",
        }
    }

    /// Whether an unknown value of this shape may turn out to be accepted.
    pub fn takes_shape(self, shape: Shape) -> bool {
        match self {
            Accepts::Any => true,
            Accepts::Text => shape == Shape::Text,
            Accepts::Writable => matches!(shape, Shape::Text | Shape::Number | Shape::Bool),
            Accepts::Data => matches!(shape, Shape::Text | Shape::Bytes),
            Accepts::Number | Accepts::Integer => shape == Shape::Number,
            Accepts::Bool => shape == Shape::Bool,
            Accepts::List => shape == Shape::List,
            Accepts::Map => shape == Shape::Map,
            Accepts::Collection => matches!(shape, Shape::List | Shape::Map),
        }
    }
}
