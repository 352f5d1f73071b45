//! Conversion between values and JSON.

use serde_json::{Number, Value as Json};
use uphold_model::{Map, Problem, Value};

/// The value of JSON. A number without a fraction is whole, however it is written; beyond 64 bits it is a float.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => n.as_i64().map_or_else(|| fraction(n.as_f64().unwrap_or_default()), Value::Int),
        Json::String(text) => Value::text(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(value)),
        Json::Object(members) => {
            let members: Map = members.iter().map(|(key, item)| (key.as_str().into(), value(item))).collect();
            Value::Map(members.into())
        }
    }
}

/// A value as JSON, with secrets revealed. A number without a fraction is written without one.
///
/// # Errors
/// If JSON cannot represent it.
pub(crate) fn json(value: &Value) -> Result<Json, Problem> {
    Ok(match value.reveal() {
        Value::Null => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(i) => Json::from(*i),
        Value::Float(x) => number(*x)
            .ok_or_else(|| Problem::new(Some(value), "cannot be represented in JSON", "write a number"))?,
        Value::Text(text) => Json::from(&**text),
        Value::List(items) => {
            let item = |(i, item)| json(item).map_err(|problem| problem.inside(&format!("[{i}]")));
            Json::Array(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
        }
        Value::Map(members) => {
            let member = |(key, item): (&uphold_model::Name, &Value)| match json(item) {
                Ok(item) => Ok((key.to_string(), item)),
                Err(problem) => Err(problem.inside(key)),
            };
            Json::Object(members.iter().map(member).collect::<Result<_, _>>()?)
        }
        Value::Bytes(_) => {
            return Err(Problem::new(
                Some(value),
                "cannot be represented in JSON",
                "write it as base64encode(…)",
            ));
        }
        _ => {
            return Err(Problem::new(
                Some(value),
                "cannot be represented in \
                                                   JSON",
                "write a value, not a resource",
            ));
        }
    })
}

/// Beyond this, a float cannot distinguish adjacent whole numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn number(x: f64) -> Option<Json> {
    match whole(x) {
        Some(i) => Some(Json::from(i)),
        None => Number::from_f64(x).map(Json::Number),
    }
}

fn fraction(x: f64) -> Value {
    whole(x).map_or(Value::Float(x), Value::Int)
}

fn whole(x: f64) -> Option<i64> {
    (x.fract() == 0.0 && x.abs() < EXACT).then_some(x as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_round_trip() {
        let all = json!({ "a": [1, 2.5, null, true], "b": { "c": "x" } });
        assert_eq!(json(&value(&all)), Ok(all));
        assert_eq!(json(&Value::Float(3.0)), Ok(json!(3)));
        assert_eq!(json(&Value::text("x").sensitive()), Ok(json!("x")));
        assert_eq!(value(&json!(u64::MAX)), Value::Float(u64::MAX as f64));
        assert_eq!(value(&json!([5.0, 1e0, 1.5])), value(&json!([5, 1, 1.5])));
    }

    #[test]
    fn values_without_json_are_rejected_with_their_path() {
        let bytes = Value::list([Value::Null, Value::map([("k", Value::Bytes([0xff].into()))])]);
        let problem = json(&bytes).expect_err("bytes");
        assert_eq!(
            problem.to_string(),
            "`[1].k` = (1 bytes) cannot be represented in JSON; write it as \
                                         base64encode(…)"
        );
        assert!(json(&Value::Float(f64::NAN)).is_err());
    }
}
