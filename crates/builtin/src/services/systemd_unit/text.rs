//! The property `content` of a unit file.

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::document::{Document, is_section};
use crate::services::is_one_line;

/// The hint for an invalid value.
const FIX: &str =
    "use the text of the file, or a map of sections: { Service = { ExecStart = \"/bin/true\" } }";

/// The content of a unit file: text, or a map of sections with settings. A list is a setting that is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitText(String);

impl UnitText {
    /// Text of an existing file, valid or not.
    pub(crate) fn found(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Property for UnitText {
    const TYPE: &'static Type = &Type::Named {
        name: "unit text",
        doc: "the text of a unit file, or a map of sections with settings",
        example: "{ Service = { ExecStart = \"/bin/true\" } }",
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let text = match value {
            Value::Text(text) => text.to_string(),
            Value::Map(_) => render(value).map_err(|why| Problem::new(Some(value), why, FIX))?,
            _ => return Err(Problem::new(Some(value), "is neither a string nor a map of sections", FIX)),
        };
        match Document::parse(&text) {
            Ok(_) => Ok(Self(text)),
            Err(why) => {
                Err(Problem::new(Some(value), format!("is not a valid unit file: {why}"), "fix that line"))
            }
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// The text of a map of sections, with `Unit` first and `Install` last, as is usual.
fn render(value: &Value) -> Result<String, String> {
    let Value::Map(sections) = value else { return Err("is not a map of sections".to_owned()) };
    let mut ordered: Vec<(&str, &Value)> = sections.iter().map(|(name, value)| (&**name, value)).collect();
    ordered.sort_by_key(|(name, _)| match *name {
        "Unit" => 0,
        "Install" => 2,
        _ => 1,
    });
    let mut document = Document::default();
    for (section, settings) in ordered {
        let Value::Map(settings) = settings else {
            return Err(format!("must have a map of settings in {section}"));
        };
        if !is_section(section) {
            return Err(format!("has a section with the invalid name {section:?}"));
        }
        for (key, value) in settings.iter() {
            add(&mut document, section, key, value)?;
        }
    }
    Ok(document.render())
}

fn add(document: &mut Document, section: &str, key: &str, value: &Value) -> Result<(), String> {
    if key.is_empty() || !key.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-') {
        return Err(format!("has a setting in {section} with the invalid name {key:?}"));
    }
    match value {
        Value::List(values) => values.iter().try_for_each(|value| {
            document.add(section, key, plain(value).ok_or_else(|| no_setting(section, key))?);
            Ok(())
        }),
        value => {
            document.add(section, key, plain(value).ok_or_else(|| no_setting(section, key))?);
            Ok(())
        }
    }
}

fn no_setting(section: &str, key: &str) -> String {
    format!("must have a single-line string, a number, a bool or a list of them in {section}.{key}")
}

/// Formats a value on a single line.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if is_one_line(text) && !text.ends_with('\\') => Some(text.to_string()),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &Value) -> Result<String, String> {
        UnitText::from_value(value, &Context::NOTHING)
            .map(|text| text.0)
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn renders_maps() {
        let service = Value::map([
            ("ExecStart", Value::list([Value::text(""), Value::text("/bin/a")])),
            ("RemainAfterExit", Value::Bool(true)),
            ("TimeoutSec", Value::Int(5)),
        ]);
        let unit = Value::map([("Description", Value::text("x"))]);
        let install = Value::map([("WantedBy", Value::text("multi-user.target"))]);
        let value = Value::map([("Install", install), ("Service", service), ("Unit", unit)]);
        let expected = "[Unit]\nDescription=x\n\n[Service]\nExecStart=\nExecStart=/bin/a\nRemainAfterExit=true\n\
                        TimeoutSec=5\n\n[Install]\nWantedBy=multi-user.target\n";
        assert_eq!(read(&value), Ok(expected.to_owned()));
    }

    #[test]
    fn refuses_invalid_values() {
        let check = |value: Value, expected: &str| {
            let why = read(&value).unwrap_err();
            assert!(why.contains(expected), "{why}");
        };
        check(Value::Int(1), "is neither a string nor a map of sections");
        check(Value::text("ExecStart=/bin/true"), "line 1 comes before");
        check(Value::map([("Service", Value::Int(1))]), "a map of settings in Service");
        let section = |settings| Value::map([("S", settings)]);
        check(section(Value::map([("a b", Value::Int(1))])), "the invalid name \"a b\"");
        check(section(Value::map([("A", Value::Null)])), "in S.A");
        check(section(Value::map([("A", Value::text("x\n[T]"))])), "in S.A");
        check(
            Value::map([("S]\n[T", Value::map([("A", Value::Int(1))]))]),
            "a section with the invalid name",
        );
    }
}
