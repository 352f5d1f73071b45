//! Constraints: the types of params, such as `list(string)`.

use std::fmt;

use uphold_model::{Diagnostic, Map, Name, Shape, Value, closest};

use crate::code::Code;
use crate::excerpt::excerpt;
use crate::tree::{Node, NodeId};

/// What a param takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constraint {
    Text,
    Number,
    Bool,
    /// Of these; none if of anything.
    List(Option<Box<Constraint>>),
    /// A list without order and duplicates.
    Set(Option<Box<Constraint>>),
    Map(Option<Box<Constraint>>),
    Object(Vec<Field>),
    /// A list with a type for each place.
    Tuple(Vec<Option<Constraint>>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    name: Name,
    constraint: Option<Constraint>,
    /// `optional(type, default)`: what it is when it is left out.
    default: Option<Value>,
}

/// Why a value does not fit.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// The way to the part that does not: `.ports[0]`.
    pub(crate) at: String,
    /// What is wrong with it.
    pub(crate) what: String,
    pub(crate) fix: Option<String>,
}

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

impl Constraint {
    /// The value, if it fits: with defaults of objects filled in, and sets in order.
    pub(crate) fn convert(&self, value: &Value) -> Result<Value, Misfit> {
        match (self, value) {
            (_, Value::Sensitive(inner)) => Ok(self.convert(inner)?.sensitive()),
            (_, Value::Unknown(unknown)) if unknown.shape.is_none_or(|shape| shape == self.shape()) => {
                Ok(value.clone())
            }
            (Constraint::Text, Value::Text(_))
            | (Constraint::Number, Value::Int(_) | Value::Float(_))
            | (Constraint::Bool, Value::Bool(_))
            | (Constraint::List(None), Value::List(_))
            | (Constraint::Map(None), Value::Map(_)) => Ok(value.clone()),
            (Constraint::List(Some(inner)), Value::List(items)) => {
                Ok(Value::List(elements(inner, items)?.into()))
            }
            (Constraint::Set(inner), Value::List(items)) => set(inner.as_deref(), items),
            (Constraint::Tuple(types), Value::List(items)) => tuple(types, items),
            (Constraint::Map(Some(inner)), Value::Map(map)) => {
                let entries = map.iter().map(|(key, value)| {
                    Ok((
                        key.clone(),
                        inner.convert(value).map_err(|misfit| misfit.inside(&format!("[{key:?}]")))?,
                    ))
                });
                Ok(Value::Map(entries.collect::<Result<Map, Misfit>>()?.into()))
            }
            (Constraint::Object(fields), Value::Map(map)) => object(fields, map),
            _ => Err(self.misfit(value)),
        }
    }

    fn misfit(&self, found: &Value) -> Misfit {
        let fix = match (self, found) {
            (Constraint::Number, Value::Text(_)) => {
                Some("write the number without quotes, or `tonumber(…)`".into())
            }
            (Constraint::Bool, Value::Text(_)) => Some("write true or false without quotes".into()),
            (Constraint::Text, Value::Int(_) | Value::Float(_) | Value::Bool(_)) => {
                Some("write it in quotes, or `tostring(…)`".into())
            }
            (Constraint::List(_) | Constraint::Set(_), Value::Text(_)) => {
                Some("put it into brackets: `[…]`".into())
            }
            (_, Value::Null) => Some("leave it out, or give it a value".into()),
            _ => None,
        };
        Misfit {
            at: String::new(),
            what: format!("must be {}, not {}", self.words(), found.type_name()),
            fix,
        }
    }

    /// In the words of messages: `a list(string)`.
    pub(crate) fn words(&self) -> String {
        let article = if let Constraint::Object(_) = self { "an" } else { "a" };
        format!("{article} {self}")
    }

    fn shape(&self) -> Shape {
        match self {
            Constraint::Text => Shape::Text,
            Constraint::Number => Shape::Number,
            Constraint::Bool => Shape::Bool,
            Constraint::List(_) | Constraint::Set(_) | Constraint::Tuple(_) => Shape::List,
            Constraint::Map(_) | Constraint::Object(_) => Shape::Map,
        }
    }
}

fn elements(inner: &Constraint, items: &[Value]) -> Result<Vec<Value>, Misfit> {
    let convert = |(number, item): (usize, &Value)| {
        inner.convert(item).map_err(|misfit| misfit.inside(&format!("[{number}]")))
    };
    items.iter().enumerate().map(convert).collect()
}

fn set(inner: Option<&Constraint>, items: &[Value]) -> Result<Value, Misfit> {
    let mut items = match inner {
        Some(inner) => elements(inner, items)?,
        None => items.to_vec(),
    };
    items.sort_by_cached_key(|item| item.reveal().to_string());
    items.dedup();
    Ok(Value::List(items.into()))
}

fn tuple(types: &[Option<Constraint>], items: &[Value]) -> Result<Value, Misfit> {
    if types.len() != items.len() {
        let what = format!("must have {} elements, not {}", types.len(), items.len());
        return Err(Misfit { at: String::new(), what, fix: None });
    }
    let pairs = types.iter().zip(items).enumerate();
    let converted = pairs.map(|(number, (constraint, item))| match constraint {
        Some(constraint) => constraint.convert(item).map_err(|misfit| misfit.inside(&format!("[{number}]"))),
        None => Ok(item.clone()),
    });
    Ok(Value::List(converted.collect::<Result<_, _>>()?))
}

fn object(fields: &[Field], map: &Map) -> Result<Value, Misfit> {
    let mut converted = Map::new();
    for field in fields {
        let value = match (map.get(&field.name), &field.default) {
            (None | Some(Value::Null), Some(default)) => default.clone(),
            (Some(value), _) => match &field.constraint {
                Some(constraint) => {
                    constraint.convert(value).map_err(|misfit| misfit.inside(&format!(".{}", field.name)))?
                }
                None => value.clone(),
            },
            (None, None) => {
                let fix = format!("add `{} = …`", field.name);
                return Err(Misfit {
                    at: String::new(),
                    what: format!("has no `{}`", field.name),
                    fix: Some(fix),
                });
            }
        };
        converted.insert(field.name.clone(), value);
    }
    match map.keys().find(|key| !converted.contains_key(*key)) {
        None => Ok(Value::Map(converted.into())),
        Some(key) => {
            let names = fields.iter().map(|field| &*field.name);
            let fix = closest(key, names).map(|near| format!("did you mean `{near}`?"));
            Err(Misfit { at: String::new(), what: format!("has {}, which it should not", excerpt(key)), fix })
        }
    }
}

impl Misfit {
    fn inside(mut self, step: &str) -> Self {
        self.at.insert_str(0, step);
        self
    }
}

/// As it is written.
impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |inner: &Option<Box<Constraint>>| {
            inner.as_ref().map(|inner| format!("({inner})")).unwrap_or_default()
        };
        match self {
            Constraint::Text => f.write_str("string"),
            Constraint::Number => f.write_str("number"),
            Constraint::Bool => f.write_str("bool"),
            Constraint::List(inner) => write!(f, "list{}", of(inner)),
            Constraint::Set(inner) => write!(f, "set{}", of(inner)),
            Constraint::Map(inner) => write!(f, "map{}", of(inner)),
            Constraint::Object(_) => f.write_str("object"),
            Constraint::Tuple(_) => f.write_str("tuple"),
        }
    }
}
