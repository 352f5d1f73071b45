//! Property types of your own, by derive; `parsed_type.rs` shows one by hand.

use uphold::model::{Problem, Value};
use uphold::resource::{Context, Property};

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Property)]
enum Level {
    Low,
    VeryHigh,
}

/// A string with a rule.
#[derive(Clone, Debug, PartialEq, Property)]
#[pattern("^[a-z][a-z0-9-]*$")]
struct HostLabel(String);

/// A nested block.
#[derive(Clone, Debug, PartialEq, Property)]
struct Limits {
    /// The maximum.
    #[range(1..=100)]
    #[default(10)]
    most: u32,
    /// The level.
    level: Option<Level>,
}

fn read<T: Property>(value: &Value) -> Result<T, Problem> {
    T::from_value(value, &Context::NOTHING)
}

fn main() {
    assert_eq!(read(&Value::text("very-high")), Ok(Level::VeryHigh));
    assert_eq!(read(&Value::text("web-1")), Ok(HostLabel("web-1".into())));
    let limits = Value::map([("level", Value::text("low"))]);
    assert_eq!(read(&limits), Ok(Limits { most: 10, level: Some(Level::Low) }));
    let problem = read::<Level>(&Value::text("lwo")).map_err(|problem| problem.inside("x").to_string());
    assert_eq!(problem, Err(r#"`x` = "lwo" must be one of "low", "very-high"; did you mean "low"?"#.into()));
}
