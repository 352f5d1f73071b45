//! How fast a wait looks.

use uphold_resource::Value;

/// Whether a span is longer than nothing: what is looked at without a pause keeps the machine busy, and
/// no answer comes in no time.
pub(super) fn takes_time(value: &Value) -> bool {
    matches!(value, Value::Text(span) if **span != *"0s")
}
