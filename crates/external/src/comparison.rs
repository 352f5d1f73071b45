//! Comparison of the current and the desired state, by the rules of DSC.

use uphold_model::Value;

/// Whether `there` matches `wanted`: for a map only the wanted keys count, and lists are compared as sets.
pub(crate) fn is_met(wanted: &Value, there: &Value) -> bool {
    match (wanted.reveal(), there.reveal()) {
        (Value::Map(wanted), Value::Map(there)) => wanted.iter().all(|(key, wanted)| match there.get(key) {
            Some(there) => is_met(wanted, there),
            None => *wanted == Value::Null,
        }),
        (Value::List(wanted), Value::List(there)) => {
            wanted.len() == there.len()
                && wanted.iter().all(|one| there.iter().any(|other| is_met(one, other)))
        }
        (Value::Int(i), Value::Float(x)) | (Value::Float(x), Value::Int(i)) => *i as f64 == *x,
        (wanted, there) => wanted == there,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::json::value;

    #[test]
    fn rule_7_a_subset_is_enough_and_lists_are_sets() {
        let check = |wanted: Json, there: Json, expected: bool| {
            assert_eq!(is_met(&value(&wanted), &value(&there)), expected, "{wanted} of {there}");
        };
        check(json!("a"), json!("a"), true);
        check(json!("a"), json!("A"), false);
        check(json!(1), json!(1.0), true);
        check(json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), true);
        check(json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), false);
        check(json!({ "a": { "b": [1] } }), json!({ "a": { "b": [1], "c": 2 } }), true);
        check(json!({ "a": null }), json!({}), true);
        check(json!([1, 2]), json!([2, 1]), true);
        check(json!([1]), json!([1, 2]), false);
        check(json!([1, 3]), json!([1, 2]), false);
        check(json!([{ "a": 1 }]), json!([{ "a": 1, "b": 2 }]), true);
        check(json!([1]), json!(1), false);
    }
}
