//! What a key of an INI file can have.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The values of a key: one, several lines of the same key, or none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IniValue(pub(crate) Vec<Option<String>>);

impl IniValue {
    /// Each line's value; none for a key that stands alone.
    pub(crate) fn lines(&self) -> &[Option<String>] {
        &self.0
    }
}

impl Property for IniValue {
    const TYPE: &'static Type = &Type::Named {
        name: "INI value",
        doc: "text, a number or a bool; a list for a key that stands in several lines; null for a key that stands alone",
        example: r#""no""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let lines = match value {
            Value::Null => vec![None],
            Value::List(items) if items.is_empty() => {
                let fix = "to remove the key, write `action = \"remove\"`";
                return Err(Problem::new(Some(value), "must have one member at least", fix));
            }
            Value::List(items) => items.iter().map(|item| line(item).map(Some)).collect::<Result<_, _>>()?,
            one => vec![Some(line(one)?)],
        };
        Ok(IniValue(lines))
    }

    fn to_value(&self) -> Value {
        let text = |line: &Option<String>| Value::text(line.as_deref().unwrap_or_default());
        match &*self.0 {
            [None] => Value::Null,
            [one] => text(one),
            several => Value::list(several.iter().map(text)),
        }
    }
}

fn line(value: &Value) -> Result<String, Problem> {
    let text = match value {
        Value::Text(text) => text.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => float.to_string(),
        other => {
            let rule = format!("must be text, a number or a bool, not {}", other.type_name());
            return Err(Problem::new(Some(value), rule, "write it as text"));
        }
    };
    let fault = match &*text {
        text if text.contains(['\n', '\r']) => "must be one line",
        text if text.trim() != text => "must not begin or end with white space, which is not part of a value",
        text if text.ends_with('\\') => "must not end with a backslash, which goes on in the next line",
        _ => return Ok(text),
    };
    Err(Problem::new(Some(value), fault, "change it, or put it in quotes if the program knows them"))
}
