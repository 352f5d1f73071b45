//! A function, as it is called and as it is documented.

use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};

/// One function. All of it is static data.
#[derive(Debug)]
pub struct Function {
    /// What is written before the parentheses.
    pub name: &'static str,
    /// Where its page stands.
    pub topic: Topic,
    /// What it takes, in order.
    pub parameters: &'static [Parameter],
    /// What it takes any number of, after those.
    pub rest: Option<Parameter>,
    /// What every result is, if that can be told before the call. No such result is null.
    pub gives: Option<Shape>,
    /// What it does: a sentence, then what is worth knowing.
    pub doc: &'static str,
    /// Calls with their results; each is run by a test.
    pub examples: &'static [Example],
    /// How it is computed.
    pub body: Body,
}

/// One parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What it is called in documentation and messages.
    pub name: &'static str,
    /// What may be passed.
    pub accepts: Accepts,
    /// Whether it may be left out, together with all after it.
    pub optional: bool,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Anything, null included.
    Any,
    /// Text.
    Text,
    /// Text, a number or a bool: written as text.
    Writable,
    /// Text, or bytes that are not text.
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

/// A parameter that must be given.
pub(crate) const fn takes(name: &'static str, accepts: Accepts) -> Parameter {
    Parameter { name, accepts, optional: false }
}

/// A parameter that may be left out.
pub(crate) const fn may_take(name: &'static str, accepts: Accepts) -> Parameter {
    Parameter { name, accepts, optional: true }
}

/// An expression and what it gives, both as HCL.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The call.
    pub call: &'static str,
    /// Its value as [`uphold_model::Value`] prints it.
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
    /// By moving parts without looking at them: they may be unknown or secret, the arguments themselves are not.
    Parts(fn(&Call<'_>) -> Result<Value, Fault>),
    /// From whole values, some of which may be unknown: none if those that are known do not decide.
    Deciding(fn(&Call<'_>) -> Result<Option<Value>, Fault>),
    /// By moving arguments without looking into them: those that come too late to matter may be unknown.
    First(fn(&Call<'_>) -> Result<Value, Fault>),
    /// From the values as they are, also secret ones. Unknown in, unknown out.
    Raw(fn(&Call<'_>) -> Result<Value, Fault>),
    /// The value of the first argument that can be evaluated. The evaluator does it.
    Try,
    /// Whether the argument can be evaluated. The evaluator does it.
    Can,
    /// The argument; null leaves what it is the value of unset. Whoever reads that value does it.
    Optional,
}

/// What functions are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Text.
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
    /// Paths, without looking at the machine.
    Paths,
    /// Files beside the configuration.
    Files,
    /// Dates and durations.
    Time,
    /// Regular expressions.
    Patterns,
    /// Addresses.
    Networks,
    /// Types, secrets, and what cannot be evaluated.
    Types,
}

impl Accepts {
    /// In the words of error messages.
    pub fn words(self) -> &'static str {
        match self {
            Accepts::Any => "any value",
            Accepts::Text => "text",
            Accepts::Writable => "text, a number or a bool",
            Accepts::Data => "text or bytes",
            Accepts::Number => "a number",
            Accepts::Integer => "a whole number",
            Accepts::Bool => "a bool",
            Accepts::List => "a list",
            Accepts::Map => "a map",
            Accepts::Collection => "a list or a map",
        }
    }

    /// Whether a value of this shape may turn out to be accepted.
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
