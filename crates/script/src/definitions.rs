//! The types of everything that scripts can use, as a Luau definition file for editors.

use std::fmt::Write;

use uphold_functions::{Accepts, Parameter};
use uphold_model::{Need, PropertySchema, Schema, Shape, Type};
use uphold_resource::Registry;

use crate::functions::script_functions;

/// The part that does not depend on the kinds.
const FIXED: &str = include_str!("prelude/definitions.d.luau");

/// A Luau definition file, with a function for each kind: editors use it to complete and check scripts.
pub fn definitions(registry: &Registry) -> String {
    let mut text = FIXED.to_owned();
    write_functions(&mut text);
    for kind in registry.iter() {
        write_kind(&mut text, kind.schema());
    }
    text
}

/// The table `hcl`.
fn write_functions(text: &mut String) {
    text.push_str("\n--- HCL's functions, which `uphold explain NAME` documents.\ndeclare hcl: {\n");
    for function in script_functions() {
        let optional = |parameter: &Parameter| if parameter.optional { "?" } else { "" };
        let parameter = |parameter: &Parameter| {
            format!("{}: {}{}", parameter.name, argument(parameter.accepts), optional(parameter))
        };
        let mut parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        parameters.extend(function.rest.as_ref().map(|rest| format!("...{}", argument(rest.accepts))));
        let result = function.gives.map_or("any", result);
        let doc = first_line(function.doc);
        let _ =
            writeln!(text, "    --- {doc}\n    {}: ({}) -> {result},", function.name, parameters.join(", "));
    }
    text.push_str("}\n");
}

fn argument(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Any => "any",
        Accepts::Text | Accepts::Data => "string",
        Accepts::Writable => "(string | number | boolean)",
        Accepts::Number | Accepts::Integer => "number",
        Accepts::Bool => "boolean",
        Accepts::List => "{ any }",
        Accepts::Map => "{ [string]: any }",
        Accepts::Collection => "any",
    }
}

fn result(shape: Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Bytes => "string",
        Shape::Number => "number",
        Shape::Bool => "boolean",
        Shape::List => "{ any }",
        Shape::Map => "{ [string]: any }",
    }
}

fn write_kind(text: &mut String, schema: &Schema) {
    let class = camel(schema.kind);
    let _ = writeln!(text, "\n--- {}\nexport type {class} = {{", first_line(schema.doc));
    for property in schema.all().into_iter().filter(|property| property.role.is_settable()) {
        write_property(text, property);
    }
    let _ = writeln!(text, "    action: string?,\n    notifies: {{ any }}?,\n    subscribes: {{ any }}?,");
    let _ = writeln!(text, "    only_if: Guard?,\n    not_if: Guard?,\n}}");
    // A fixed declaration hides a kind of the same name.
    let kind = schema.kind;
    if !FIXED.contains(&format!("declare {kind}:")) && !FIXED.contains(&format!("declare function {kind}(")) {
        let _ = writeln!(
            text,
            "declare function {kind}(name: string, properties: {class}?, block: ((Resource) -> ())?): Resource"
        );
    }
}

fn write_property(text: &mut String, property: &PropertySchema) {
    let doc = first_line(property.doc);
    if !doc.is_empty() {
        let _ = writeln!(text, "    --- {doc}");
    }
    let _ = writeln!(text, "    {}: {}?,", property.name, luau(property.ty));
}

fn luau(ty: &Type) -> String {
    match ty {
        Type::Any | Type::Named { .. } => "any".to_owned(),
        Type::Text | Type::Bytes | Type::Reference(_) => "string".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int(..) | Type::Float => "number".to_owned(),
        Type::Enum(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            format!("({})", words.join(" | "))
        }
        Type::List(inner) => format!("{{ {} }}", luau(inner)),
        Type::Map(inner) => format!("{{ [string]: {} }}", luau(inner)),
        Type::Struct(fields) => {
            let mark = |need: Need| if need == Need::Required { "" } else { "?" };
            let field =
                |field: &PropertySchema| format!("{}: {}{}", field.name, luau(field.ty), mark(field.need));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Type::Sensitive(inner) | Type::Nullable(inner) => luau(inner),
    }
}

fn first_line(doc: &str) -> &str {
    doc.lines().next().unwrap_or_default().trim()
}

/// `web_site` as `WebSiteProperties`.
fn camel(kind: &str) -> String {
    let words = kind.split('_').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    });
    format!("{}Properties", words.collect::<String>())
}
