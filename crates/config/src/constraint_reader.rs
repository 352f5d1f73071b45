//! Reading the types of params, as they are written.

use uphold_model::{Diagnostic, Name, Value, closest};

use crate::code::Code;
use crate::constraint::{Constraint, Field};
use crate::excerpt::excerpt;
use crate::tree::{Node, NodeId};

const WORDS: [&str; 9] = ["any", "bool", "list", "map", "number", "object", "set", "string", "tuple"];

/// The constraint that an expression names; none for `any`.
pub(crate) fn read_constraint(code: &Code, node: NodeId) -> Result<Option<Constraint>, Box<Diagnostic>> {
    match code.tree.node(node) {
        Node::Name(word) => simple(code, node, word),
        Node::Known(Value::Text(word)) if WORDS.contains(&&**word) => {
            Err(misnamed(code, node, "types are written without quotes", format!("write `{word}`")))
        }
        Node::Call(number) => {
            let call = code.tree.call(*number);
            generic(code, node, &call.function, code.tree.children(call.arguments))
        }
        _ => Err(misnamed(
            code,
            node,
            "this is not a type",
            "write one such as `string` or `list(number)`".into(),
        )),
    }
}

fn simple(code: &Code, node: NodeId, word: &str) -> Result<Option<Constraint>, Box<Diagnostic>> {
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
            return Err(misnamed(code, node, "it must say what is in it", fix.into()));
        }
        other => return Err(unknown_word(code, node, other)),
    }))
}

fn unknown_word(code: &Code, node: NodeId, word: &str) -> Box<Diagnostic> {
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

fn generic(
    code: &Code,
    node: NodeId,
    word: &str,
    of: &[NodeId],
) -> Result<Option<Constraint>, Box<Diagnostic>> {
    let [inner] = of else {
        return match WORDS.contains(&word) {
            true => Err(misnamed(
                code,
                node,
                "it takes one type",
                format!("write `{word}(…)` with one type in it"),
            )),
            false => Err(unknown_word(code, node, word)),
        };
    };
    let boxed = || Ok::<_, Box<Diagnostic>>(read_constraint(code, *inner)?.map(Box::new));
    Ok(Some(match word {
        "list" => Constraint::List(boxed()?),
        "set" => Constraint::Set(boxed()?),
        "map" => Constraint::Map(boxed()?),
        "object" => Constraint::Object(fields(code, *inner)?),
        "tuple" => match code.tree.node(*inner) {
            Node::List(elements) => {
                let elements = code.tree.children(*elements).iter();
                Constraint::Tuple(
                    elements.map(|element| read_constraint(code, *element)).collect::<Result<_, _>>()?,
                )
            }
            _ => {
                return Err(misnamed(
                    code,
                    *inner,
                    "a tuple takes a list of types",
                    "write `tuple([string, number])`".into(),
                ));
            }
        },
        other => return Err(unknown_word(code, node, other)),
    }))
}

fn fields(code: &Code, node: NodeId) -> Result<Vec<Field>, Box<Diagnostic>> {
    let Node::Object(entries) = code.tree.node(node) else {
        return Err(misnamed(
            code,
            node,
            "an object lists its fields",
            "write `object({ name = string })`".into(),
        ));
    };
    code.tree.children(*entries).chunks_exact(2).map(|entry| field(code, entry[0], entry[1])).collect()
}

fn field(code: &Code, key: NodeId, node: NodeId) -> Result<Field, Box<Diagnostic>> {
    let Node::Known(Value::Text(name)) = code.tree.node(key) else {
        return Err(misnamed(code, key, "the name of a field is a plain word", "write `name = type`".into()));
    };
    let name = name.clone();
    if let Node::Call(number) = code.tree.node(node)
        && &*code.tree.call(*number).function == "optional"
    {
        let (inner, default) = match code.tree.children(code.tree.call(*number).arguments) {
            [inner] => (*inner, Value::Null),
            [inner, default] => (*inner, literal(code, *default)?),
            _ => {
                return Err(misnamed(
                    code,
                    node,
                    "`optional` takes a type and perhaps a default",
                    "write `optional(string)` or `optional(string, \"x\")`".into(),
                ));
            }
        };
        return Ok(Field { name, constraint: read_constraint(code, inner)?, default: Some(default) });
    }
    Ok(Field { name, constraint: read_constraint(code, node)?, default: None })
}

/// A value that is written out.
fn literal(code: &Code, node: NodeId) -> Result<Value, Box<Diagnostic>> {
    match code.tree.node(node) {
        Node::Known(value) => Ok(value.clone()),
        Node::List(elements) => {
            let elements = code.tree.children(*elements).iter().map(|element| literal(code, *element));
            Ok(Value::List(elements.collect::<Result<_, _>>()?))
        }
        Node::Object(entries) => {
            let entries = code.tree.children(*entries).chunks_exact(2).map(|entry| {
                let key = literal(code, entry[0])?;
                let name = match key {
                    Value::Text(name) => name,
                    other => other.to_string().into(),
                };
                Ok((name, literal(code, entry[1])?))
            });
            Ok(Value::map(entries.collect::<Result<Vec<(Name, Value)>, Box<Diagnostic>>>()?))
        }
        _ => Err(misnamed(code, node, "a default in a type is written out", "write plain values".into())),
    }
}

fn misnamed(code: &Code, node: NodeId, detail: &str, fix: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("malformed type", detail).at(code.place_of(node)).fix(fix))
}
