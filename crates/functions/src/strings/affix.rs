//! Prefixes, suffixes and trimming.

use uphold_model::{Shape, Value};

use crate::function::Accepts::Writable;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "chomp",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes line breaks at the end of a string.",
        examples: &[
            example("chomp(\"hello\\n\")", "\"hello\""),
            example("chomp(\"hello\\r\\n\\n\")", "\"hello\""),
        ],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.trim_end_matches(['\r', '\n'])))),
    },
    Function {
        name: "endswith",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("suffix", Writable)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a string ends with another one.",
        examples: &[example("endswith(\"hello world\", \"world\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.ends_with(&*call.written(1)?)))),
    },
    Function {
        name: "startswith",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("prefix", Writable)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a string starts with another one.",
        examples: &[example("startswith(\"hello world\", \"hello\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.starts_with(&*call.written(1)?)))),
    },
    Function {
        name: "strcontains",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("part", Writable)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a string contains another one. Use `contains` to search a list.",
        examples: &[example("strcontains(\"hello world\", \"wor\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.contains(&*call.written(1)?)))),
    },
    Function {
        name: "trim",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("characters", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes all characters of a set from both ends of a string.",
        examples: &[
            example("trim(\"?!hello?!\", \"!?\")", "\"hello\""),
            example("trim(\"foobar\", \"far\")", "\"oob\""),
        ],
        body: Body::Whole(|call| {
            let characters: std::collections::BTreeSet<char> = call.written(1)?.chars().collect();
            Ok(Value::text(call.written(0)?.trim_matches(|c| characters.contains(&c))))
        }),
    },
    Function {
        name: "trimprefix",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("prefix", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes a prefix from a string, once, if the string starts with it.",
        examples: &[example("trimprefix(\"helloworld\", \"hello\")", "\"world\"")],
        body: Body::Whole(|call| {
            let (text, prefix) = (call.written(0)?, call.written(1)?);
            Ok(Value::text(text.strip_prefix(&*prefix).unwrap_or(&text)))
        }),
    },
    Function {
        name: "trimspace",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes white space, including line breaks, from both ends of a string.",
        examples: &[example("trimspace(\"  hello\\n\\n\")", "\"hello\"")],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.trim()))),
    },
    Function {
        name: "trimsuffix",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("suffix", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes a suffix from a string, once, if the string ends with it.",
        examples: &[example("trimsuffix(\"helloworld\", \"world\")", "\"hello\"")],
        body: Body::Whole(|call| {
            let (text, suffix) = (call.written(0)?, call.written(1)?);
            Ok(Value::text(text.strip_suffix(&*suffix).unwrap_or(&text)))
        }),
    },
];
