//! The calendar events and time spans of a timer.

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::services::rules::is_one_line;

/// Calendar events: one, or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar(pub Vec<String>);

impl Property for Calendar {
    const TYPE: &'static Type = &Type::Named {
        name: "calendar",
        doc: "a calendar event in the syntax of systemd, or a list of them",
        example: "\"Mon..Fri 08:30\"",
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let times = match value {
            Value::Text(_) => vec![String::from_value(value, context)?],
            value => Vec::<String>::from_value(value, context)?,
        };
        match times.iter().find(|time| time.trim().is_empty() || !is_one_line(time)) {
            Some(_) => {
                Err(Problem::new(Some(value), "is not a calendar event", "use an event such as \"daily\""))
            }
            None => Ok(Self(times)),
        }
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A time span in the syntax of systemd: `30s`, `5min`, `1h 30min`, `2d`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[example("1h 30min")]
#[pattern("^[0-9][0-9a-zA-Z. ]*$")]
pub struct TimeSpan(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_one_or_a_list() {
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
