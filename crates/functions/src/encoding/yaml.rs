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
        doc: "Reads one YAML 1.2 document, with anchors, aliases and merge keys. `yes` and `no` are texts, \
              as are dates. An empty document is null.",
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
        doc: "Writes a value as YAML in block style, with sorted keys. All texts are quoted, or are blocks \
              if they have several lines, so that no reader takes them for anything else.",
        examples: &[example(
            "yamlencode({ a = \"b\", c = [1, true] })",
            "\"\\\"a\\\": \\\"b\\\"\\n\\\"c\\\":\\n- 1\\n- true\\n\"",
        )],
        body: Body::Whole(|call| encode(call.value(0)?).map(Value::text)),
    },
];
