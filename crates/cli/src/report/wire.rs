//! Our types as the JSON stream shows them. The stream is a promise; our types are not, so that
//! nothing of them is written out but here.

use serde_json::{Map, Number, Value as Json, json};
use uphold::model::{Diagnostic, Difference, Place, ResourceId, Severity, Side, Value};
use uphold::{Change, ChangeKind, Failure, Summary};

use crate::error::CliError;
use crate::lines::Lines;

/// A value; what is secret or not known is null, and a flag beside it says so.
pub(crate) fn value(value: &Value) -> Json {
    match value {
        Value::Null | Value::Sensitive(_) | Value::Unknown(_) => Json::Null,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Int(int) => Json::from(*int),
        Value::Float(float) => Number::from_f64(*float).map_or(Json::Null, Json::Number),
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => json!({ "hex": hex(bytes) }),
        Value::List(items) => items.iter().map(self::value).collect(),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.to_string(), self::value(v))).collect()),
        Value::Reference(id) => Json::from(id.to_string()),
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// `{kind, name, address}`, and where there is one, the call of its module and its key.
pub(crate) fn resource(id: &ResourceId) -> Json {
    let mut json = json!({ "kind": &*id.kind, "name": &*id.name, "address": id.to_string() });
    for (name, part) in [("module", id.module()), ("key", id.key())] {
        if let Some(part) = part {
            json[name] = Json::from(&**part);
        }
    }
    json
}

/// `{kind, differences, unknown}`.
pub(crate) fn change(change: &Change) -> Json {
    let kind = match change.kind {
        ChangeKind::Create => "create",
        ChangeKind::Update => "update",
        ChangeKind::Remove => "remove",
        ChangeKind::Run => "run",
    };
    let differences: Vec<Json> = change.differences.iter().map(difference).collect();
    json!({ "kind": kind, "differences": differences, "unknown": change.unknown })
}

/// Both sides of a difference. If either is a secret, both are hidden.
pub(crate) fn difference(difference: &Difference) -> Json {
    let hidden = difference.is_sensitive();
    let side = |side: &Side| side.value().filter(|_| !hidden).map_or(Json::Null, value);
    let is_secret = |side: &Side| hidden && side.value().is_some();
    json!({
        "property": &*difference.property,
        "before": side(&difference.from),
        "after": side(&difference.to),
        "before_sensitive": is_secret(&difference.from),
        "after_sensitive": is_secret(&difference.to),
        "after_unknown": difference.to.value().is_some_and(Value::is_unknown),
        "after_waits_for": difference.to.value().and_then(waits_for),
        "default": matches!(difference.to, Side::Default(_)),
    })
}

/// What the first part that is not known waits for.
pub(crate) fn waits_for(value: &Value) -> Option<&str> {
    value.first_unknown().map(|unknown| &*unknown.waits_for)
}

/// `{kind, message, causes, hint, differences, place}`.
pub(crate) fn failure(failure: &Failure, lines: &mut Lines<'_>) -> Json {
    let differences: Vec<Json> = failure.differences.iter().map(difference).collect();
    json!({
        "kind": failure.kind.word(),
        "message": failure.message,
        "causes": failure.causes,
        "hint": failure.hint,
        "differences": differences,
        "place": failure.place.map(|at| place(at, lines)),
    })
}

/// A problem of the configuration.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, lines: &mut Lines<'_>) -> Json {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut related = Vec::new();
    for other in &diagnostic.related {
        related.push(json!({ "place": place(other.place, lines), "label": other.label }));
    }
    json!({
        "severity": severity,
        "summary": diagnostic.summary,
        "detail": diagnostic.detail,
        "place": diagnostic.place.map(|at| place(at, lines)),
        "related": related,
        "fix": diagnostic.fix,
    })
}

/// An error without a place, in the same form.
pub(crate) fn error(error: &CliError) -> Json {
    json!({
        "severity": "error",
        "summary": "cannot run",
        "detail": std::iter::once(&error.message).chain(&error.causes).cloned().collect::<Vec<_>>().join(": "),
        "place": null,
        "related": [],
        "fix": error.hint,
    })
}

/// `{file, line, column, start, end}`.
pub(crate) fn place(place: Place, lines: &mut Lines<'_>) -> Json {
    let at = lines.position(place);
    json!({
        "file": lines.name(place),
        "line": at.line,
        "column": at.column,
        "start": place.start,
        "end": place.end,
    })
}

/// The numbers of a run.
pub(crate) fn summary(summary: &Summary) -> Json {
    let counts = [
        ("ok", summary.ok),
        ("changed", summary.changed),
        ("failed", summary.failed),
        ("ignored", summary.ignored),
        ("differ", summary.differ),
        ("skipped", summary.skipped),
        ("created", summary.created),
        ("updated", summary.updated),
        ("removed", summary.removed),
        ("ran", summary.ran),
        ("may_change", summary.may_change),
        ("not_wanted", summary.not_wanted),
    ];
    Json::Object(
        counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect::<Map<_, _>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_json() {
        let check = |from: Value, expected: Json| assert_eq!(value(&from), expected);
        check(Value::Int(-1), json!(-1));
        check(Value::Float(0.5), json!(0.5));
        check(Value::Float(f64::NAN), Json::Null);
        check(Value::Bytes(vec![0, 0xfe].into()), json!({ "hex": "00fe" }));
        check(
            Value::map([("a", Value::list([Value::Bool(true), Value::Null]))]),
            json!({ "a": [true, null] }),
        );
        check(Value::Reference(ResourceId::new("file", "/x").into()), json!(r#"file["/x"]"#));
        check(Value::text("hunter2").sensitive(), Json::Null);
        check(Value::unknown("task.a"), Json::Null);
    }

    #[test]
    fn a_secret_on_one_side_hides_the_other_too() {
        let secret = Value::map([("password", Value::text("hunter2").sensitive())]);
        let pair = Difference {
            property: "p".into(),
            from: Side::Value(Value::text("hunter1")),
            to: Side::Value(secret),
        };
        let shown = difference(&pair);
        assert!(!shown.to_string().contains("hunter"), "{shown}");
        assert_eq!((&shown["before_sensitive"], &shown["after_sensitive"]), (&json!(true), &json!(true)));
    }
}
