//! Values as HCL expressions.

use std::fmt::{self, Write};

use uphold::model::{Value, is_identifier, is_invisible};

/// Deeper levels are cut, because each takes some of the stack.
const DEEPEST: usize = 64;

/// The indentation of each level.
const STEP: usize = 2;

/// A value on one line. Secrets and unknown values have placeholders.
pub(crate) fn line(value: &Value) -> String {
    let mut text = String::new();
    write_flat(&mut text, value, 0).expect("writing to a string");
    text
}

/// A value on several lines of at most `width` columns, as far as possible.
pub(crate) fn wrapped(value: &Value, width: usize) -> String {
    match value {
        Value::Text(text) if is_document(text) => heredoc(text),
        value => {
            let mut text = String::new();
            let cursor = Cursor { width, indent: 0, used: 0, depth: 0 };
            write_wrapped(&mut text, value, cursor).expect("writing to a string");
            text
        }
    }
}

/// The position at which a value is written.
#[derive(Clone, Copy)]
struct Cursor {
    width: usize,
    /// The indentation of the current line.
    indent: usize,
    /// The columns of the current line that are used already.
    used: usize,
    depth: usize,
}

impl Cursor {
    fn inside(self, used: usize) -> Self {
        Self { indent: self.indent + STEP, used: self.indent + STEP + used, depth: self.depth + 1, ..self }
    }
}

fn write_wrapped(f: &mut dyn Write, value: &Value, cursor: Cursor) -> fmt::Result {
    let room = &mut Room(cursor.width.saturating_sub(cursor.used));
    let fits = cursor.depth >= DEEPEST || write_flat(room, value, cursor.depth).is_ok();
    let (indent, inner) = (cursor.indent, cursor.indent + STEP);
    match value {
        Value::List(items) if !fits && !items.is_empty() => {
            f.write_str("[\n")?;
            for item in items.iter() {
                write!(f, "{:inner$}", "")?;
                write_wrapped(f, item, cursor.inside(1))?;
                f.write_str(",\n")?;
            }
            write!(f, "{:indent$}]", "")
        }
        Value::Map(map) if !fits && !map.is_empty() => {
            let column = map.keys().map(|key| Key(key).to_string().chars().count()).max().unwrap_or(0);
            f.write_str("{\n")?;
            for (key, value) in map.iter() {
                write!(f, "{:inner$}{:column$} = ", "", Key(key).to_string())?;
                write_wrapped(f, value, cursor.inside(column + 3))?;
                f.write_char('\n')?;
            }
            write!(f, "{:indent$}}}", "")
        }
        value => write_flat(f, value, cursor.depth),
    }
}

fn write_flat(f: &mut dyn Write, value: &Value, depth: usize) -> fmt::Result {
    match value {
        Value::List(_) | Value::Map(_) if depth >= DEEPEST => f.write_str("…"),
        Value::List(items) => {
            f.write_char('[')?;
            for (number, item) in items.iter().enumerate() {
                f.write_str(if number == 0 { "" } else { ", " })?;
                write_flat(f, item, depth + 1)?;
            }
            f.write_char(']')
        }
        Value::Map(map) => {
            f.write_char('{')?;
            for (number, (key, value)) in map.iter().enumerate() {
                write!(f, "{}{} = ", if number == 0 { " " } else { ", " }, Key(key))?;
                write_flat(f, value, depth + 1)?;
            }
            f.write_str(if map.is_empty() { "}" } else { " }" })
        }
        Value::Text(text) => write_string(f, text),
        Value::Unknown(unknown) => write!(f, "(known after apply: {})", unknown.waits_for),
        other => write!(f, "{other}"),
    }
}

/// A key of a map: quoted unless it is an identifier.
struct Key<'a>(&'a str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_identifier(self.0) { f.write_str(self.0) } else { write_string(f, self.0) }
    }
}

fn write_string(f: &mut dyn Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\\' => write!(f, "\\{character}"),
            '\n' => f.write_str("\\n"),
            '\r' => f.write_str("\\r"),
            '\t' => f.write_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => write!(f, "{character}{character}"),
            other if is_invisible(other) && other > '\u{ffff}' => write!(f, "\\U{:08x}", u32::from(other)),
            other if is_invisible(other) => write!(f, "\\u{:04x}", u32::from(other)),
            other => f.write_char(other),
        }?;
    }
    f.write_char('"')
}

/// Whether a string is best shown as a heredoc.
fn is_document(text: &str) -> bool {
    let plain = |character: char| matches!(character, '\n' | '\t') || !is_invisible(character);
    let lines = text.lines().count();
    lines > 1
        && text.ends_with('\n')
        && text.chars().all(plain)
        && text.lines().all(|line| line.trim() != "END")
}

fn heredoc(text: &str) -> String {
    format!("<<END\n{}END", text.replace("${", "$${").replace("%{", "%%{"))
}

/// Accepts this many characters and then fails, so that checking whether a value fits costs no more than a line.
struct Room(usize);

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.chars().count()).ok_or(fmt::Error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use uphold::{Configuration, Engine, LocalHost};

    use super::*;

    #[test]
    fn literals_are_read_back() {
        let read = |text: &str| {
            let engine = Engine::on(LocalHost::new()).build();
            Configuration::empty(&engine).expect("there is nothing to fail").evaluate(text)
        };
        let check = |value: Value, expected: &str| {
            assert_eq!(line(&value), expected);
            assert_eq!(read(expected).as_ref(), Ok(&value), "{expected}");
            let narrow = wrapped(&value, 10);
            assert_eq!(read(&narrow).as_ref(), Ok(&value), "{narrow}");
        };
        check(Value::text("a \"b\" \\ \n\t${x} %{y} $ 100%"), r#""a \"b\" \\ \n\t$${x} %%{y} $ 100%""#);
        check(Value::text("\u{1b}[2J \u{202e} é 漢"), r#""\u001b[2J \u202e é 漢""#);
        check(Value::text("\u{e0001}"), r#""\U000e0001""#);
        check(Value::text("one\ntwo ${x}\n"), r#""one\ntwo $${x}\n""#);
        check(Value::map([("a b", Value::Int(1)), ("c", Value::Null)]), r#"{ "a b" = 1, c = null }"#);
        check(Value::list([Value::list([]), Value::map::<&str>([]), Value::Bool(true)]), "[[], {}, true]");
        check(Value::list([Value::Int(-1), Value::Float(1.5)]), "[-1, 1.5]");
    }

    #[test]
    fn wraps_long_values() {
        let value = Value::map([
            ("list", Value::list([Value::text("first"), Value::text("second")])),
            ("n", Value::Int(1)),
            ("secret", Value::text("hunter2").sensitive()),
        ]);
        let expected = "{\n  list   = [\n    \"first\",\n    \"second\",\n  ]\n  n      = 1\n  secret = (sensitive value)\n}";
        assert_eq!(wrapped(&value, 24), expected);
        assert_eq!(
            wrapped(&value, 80),
            "{ list = [\"first\", \"second\"], n = 1, secret = (sensitive value) }"
        );
    }

    #[test]
    fn cuts_deep_values() {
        let deep = (0..10_000).fold(Value::Null, |inner, _| Value::list([inner]));
        assert_eq!(line(&deep), format!("{}…{}", "[".repeat(64), "]".repeat(64)));
        assert!(wrapped(&deep, 8).len() < 20_000);
        // Dropping it, level by level, would take more stack than there is.
        std::mem::forget(deep);
    }
}
