//! All that is known, as one JSON document for editors. `docs/schema.md` says what it looks like.

use serde_json::{Value as Json, json};
use uphold::functions::{Function, Parameter, all};
use uphold::model::{BLOCKS, BlockSchema, META, MetaSchema, ROOTS, RootSchema};
use uphold::resource::{FACTS, Registry};

use super::fact::fact_json;
use super::function::{about, by_topic, signature, title};
use super::json::kind_json;

/// Goes up when a reader of the old shape would misunderstand the new one. New keys may come at any time.
const VERSION: u32 = 1;

/// The whole document.
fn schema_json(kinds: &Registry) -> Json {
    json!({
        "format": "uphold-schema",
        "version": VERSION,
        "kinds": kinds.iter().map(kind_json).collect::<Vec<_>>(),
        "topics": topics_json(),
        "functions": functions_json(),
        "facts": FACTS.iter().map(|fact| fact_json(fact, None)).collect::<Vec<_>>(),
        "meta_arguments": META.iter().map(meta_json).collect::<Vec<_>>(),
        "blocks": BLOCKS.iter().map(block_json).collect::<Vec<_>>(),
        "roots": ROOTS.iter().map(root_json).collect::<Vec<_>>(),
    })
}

/// The whole document as it is printed.
pub(crate) fn schema_text(kinds: &Registry) -> String {
    uphold_wire::visible(format!("{:#}\n", schema_json(kinds)))
}

fn topics_json() -> Vec<Json> {
    by_topic().keys().map(|topic| json!({ "name": title(*topic), "doc": about(*topic) })).collect()
}

/// All functions.
pub(crate) fn functions_json() -> Vec<Json> {
    all().iter().map(|function| function_json(function)).collect()
}

/// All that is known of a function.
pub(crate) fn function_json(function: &Function) -> Json {
    let example =
        |example: &uphold::functions::Example| json!({ "call": example.call, "result": example.result });
    json!({
        "name": function.name,
        "topic": title(function.topic),
        "signature": signature(function),
        "doc": function.doc,
        "parameters": function.parameters.iter().map(parameter_json).collect::<Vec<_>>(),
        "rest": function.rest.as_ref().map(parameter_json),
        "gives": function.gives.map(uphold::model::Shape::words),
        "examples": function.examples.iter().map(example).collect::<Vec<_>>(),
    })
}

fn parameter_json(parameter: &Parameter) -> Json {
    json!({
        "name": parameter.name,
        "accepts": parameter.accepts.words(),
        "optional": parameter.optional,
    })
}

/// All that is known of a meta argument.
pub(crate) fn meta_json(meta: &MetaSchema) -> Json {
    json!({
        "name": meta.name,
        "takes": meta.takes,
        "doc": meta.doc,
        "example": meta.example,
    })
}

/// All that is known of a block of the language.
pub(crate) fn block_json(block: &BlockSchema) -> Json {
    let attribute = |attribute: &uphold::model::BlockAttribute| {
        json!({
            "name": attribute.name,
            "takes": attribute.takes,
            "required": attribute.required,
            "doc": attribute.doc,
        })
    };
    json!({
        "name": block.name,
        "head": block.head,
        "doc": block.doc,
        "attributes": block.attributes.iter().map(attribute).collect::<Vec<_>>(),
        "example": block.example,
    })
}

/// All that is known of the first word of a reference.
pub(crate) fn root_json(root: &RootSchema) -> Json {
    json!({ "name": root.name, "form": root.form, "doc": root.doc })
}
