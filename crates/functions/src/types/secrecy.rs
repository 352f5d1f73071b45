//! Secrets, and the types of values.

use uphold_model::{Shape, Value};

use crate::call::Inspection;
use crate::function::Accepts::Any;
use crate::function::{Body, Function, Parameter, Topic, example, takes};

const VALUE: &[Parameter] = &[takes("value", Any)];

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "issensitive",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a value, or any part of it, is secret. The result itself is not secret.",
        examples: &[example("issensitive(sensitive(\"x\"))", "true"), example("issensitive(\"x\")", "false")],
        body: Body::Raw(|call| Ok(Value::Bool(Inspection::of([call.value(0)?])?.secret))),
    },
    Function {
        name: "nonsensitive",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Removes the secrecy of a value, so that it is shown. Parts that are secret by themselves stay \
              secret. Use it only if the result reveals nothing, such as `nonsensitive(length(...))`.",
        examples: &[example("nonsensitive(sensitive(\"x\"))", "\"x\"")],
        body: Body::Raw(|call| Ok(call.value(0)?.reveal().clone())),
    },
    Function {
        name: "sensitive",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Makes a value secret: neither it nor anything computed from it is shown.",
        examples: &[example("sensitive(\"x\")", "(sensitive value)")],
        body: Body::Raw(|call| Ok(call.value(0)?.clone().sensitive())),
    },
    Function {
        name: "type",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the type of a value: `string`, `number`, `bool`, `list`, `map`, `bytes`, `resource` or \
              `null`. It also works for a secret, whose type is not secret.",
        examples: &[example("type([1, 2])", "\"list\""), example("type(sensitive(\"x\"))", "\"string\"")],
        body: Body::Raw(|call| Ok(Value::text(type_name(call.value(0)?.reveal())))),
    },
];

fn type_name(value: &Value) -> &'static str {
    match value.shape() {
        Some(Shape::Bool) => "bool",
        Some(Shape::Number) => "number",
        Some(Shape::Text) => "string",
        Some(Shape::Bytes) => "bytes",
        Some(Shape::List) => "list",
        Some(Shape::Map) => "map",
        None if *value == Value::Null => "null",
        None => "resource",
    }
}
