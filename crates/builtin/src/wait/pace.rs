//! Validation of intervals.

use uphold_resource::Value;

/// Whether a duration is longer than zero: checks without a pause would keep the machine busy.
pub(super) fn takes_time(value: &Value) -> bool {
    matches!(value, Value::Text(span) if **span != *"0s")
}
