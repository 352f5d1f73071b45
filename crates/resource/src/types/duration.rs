//! Durations.

use std::time::Duration;

use uphold_model::{Problem, Type, Value, parse_duration};

use super::{mismatch, refused};
use crate::property::{Context, Property};

const FIX: &str = r#"write a duration such as "90s", "1h30m" or "250ms", or a number of seconds"#;
/// Nanoseconds of each unit that is printed.
const PRINTED: [(&str, u128); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1000),
    ("ns", 1),
];

/// A duration: `"1h30m"`, `"250ms"`, or a number of seconds.
impl Property for Duration {
    const TYPE: &'static Type =
        &Type::Named { name: "duration", doc: "a duration, or seconds", example: r#""1h30m""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let span = match value {
            Value::Int(seconds) => Duration::try_from_secs_f64(*seconds as f64).ok(),
            Value::Float(seconds) => Duration::try_from_secs_f64(*seconds).ok(),
            Value::Text(text) => parse_duration(text),
            other => return Err(mismatch(other, "a duration", FIX)),
        };
        span.ok_or_else(|| refused(value, "is not a duration", FIX))
    }

    fn to_value(&self) -> Value {
        Value::text(print(*self))
    }
}

/// Prints whole units from the largest down, so that it reads back as the same duration.
fn print(span: Duration) -> String {
    let mut rest = span.as_nanos();
    if rest == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (unit, size) in PRINTED {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints_durations() {
        let check = |text: &str, milliseconds: Option<u64>| {
            let read = Duration::from_value(&Value::text(text), &Context::NOTHING);
            assert_eq!(read.ok(), milliseconds.map(Duration::from_millis), "{text}");
        };
        check("90s", Some(90_000));
        check("1h30m", Some(5_400_000));
        check("1.5s", Some(1500));
        check("250ms", Some(250));
        check("2d", Some(172_800_000));
        for wrong in ["", "5", "s", "5 s", "5x", "-1s", "1.2.3s"] {
            check(wrong, None);
        }
        assert_eq!(print(Duration::from_millis(5_400_250)), "1h30m250ms");
    }
}
