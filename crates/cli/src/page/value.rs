//! Printing values for people, shells and programs, and reading values from the command line.

use std::fmt;

use uphold::model::{PropertySchema, Type, Value};
use uphold::{Configuration, Engine, LocalHost};

use crate::{CliError, clean};

/// The number of characters of a value that an overview shows.
const SHOWN: usize = 120;

/// Names and values, one per line, aligned.
pub(crate) struct Overview<'a>(pub(crate) &'a [(&'a str, Value)]);

impl fmt::Display for Overview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in self.0 {
            let text = value.to_string();
            let length = text.chars().count();
            write!(f, "{name:width$} = ")?;
            if length <= SHOWN {
                writeln!(f, "{}", clean(&text))?;
            } else {
                let start: String = text.chars().take(SHOWN).collect();
                writeln!(f, "{}… ({length} characters)", clean(&start))?;
            }
        }
        Ok(())
    }
}

/// One value and nothing else: strings without quotes, and a line end unless it has one. Control characters are escaped
/// only for a terminal. Fails for bytes that are not UTF-8.
pub(crate) fn bare(property: &str, value: &Value, terminal: bool) -> Result<String, CliError> {
    let mut text = match value {
        Value::Text(text) if terminal => clean(text).into_owned(),
        Value::Text(text) => text.to_string(),
        Value::Bytes(bytes) => {
            let message = format!("`{property}` is {} bytes that are not UTF-8", bytes.len());
            return Err(CliError::new(message).hint("--json prints them in hexadecimal"));
        }
        Value::Null => String::new(),
        other => other.to_string(),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// A value for JSON, with placeholders for secrets, and with bytes in hexadecimal.
pub(crate) fn shown(value: &Value) -> uphold_wire::Value {
    uphold_wire::Value::from(value).with_words()
}

/// The value of a property on the command line: a string without quotes, any other type as in a configuration.
pub(crate) fn argument(property: &PropertySchema, text: &str) -> Result<Value, CliError> {
    if is_string(property.ty) {
        return Ok(Value::text(text));
    }
    let invalid = || {
        let message = format!("`{}={text}` is not a valid value", property.name);
        CliError::new(message).hint(format!("its type is {}", property.ty))
    };
    let engine = Engine::on(LocalHost::new()).build();
    let value = Configuration::empty(&engine)?.evaluate(text);
    value.ok().filter(|value| !value.is_unknown()).ok_or_else(invalid)
}

/// Whether values of this type are written in quotes.
fn is_string(ty: &Type) -> bool {
    match ty {
        Type::Any | Type::Text | Type::Bytes | Type::Enum(_) | Type::Reference(_) => true,
        Type::Named { example, .. } => example.starts_with('"'),
        Type::Sensitive(inner) | Type::Nullable(inner) => is_string(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_values_have_no_quotes() {
        let check = |value: Value, expected: &str| {
            assert_eq!(bare("p", &value, false).as_deref(), Ok(expected), "{value}");
        };
        check(Value::text("0644"), "0644\n");
        check(Value::text("line\n"), "line\n");
        check(Value::text("\u{1b}["), "\u{1b}[\n");
        check(Value::Int(3), "3\n");
        check(Value::Null, "\n");
        check(Value::list([Value::text("a")]), "[\"a\"]\n");
        check(Value::text("hunter2").sensitive(), "(sensitive value)\n");
        assert_eq!(bare("p", &Value::text("\u{1b}["), true).as_deref(), Ok("\\u{1b}[\n"));
        assert!(bare("p", &Value::Bytes([255].into()), false).is_err());
    }

    #[test]
    fn hides_secrets_in_json() {
        let value = Value::map([
            ("bytes", Value::Bytes([0, 255].into())),
            ("list", Value::list([Value::Int(1), Value::Null])),
            ("secret", Value::text("hunter2").sensitive()),
        ]);
        let expected = r#"{"bytes":{"hex":"00ff"},"list":[1,null],"secret":"(sensitive value)"}"#;
        assert_eq!(uphold_wire::line(&shown(&value)), expected);
    }

    #[test]
    fn aligns_and_cuts_values() {
        let known = [("a", Value::text("x".repeat(500))), ("long", Value::Bool(true))];
        let text = Overview(&known).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("a    = \"xxx") && lines[0].ends_with("… (502 characters)"), "{text}");
        assert_eq!(lines[1], "long = true");
    }

    #[test]
    fn reads_arguments_by_the_type_of_the_property() {
        let schema = uphold::kinds().get("task").expect("it ships").schema();
        let check = |name: &str, text: &str, expected: Option<Value>| {
            let property = schema.property(name).expect("it exists");
            assert_eq!(argument(property, text).ok(), expected, "{name}={text}");
        };
        check("check", "true", Some(Value::text("true")));
        check("flags", "[\"-e\"]", Some(Value::list([Value::text("-e")])));
        check("flags", "[", None);
        check("flags", "}\nother \"x\" {", None);
    }
}
