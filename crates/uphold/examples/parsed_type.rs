//! A property type of your own, by hand: parsed text.

use uphold::model::{Problem, Type, Value};
use uphold::resource::{Context, Property};

/// A width and a height: `"3x4"`.
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

fn main() {
    let read = |text: &str| Grid::from_value(&Value::text(text), &Context::NOTHING);
    assert_eq!(read("3x4"), Ok(Grid(3, 4)));
    let problem = read("3").map_err(|problem| problem.inside("x").to_string());
    assert_eq!(problem, Err(r#"`x` = "3" is not a grid; write it like "3x4""#.into()));
}
