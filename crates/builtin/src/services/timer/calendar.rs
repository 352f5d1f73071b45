//! When a timer elapses, in systemd's words.

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::services::rules::is_one_line;

/// Times in the calendar: one, or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar(pub Vec<String>);

impl Property for Calendar {
    const TYPE: &'static Type = &Type::Named {
        name: "calendar",
        doc: "a time in the calendar as systemd writes it, or a list of them",
        example: "\"Mon..Fri 08:30\"",
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let times = match value {
            Value::Text(_) => vec![String::from_value(value, context)?],
            value => Vec::<String>::from_value(value, context)?,
        };
        match times.iter().find(|time| time.trim().is_empty() || !is_one_line(time)) {
            Some(_) => Err(Problem::new(Some(value), "holds no time", "write it as in \"daily\"")),
            None => Ok(Self(times)),
        }
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A span of time in systemd's words: `30s`, `5min`, `1h 30min`, `2d`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[example("1h 30min")]
#[pattern("^[0-9][0-9a-zA-Z. ]*$")]
pub struct TimeSpan(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_many() {
        let check = |value: Value, expected: Option<&[&str]>| {
            let read = Calendar::from_value(&value, &Context::NOTHING).ok();
            assert_eq!(
                read.map(|calendar| calendar.0),
                expected.map(|times| times.iter().map(ToString::to_string).collect())
            );
        };
        check(Value::text("daily"), Some(&["daily"]));
        check(Value::list([Value::text("a"), Value::text("b")]), Some(&["a", "b"]));
        check(Value::list([]), Some(&[]));
        check(Value::text(" "), None);
        check(Value::text("daily\n[Service]"), None);
        check(Value::Int(3), None);
    }
}
