//! The value of a key in an INI file.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The values of a key: one, several on lines of their own, or none.
#[derive(Clone, Debug)]
pub struct IniValue {
    lines: Vec<Option<String>>,
    /// A bool among the declared values, which not every program reads as such.
    declared_bool: Option<bool>,
}

impl IniValue {
    /// The values of a file.
    pub(crate) fn of_lines(lines: Vec<Option<String>>) -> Self {
        Self { lines, declared_bool: None }
    }

    /// The value of each line; none for a key without a value.
    pub(crate) fn lines(&self) -> &[Option<String>] {
        &self.lines
    }

    /// The first bool that was declared.
    pub(crate) fn declared_bool(&self) -> Option<bool> {
        self.declared_bool
    }
}

/// Equal lines: a file has no types.
impl PartialEq for IniValue {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl Eq for IniValue {}

impl Property for IniValue {
    const TYPE: &'static Type = &Type::Named {
        name: "INI value",
        doc: "a string, number or bool; a list for a key on several lines; null for a key without a value",
        example: r#""no""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let lines = match value {
            Value::Null => vec![None],
            Value::List(items) if items.is_empty() => {
                let fix = "to remove the key, set `action = \"remove\"`";
                return Err(Problem::new(Some(value), "must have at least one item", fix));
            }
            Value::List(items) => items.iter().map(|item| line(item).map(Some)).collect::<Result<_, _>>()?,
            one => vec![Some(line(one)?)],
        };
        let items = match value {
            Value::List(items) => &items[..],
            one => std::slice::from_ref(one),
        };
        let declared_bool =
            items.iter().find_map(|item| if let Value::Bool(bool) = item { Some(*bool) } else { None });
        Ok(IniValue { lines, declared_bool })
    }

    fn to_value(&self) -> Value {
        let text = |line: &Option<String>| Value::text(line.as_deref().unwrap_or_default());
        match &*self.lines {
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
            let rule = format!("must be a string, a number or a bool, not {}", other.type_name());
            return Err(Problem::new(Some(value), rule, "write it as a string"));
        }
    };
    let fault = match &*text {
        text if text.contains(['\n', '\r']) => "must be a single line",
        text if text.trim() != text => "must not begin or end with white space, which would be lost",
        text if text.ends_with('\\') => {
            "must not end with a backslash, which would continue on the next line"
        }
        _ => return Ok(text),
    };
    Err(Problem::new(Some(value), fault, "change it, or put it in quotes if the program supports them"))
}
