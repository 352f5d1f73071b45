//! YAML.

use uphold_model::{Shape, Value};

use super::yaml_reader::decode;
use super::yaml_writer::encode;
use crate::call::Fault;
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "yamldecode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text)],
        rest: None,
        gives: None,
        doc: "Parses one YAML 1.2 document, with anchors, aliases and merge keys. `yes`, `no` and dates are \
              strings. An empty document is null.",
        examples: &[
            example("yamldecode(\"hello: [1, yes, ~]\")", "{ hello = [1, \"yes\", null] }"),
            example("yamldecode(\"a: &x {b: 1}\\nc: *x\")", "{ a = { b = 1 }, c = { b = 1 } }"),
        ],
        body: Body::Whole(|call| decode(call.text(0)?).map_err(|message| Fault::at(0, message))),
    },
    Function {
        name: "yamlencode",
        topic: Topic::Encoding,
        parameters: &[takes("value", Any)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a value as YAML in block style, with sorted keys. Every string is quoted, or a block if \
              it has several lines, so that no parser takes it for another type.",
        examples: &[example(
            "yamlencode({ a = \"b\", c = [1, true] })",
            "\"\\\"a\\\": \\\"b\\\"\\n\\\"c\\\":\\n- 1\\n- true\\n\"",
        )],
        body: Body::Whole(|call| encode(call.value(0)?).map(Value::text)),
    },
];
