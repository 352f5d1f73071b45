//! Real values as people, shells and programs read them, and values as they are typed in a shell.

use std::fmt;

use uphold::model::{PropertySchema, Type, Value};
use uphold::{Configuration, Engine, LocalHost};

use crate::error::CliError;
use crate::paint::clean;

/// How many characters of a value an overview shows.
const SHOWN: usize = 120;

/// Properties with their values, aligned, one per line, as they would be written.
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

/// One value and nothing else: text without quotes, a line end unless it has one. For a terminal,
/// without the power to command it; for anything else, as it is.
///
/// # Errors
/// If it is not text.
pub(crate) fn bare(property: &str, value: &Value, terminal: bool) -> Result<String, CliError> {
    let mut text = match value {
        Value::Text(text) if terminal => clean(text).into_owned(),
        Value::Text(text) => text.to_string(),
        Value::Bytes(bytes) => {
            let message = format!("`{property}` is {} bytes that are not text", bytes.len());
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

/// A value for programs, with words in place of secrets; bytes that are not text are in hexadecimal.
pub(crate) fn shown(value: &Value) -> uphold_wire::Value {
    uphold_wire::Value::from(value).with_words()
}

/// What was typed for a property: text as it is, anything else as in a configuration.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn argument(property: &PropertySchema, text: &str) -> Result<Value, CliError> {
    if is_text(property.ty) {
        return Ok(Value::text(text));
    }
    let refused = || {
        let message = format!("`{}={text}` is not a value", property.name);
        CliError::new(message).hint(format!("it is: {}", property.ty))
    };
    let engine = Engine::on(LocalHost::new()).build();
    let value = Configuration::empty(&engine)?.evaluate(text);
    value.ok().filter(|value| !value.is_unknown()).ok_or_else(refused)
}

/// Whether values of this type are written in quotes.
fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Any | Type::Text | Type::Bytes | Type::Enum(_) | Type::Reference(_) => true,
        Type::Named { example, .. } => example.starts_with('"'),
        Type::Sensitive(inner) | Type::Nullable(inner) => is_text(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_value_is_the_value_and_nothing_else() {
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
    fn json_shows_no_secret() {
        let value = Value::map([
            ("bytes", Value::Bytes([0, 255].into())),
            ("list", Value::list([Value::Int(1), Value::Null])),
            ("secret", Value::text("hunter2").sensitive()),
        ]);
        let expected = r#"{"bytes":{"hex":"00ff"},"list":[1,null],"secret":"(sensitive value)"}"#;
        assert_eq!(uphold_wire::line(&shown(&value)), expected);
    }

    #[test]
    fn an_overview_is_aligned_and_cut() {
        let known = [("a", Value::text("x".repeat(500))), ("long", Value::Bool(true))];
        let text = Overview(&known).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("a    = \"xxx") && lines[0].ends_with("… (502 characters)"), "{text}");
        assert_eq!(lines[1], "long = true");
    }

    #[test]
    fn arguments_are_typed_like_their_property() {
        let schema = uphold::kinds().get("task").expect("it ships").schema();
        let check = |name: &str, text: &str, expected: Option<Value>| {
            let property = schema.property(name).expect("it is there");
            assert_eq!(argument(property, text).ok(), expected, "{name}={text}");
        };
        check("check", "true", Some(Value::text("true")));
        check("flags", "[\"-e\"]", Some(Value::list([Value::text("-e")])));
        check("flags", "[", None);
        check("flags", "}\nother \"x\" {", None);
    }
}
