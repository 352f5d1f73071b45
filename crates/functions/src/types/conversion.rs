//! Type conversion.

use uphold_model::{Shape, Value};

use crate::arguments::{written, wrong};
use crate::call::{Call, Fault};
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Parameter, Topic, example, may_take, takes};
use crate::lists::sets::set_of;
use crate::number;

const VALUE: &[Parameter] = &[takes("value", Any)];

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "can",
        topic: Topic::Types,
        parameters: &[takes("expression", Any)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether an expression can be evaluated without an error.",
        examples: &[example("can(\"a\")", "true")],
        body: Body::Can,
    },
    Function {
        name: "env",
        topic: Topic::Types,
        parameters: &[takes("name", Text), may_take("default", Any)],
        rest: None,
        gives: None,
        doc: "Returns an environment variable of the command, or the default if it is not set. Without a \
              default, a missing variable is an error.",
        examples: &[
            example("env(\"HOME\")", "\"/home/ann\""),
            example("env(\"MISSING\", \"none\")", "\"none\""),
        ],
        body: Body::Whole(env),
    },
    Function {
        name: "optional",
        topic: Topic::Types,
        parameters: &[takes("value", Any)],
        rest: None,
        gives: None,
        doc: "Leaves a property unset if the value is null, as if its line did not exist. It must be the \
              whole value of a property (also in an `edit` block) or of an argument of a module: `owner = \
              optional(param.owner)`. An argument that is left out has its default. The value may be known \
              only after apply. It is an error anywhere else.",
        examples: &[],
        body: Body::Optional,
    },
    Function {
        name: "tobool",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Converts the strings `true` and `false` to bools. Bools and null stay as they are.",
        examples: &[example("tobool(\"true\")", "true")],
        body: Body::Whole(tobool),
    },
    Function {
        name: "tolist",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Returns a list as it is; any other value is an error. Null stays null.",
        examples: &[example("tolist([\"b\", \"a\"])", "[\"b\", \"a\"]")],
        body: Body::Parts(tolist),
    },
    Function {
        name: "tomap",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Returns a map as it is; any other value is an error. Null stays null.",
        examples: &[example("tomap({ a = 1 })", "{ a = 1 }")],
        body: Body::Parts(tomap),
    },
    Function {
        name: "tonumber",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Converts a decimal string to a number. Numbers and null stay as they are.",
        examples: &[example("tonumber(\"42\")", "42"), example("tonumber(\"1.5e3\")", "1500")],
        body: Body::Whole(tonumber),
    },
    Function {
        name: "toset",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Converts a list to a set: sorted and without duplicates. Null stays null.",
        examples: &[example("toset([\"c\", \"b\", \"b\"])", "[\"b\", \"c\"]")],
        body: Body::Whole(toset),
    },
    Function {
        name: "tostring",
        topic: Topic::Types,
        parameters: VALUE,
        rest: None,
        gives: None,
        doc: "Converts a number or a bool to a string. Strings and null stay as they are.",
        examples: &[example("tostring(1.5)", "\"1.5\""), example("tostring(true)", "\"true\"")],
        body: Body::Whole(tostring),
    },
    Function {
        name: "try",
        topic: Topic::Types,
        parameters: &[takes("expression", Any)],
        rest: Some(takes("expressions", Any)),
        gives: None,
        doc: "Returns the value of the first argument that can be evaluated. It is an error if there is none.",
        examples: &[example("try(\"a\", \"b\")", "\"a\"")],
        body: Body::Try,
    },
];

fn env(call: &Call<'_>) -> Result<Value, Fault> {
    let name = call.text(0)?;
    match (call.surroundings.variable(name), call.given(1)) {
        (Some(text), _) => Ok(Value::text(text)),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => {
            let fault = Fault::at(0, format!("the variable {name:?} is not set in the environment"));
            Err(fault.with_fix("pass a default"))
        }
    }
}

fn tobool(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        value @ (Value::Null | Value::Bool(_)) => Ok(value.clone()),
        Value::Text(text) => match &**text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(Fault::at(0, format!("{text:?} is not a bool")).with_fix("write `true` or `false`")),
        },
        other => Err(wrong(0, "a bool or a string", other)),
    }
}

fn tolist(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        value @ (Value::Null | Value::List(_)) => Ok(value.clone()),
        other => Err(wrong(0, "a list", other)
            .with_fix("use `keys` or `values` for a map, `[...]` for a single value")),
    }
}

fn tomap(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        value @ (Value::Null | Value::Map(_)) => Ok(value.clone()),
        other => Err(wrong(0, "a map", other).with_fix("use `zipmap` to make a map of lists")),
    }
}

fn tonumber(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        value @ (Value::Null | Value::Int(_) | Value::Float(_)) => Ok(value.clone()),
        Value::Text(text) if number::is_whole(text) && text.parse::<i64>().is_err() => {
            Err(Fault::at(0, number::too_wide(text)))
        }
        Value::Text(text) => number::parse(text).ok_or_else(|| {
            Fault::at(0, format!("{text:?} is not a number"))
                .with_fix("use `parseint` for bases other than 10")
        }),
        other => Err(wrong(0, "a number or a string", other)),
    }
}

fn toset(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        Value::Null => Ok(Value::Null),
        Value::List(items) => Ok(set_of(items)),
        other => Err(wrong(0, "a list", other)
            .with_fix("use `keys` or `values` for a map, `[...]` for a single value")),
    }
}

fn tostring(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0)? {
        Value::Null => Ok(Value::Null),
        value => {
            match written(value) {
                Some(text) => Ok(Value::text(text)),
                None => Err(wrong(0, "a string, a number or a bool", value)
                    .with_fix("use `jsonencode` for any value")),
            }
        }
    }
}
