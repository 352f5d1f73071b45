//! The text of a unit file, written as such or as a map.

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::document::{Document, is_section};
use crate::services::rules::is_one_line;

/// How to write it.
const FIX: &str =
    "write the text of the file, or a map of sections: { Service = { ExecStart = \"/bin/true\" } }";

/// What a unit file contains: text, or a map of sections with settings. A list is a setting that
/// stands several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitText(String);

impl UnitText {
    /// Text that was found, right or wrong.
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
            _ => return Err(Problem::new(Some(value), "is not what a unit file can hold", FIX)),
        };
        match Document::parse(&text) {
            Ok(_) => Ok(Self(text)),
            Err(why) => {
                Err(Problem::new(Some(value), format!("is no unit file: {why}"), "correct that line"))
            }
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// The text of a map of sections: `Unit` comes first and `Install` last, as people are used to.
fn render(value: &Value) -> Result<String, String> {
    let Value::Map(sections) = value else { return Err("is no map of sections".to_owned()) };
    let mut ordered: Vec<(&str, &Value)> = sections.iter().map(|(name, value)| (&**name, value)).collect();
    ordered.sort_by_key(|(name, _)| match *name {
        "Unit" => 0,
        "Install" => 2,
        _ => 1,
    });
    let mut document = Document::default();
    for (section, settings) in ordered {
        let Value::Map(settings) = settings else {
            return Err(format!("has no map of settings in {section}"));
        };
        if !is_section(section) {
            return Err(format!("has a section that cannot be called {section:?}"));
        }
        for (key, value) in settings.iter() {
            add(&mut document, section, key, value)?;
        }
    }
    Ok(document.render())
}

fn add(document: &mut Document, section: &str, key: &str, value: &Value) -> Result<(), String> {
    if key.is_empty() || !key.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-') {
        return Err(format!("has a setting in {section} that cannot be called {key:?}"));
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
    format!("has no text, number, bool or list of them in {section}.{key}")
}

/// One line of text.
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
    fn maps_are_written_out() {
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
    fn what_cannot_be_written() {
        let check = |value: Value, expected: &str| {
            let why = read(&value).unwrap_err();
            assert!(why.contains(expected), "{why}");
        };
        check(Value::Int(1), "is not what a unit file can hold");
        check(Value::text("ExecStart=/bin/true"), "line 1 stands before");
        check(Value::map([("Service", Value::Int(1))]), "no map of settings in Service");
        let section = |settings| Value::map([("S", settings)]);
        check(section(Value::map([("a b", Value::Int(1))])), "cannot be called \"a b\"");
        check(section(Value::map([("A", Value::Null)])), "in S.A");
        check(section(Value::map([("A", Value::text("x\n[T]"))])), "in S.A");
        check(
            Value::map([("S]\n[T", Value::map([("A", Value::Int(1))]))]),
            "a section that cannot be called",
        );
    }
}
