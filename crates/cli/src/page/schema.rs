//! The schema for editors: `docs/schema.md` specifies it.

use uphold::functions::{Function, Parameter, all};
use uphold::model::{BLOCKS, META, ROOTS, Shape};
use uphold::resource::{FACTS, Kind, Registry};
use uphold_wire::{Format, schema as wire};

use super::example::example;
use super::function::{about, by_topic, signature, title};

pub(crate) fn schema_text(kinds: &Registry) -> String {
    let topics = by_topic().into_keys();
    uphold_wire::document(&wire::SchemaDocument {
        blocks: list(BLOCKS),
        facts: list(FACTS),
        format: "uphold-schema".into(),
        format_version: wire::SchemaDocument::VERSION,
        functions: functions(),
        kinds: kinds.iter().map(kind).collect(),
        meta_arguments: list(META),
        roots: list(ROOTS),
        topics: topics
            .map(|topic| wire::Documented { doc: about(topic).into(), name: title(topic).into() })
            .collect(),
    })
}

/// Converts a table.
pub(crate) fn list<'a, T, W: From<&'a T>>(table: &'a [T]) -> Vec<W> {
    table.iter().map(W::from).collect()
}

pub(crate) fn kind(kind: &Kind) -> wire::Kind {
    wire::Kind::new(kind.schema(), kind.defined_in(), example(kind.schema()))
}

pub(crate) fn functions() -> Vec<wire::Function> {
    all().iter().map(|one| function(one)).collect()
}

pub(crate) fn function(function: &Function) -> wire::Function {
    let example = |example: &uphold::functions::Example| wire::Example {
        call: example.call.into(),
        result: example.result.into(),
    };
    wire::Function {
        doc: function.doc.into(),
        examples: function.examples.iter().map(example).collect(),
        name: function.name.into(),
        parameters: function.parameters.iter().map(parameter).collect(),
        return_type: function.gives.map(Shape::words).map(Into::into),
        signature: signature(function),
        topic: title(function.topic).into(),
        variadic_parameter: function.rest.as_ref().map(parameter),
    }
}

fn parameter(parameter: &Parameter) -> wire::Parameter {
    let (accepts, name) = (parameter.accepts.words().into(), parameter.name.into());
    wire::Parameter { accepts, name, optional: parameter.optional }
}
