//! Parsing the types of params.

use uphold_model::{Code, Diagnostic, Name, Value, closest};

use crate::constraint::{Constraint, Field};
use crate::excerpt::excerpt;
use crate::tree::{Children, Literal, Node, NodeId, TreeView};

const WORDS: [&str; 9] = ["any", "bool", "list", "map", "number", "object", "set", "string", "tuple"];

/// The type that an expression denotes; none for `any`.
pub(crate) fn read_constraint(
    code: TreeView<'_>,
    node: NodeId,
) -> Result<Option<Constraint>, Box<Diagnostic>> {
    match code.node(node) {
        Node::Name(word) => simple(code, node, word),
        Node::Known(Literal::Text(word)) if WORDS.contains(&word) => {
            Err(misnamed(code, node, "types are written without quotes", format!("write `{word}`")))
        }
        Node::Object(_) => {
            let fix =
                "write `object({ … })` with a type for each field, or `map(object({ … }))` for any keys";
            Err(misnamed(code, node, "this is not a type", fix.into()))
        }
        Node::Call(call) => generic(code, node, call.function, call.arguments),
        _ => Err(misnamed(
            code,
            node,
            "this is not a type",
            "write one such as `string` or `list(number)`".into(),
        )),
    }
}

fn simple(code: TreeView<'_>, node: NodeId, word: &str) -> Result<Option<Constraint>, Box<Diagnostic>> {
    Ok(Some(match word {
        "any" => return Ok(None),
        "string" => Constraint::Text,
        "number" => Constraint::Number,
        "bool" => Constraint::Bool,
        "list" => Constraint::List(None),
        "set" => Constraint::Set(None),
        "map" => Constraint::Map(None),
        "object" | "tuple" => {
            let fix = if word == "object" {
                "write `object({ name = string })`"
            } else {
                "write `tuple([string, number])`"
            };
            return Err(misnamed(code, node, "this type must list its contents", fix.into()));
        }
        other => return Err(unknown_word(code, node, other)),
    }))
}

fn unknown_word(code: TreeView<'_>, node: NodeId, word: &str) -> Box<Diagnostic> {
    if word == "optional" {
        return optional_type(code, node);
    }
    let meant = match word {
        "text" | "str" | "String" => Some("string"),
        "int" | "integer" | "float" => Some("number"),
        "boolean" => Some("bool"),
        "array" => Some("list"),
        "dict" | "hash" => Some("map"),
        other => closest(other, WORDS),
    };
    let fix = meant.map_or_else(
        || format!("choose one of {}", WORDS.join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    misnamed(code, node, &format!("there is no type {}", excerpt(word)), fix)
}

/// `optional(number, 5)` outside an object, where a param has attributes for it.
fn optional_type(code: TreeView<'_>, node: NodeId) -> Box<Diagnostic> {
    let argument = |number| match code.node(node) {
        Node::Call(call) => call.arguments.get(number),
        _ => None,
    };
    let of = argument(0).and_then(|of| read_constraint(code, of).ok());
    let of = of.map(|of| of.map_or_else(|| "any".to_owned(), |of| of.to_string()));
    let of = of.map(|of| of.replace("object", "object({ … })").replace("tuple", "tuple([…])"));
    let default = argument(1).and_then(|default| literal(code, default).ok());
    let fix = match (of, default) {
        (Some(of), Some(default)) => format!("write `type = {of}` and `default = {default}`"),
        (Some(of), None) => {
            format!("write `type = {of}`; for a param that may be unset, add `required = false`")
        }
        _ => "write the type alone; for a param that may be unset, add `required = false`".to_owned(),
    };
    misnamed(code, node, "`optional` is only for fields of an object", fix)
}

fn generic(
    code: TreeView<'_>,
    node: NodeId,
    word: &str,
    of: Children<'_>,
) -> Result<Option<Constraint>, Box<Diagnostic>> {
    let Some(inner) = of.single() else {
        return if WORDS.contains(&word) {
            Err(misnamed(
                code,
                node,
                "this type takes one argument",
                format!("write `{word}(…)` with one type in it"),
            ))
        } else {
            Err(unknown_word(code, node, word))
        };
    };
    let boxed = || Ok::<_, Box<Diagnostic>>(read_constraint(code, inner)?.map(Box::new));
    Ok(Some(match word {
        "list" => Constraint::List(boxed()?),
        "set" => Constraint::Set(boxed()?),
        "map" => Constraint::Map(boxed()?),
        "object" => Constraint::Object(fields(code, inner)?),
        "tuple" => match code.node(inner) {
            Node::List(elements) => {
                let elements = elements.iter().map(|element| read_constraint(code, element));
                Constraint::Tuple(elements.collect::<Result<_, _>>()?)
            }
            _ => {
                return Err(misnamed(
                    code,
                    inner,
                    "a tuple takes a list of types",
                    "write `tuple([string, number])`".into(),
                ));
            }
        },
        other => return Err(unknown_word(code, node, other)),
    }))
}

fn fields(code: TreeView<'_>, node: NodeId) -> Result<Vec<Field>, Box<Diagnostic>> {
    let Node::Object(entries) = code.node(node) else {
        return Err(misnamed(
            code,
            node,
            "an object lists its fields",
            "write `object({ name = string })`".into(),
        ));
    };
    entries.pairs().map(|(key, node)| field(code, key, node)).collect()
}

fn field(code: TreeView<'_>, key: NodeId, node: NodeId) -> Result<Field, Box<Diagnostic>> {
    let Node::Known(Literal::Text(name)) = code.node(key) else {
        return Err(misnamed(code, key, "a field name must be a plain word", "write `name = type`".into()));
    };
    if let Node::Call(call) = code.node(node)
        && call.function == "optional"
    {
        let mut arguments = call.arguments.iter();
        let (constraint, default) = match (arguments.next(), arguments.next(), arguments.next()) {
            (Some(inner), None, _) => (read_constraint(code, inner)?, Value::Null),
            (Some(inner), Some(default), None) => {
                let constraint = read_constraint(code, inner)?;
                let default = default_of(code, name, constraint.as_ref(), default)?;
                (constraint, default)
            }
            _ => {
                return Err(misnamed(
                    code,
                    node,
                    "`optional` takes a type and an optional default",
                    "write `optional(string)` or `optional(string, \"x\")`".into(),
                ));
            }
        };
        return Ok(Field { name: name.into(), constraint, default: Some(default) });
    }
    Ok(Field { name: name.into(), constraint: read_constraint(code, node)?, default: None })
}

/// The default of a field, converted to its type: nested fields that it leaves out get their own defaults.
fn default_of(
    code: TreeView<'_>,
    field: &str,
    constraint: Option<&Constraint>,
    node: NodeId,
) -> Result<Value, Box<Diagnostic>> {
    let value = literal(code, node)?;
    // Null means that there is no default, for every type.
    let Some(constraint) = constraint.filter(|_| value != Value::Null) else { return Ok(value) };
    constraint.convert(&value).map_err(|mismatch| {
        let of = excerpt(&format!("{field}{}", mismatch.at));
        let detail = format!("the default of {of} {}", mismatch.what);
        // Without the hint of the mismatch: no function can be called here.
        let fix = format!("write a default of the type `{constraint}`");
        Box::new(Diagnostic::new(Code::ParamType, detail).at(code.place_of(node)).fix(fix))
    })
}

/// A literal value.
fn literal(code: TreeView<'_>, node: NodeId) -> Result<Value, Box<Diagnostic>> {
    match code.node(node) {
        Node::Known(literal) => Ok(literal.value()),
        Node::List(elements) => {
            let elements = elements.iter().map(|element| literal(code, element));
            Ok(Value::List(elements.collect::<Result<_, _>>()?))
        }
        Node::Object(entries) => {
            let entries = entries.pairs().map(|(key, value)| {
                let key = literal(code, key)?;
                let name = match key {
                    Value::Text(name) => name,
                    other => other.to_string().into(),
                };
                Ok((name, literal(code, value)?))
            });
            Ok(Value::map(entries.collect::<Result<Vec<(Name, Value)>, Box<Diagnostic>>>()?))
        }
        _ => Err(misnamed(
            code,
            node,
            "a default in a type must be a literal value",
            "write plain values".into(),
        )),
    }
}

fn misnamed(code: TreeView<'_>, node: NodeId, detail: &str, fix: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::MalformedType, detail).at(code.place_of(node)).fix(fix))
}
