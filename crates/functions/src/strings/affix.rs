//! What stands at the ends of a text.

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
        doc: "Removes the line ends at the end of a text.",
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
        doc: "Tells whether a text ends with another.",
        examples: &[example("endswith(\"hello world\", \"world\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.ends_with(&*call.written(1)?)))),
    },
    Function {
        name: "startswith",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("prefix", Writable)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Tells whether a text starts with another.",
        examples: &[example("startswith(\"hello world\", \"hello\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.starts_with(&*call.written(1)?)))),
    },
    Function {
        name: "strcontains",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("part", Writable)],
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Tells whether a text contains another. To search a list, use `contains`.",
        examples: &[example("strcontains(\"hello world\", \"wor\")", "true")],
        body: Body::Whole(|call| Ok(Value::Bool(call.written(0)?.contains(&*call.written(1)?)))),
    },
    Function {
        name: "trim",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("characters", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes from both ends of a text all characters that are in a set of characters.",
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
        doc: "Removes a prefix, once, if the text starts with it.",
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
        doc: "Removes white space, line ends included, from both ends of a text.",
        examples: &[example("trimspace(\"  hello\\n\\n\")", "\"hello\"")],
        body: Body::Whole(|call| Ok(Value::text(call.written(0)?.trim()))),
    },
    Function {
        name: "trimsuffix",
        topic: Topic::Strings,
        parameters: &[takes("text", Writable), takes("suffix", Writable)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Removes a suffix, once, if the text ends with it.",
        examples: &[example("trimsuffix(\"helloworld\", \"world\")", "\"hello\"")],
        body: Body::Whole(|call| {
            let (text, suffix) = (call.written(0)?, call.written(1)?);
            Ok(Value::text(text.strip_suffix(&*suffix).unwrap_or(&text)))
        }),
    },
];
