//! Property types of one's own: by derive, and by hand.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::model::{Problem, Type, Value};
use uphold::resource::{Context, Property};

/// One of several words.
#[derive(Clone, Debug, PartialEq, Property)]
enum Level {
    Low,
    VeryHigh,
}

/// Text that keeps a rule.
#[derive(Clone, Debug, PartialEq, Property)]
#[pattern("^[a-z][a-z0-9-]*$")]
struct HostLabel(String);

/// A nested block.
#[derive(Clone, Debug, PartialEq, Property)]
struct Limits {
    /// How many at most.
    #[range(1..=100)]
    #[default(10)]
    most: u32,
    /// What to do then.
    level: Option<Level>,
}

/// Something to parse: `"3x4"`.
#[derive(Clone, Debug, PartialEq)]
struct Grid(u32, u32);

impl Property for Grid {
    const TYPE: &'static Type = &Type::Named { name: "grid", doc: "width x height", example: r#""3x4""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let refuse = || Problem::new(Some(value), "is not a grid", r#"write it like "3x4""#);
        let Value::Text(text) = value else { return Err(refuse()) };
        let (width, height) = text.split_once('x').ok_or_else(refuse)?;
        Ok(Grid(width.parse().map_err(|_| refuse())?, height.parse().map_err(|_| refuse())?))
    }

    fn to_value(&self) -> Value {
        Value::text(format!("{}x{}", self.0, self.1))
    }
}

fn read<T: Property>(value: &Value) -> Result<T, Problem> {
    T::from_value(value, &Context::NOTHING)
}

fn main() {
    assert_eq!(read(&Value::text("very-high")), Ok(Level::VeryHigh));
    assert_eq!(read(&Value::text("web-1")), Ok(HostLabel("web-1".into())));
    assert_eq!(read(&Value::text("3x4")), Ok(Grid(3, 4)));
    let limits = Value::map([("level", Value::text("low"))]);
    assert_eq!(read(&limits), Ok(Limits { most: 10, level: Some(Level::Low) }));
    for problem in [
        read::<Level>(&Value::text("lwo")).err(),
        read::<HostLabel>(&Value::text("Web 1")).err(),
        read::<Limits>(&Value::map([("most", Value::Int(1000))])).err(),
        read::<Grid>(&Value::text("3")).err(),
    ] {
        println!("{}", problem.map(|problem| problem.inside("x").to_string()).unwrap_or_default());
    }
}
