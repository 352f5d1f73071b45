//! Types of params, such as `list(string)`.

use std::fmt;

use uphold_model::{Map, Name, Shape, Value, closest};

use crate::excerpt::excerpt;

/// The type of a param.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constraint {
    Text,
    Number,
    Bool,
    /// The element type; none for `any`.
    List(Option<Box<Constraint>>),
    /// A list without order and duplicates.
    Set(Option<Box<Constraint>>),
    Map(Option<Box<Constraint>>),
    Object(Vec<Field>),
    /// A list with a type for each position.
    Tuple(Vec<Option<Constraint>>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) constraint: Option<Constraint>,
    /// The value if the field is left out or null, from `optional(type, default)`. It has the field's type.
    pub(crate) default: Option<Value>,
}

impl Field {
    /// The mismatch of a null, with the type that would allow it.
    fn refuse_null(&self, mismatch: TypeMismatch) -> TypeMismatch {
        let kind = self.constraint.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = &self.name;
        let fix =
            format!("give it a value, or allow null in the type of the param: `{name} = optional({kind})`");
        TypeMismatch { fix: Some(fix), ..mismatch }
    }
}

/// The reason why a value does not have a type.
#[derive(Debug)]
pub(crate) struct TypeMismatch {
    /// The path of the part that does not match: `.ports[0]`.
    pub(crate) at: String,
    /// The mismatch.
    pub(crate) what: String,
    pub(crate) fix: Option<String>,
}

impl Constraint {
    /// The value, if it matches: with defaults of objects filled in, and sets sorted.
    pub(crate) fn convert(&self, value: &Value) -> Result<Value, TypeMismatch> {
        match (self, value) {
            (_, Value::Sensitive(inner)) => {
                Ok(self.convert(inner).map_err(|_| self.hidden_mismatch())?.sensitive())
            }
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
                        inner.convert(value).map_err(|mismatch| mismatch.inside(&format!("[{key:?}]")))?,
                    ))
                });
                Ok(Value::Map(entries.collect::<Result<Map, TypeMismatch>>()?.into()))
            }
            (Constraint::Object(fields), Value::Map(map)) => object(fields, map),
            _ => Err(self.mismatch(value)),
        }
    }

    fn mismatch(&self, found: &Value) -> TypeMismatch {
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
            (_, Value::Null) => Some("remove it, or give it a value".into()),
            _ => None,
        };
        TypeMismatch {
            at: String::new(),
            what: format!("must be {}, not {}", self.words(), found.type_name()),
            fix,
        }
    }

    /// The mismatch of a secret. Its keys are secret, too.
    fn hidden_mismatch(&self) -> TypeMismatch {
        let what = format!("must be {}; its value, which is a secret, is not", self.words());
        TypeMismatch { at: String::new(), what, fix: None }
    }

    /// The type in messages: `a list(string)`.
    pub(crate) fn words(&self) -> String {
        let article = if let Constraint::Object(_) = self { "an" } else { "a" };
        format!("{article} {self}")
    }

    /// A value of this type, as it is written in a configuration.
    pub(crate) fn example(&self) -> String {
        let one = |inner: Option<&Constraint>| inner.map_or_else(|| "\"x\"".to_owned(), Constraint::example);
        match self {
            Constraint::Text => "\"x\"".to_owned(),
            Constraint::Number => "1".to_owned(),
            Constraint::Bool => "true".to_owned(),
            Constraint::List(inner) | Constraint::Set(inner) => format!("[{}]", one(inner.as_deref())),
            Constraint::Map(inner) => format!("{{ name = {} }}", one(inner.as_deref())),
            Constraint::Object(fields) => {
                let field = |field: &Field| format!("{} = {}", field.name, one(field.constraint.as_ref()));
                format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            Constraint::Tuple(types) => {
                let items = types.iter().map(|inner| one(inner.as_ref()));
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
        }
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

fn elements(inner: &Constraint, items: &[Value]) -> Result<Vec<Value>, TypeMismatch> {
    let convert = |(number, item): (usize, &Value)| {
        inner.convert(item).map_err(|mismatch| mismatch.inside(&format!("[{number}]")))
    };
    items.iter().enumerate().map(convert).collect()
}

fn set(inner: Option<&Constraint>, items: &[Value]) -> Result<Value, TypeMismatch> {
    let mut items = match inner {
        Some(inner) => elements(inner, items)?,
        None => items.to_vec(),
    };
    items.sort_by_cached_key(|item| item.reveal().to_string());
    items.dedup();
    Ok(Value::List(items.into()))
}

fn tuple(types: &[Option<Constraint>], items: &[Value]) -> Result<Value, TypeMismatch> {
    if types.len() != items.len() {
        let elements = if types.len() == 1 { "element" } else { "elements" };
        let what = format!("must have {} {elements}, not {}", types.len(), items.len());
        return Err(TypeMismatch { at: String::new(), what, fix: None });
    }
    let pairs = types.iter().zip(items).enumerate();
    let converted = pairs.map(|(number, (constraint, item))| match constraint {
        Some(constraint) => {
            constraint.convert(item).map_err(|mismatch| mismatch.inside(&format!("[{number}]")))
        }
        None => Ok(item.clone()),
    });
    Ok(Value::List(converted.collect::<Result<_, _>>()?))
}

fn object(fields: &[Field], map: &Map) -> Result<Value, TypeMismatch> {
    let mut converted = Map::new();
    for field in fields {
        let value = match (map.get(&field.name), &field.default) {
            (None | Some(Value::Null), Some(default)) => default.clone(),
            // Whether a secret is null is itself a secret.
            (Some(Value::Sensitive(inner)), Some(default)) if **inner == Value::Null => {
                default.clone().sensitive()
            }
            (Some(value), _) => match &field.constraint {
                Some(constraint) => constraint.convert(value).map_err(|mismatch| {
                    let mismatch = if *value == Value::Null { field.refuse_null(mismatch) } else { mismatch };
                    mismatch.inside(&format!(".{}", field.name))
                })?,
                None => value.clone(),
            },
            (None, None) => {
                let fix = format!("add `{} = …`", field.name);
                return Err(TypeMismatch {
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
            Err(TypeMismatch {
                at: String::new(),
                what: format!("has {}, which its type does not allow", excerpt(key)),
                fix,
            })
        }
    }
}

impl TypeMismatch {
    fn inside(mut self, step: &str) -> Self {
        self.at.insert_str(0, step);
        self
    }
}

/// Printed as it is written in a configuration.
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
