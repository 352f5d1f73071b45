//! Values that decide what a change does and are no difference: computed names and settings, contents that are read.

use uphold_model::{Map, Name, ResourceId, Side, Value};
use uphold_wire::saved_plan::Setting;

use super::difference::{planned_side, shown_side, side_fits, subject};
use super::salt::Salt;
use super::words;

/// Where the digest of a secret setting belongs.
const SIDE: &str = "setting";

/// The settings that a run found for `resource`. Of a secret there is a digest and no more.
pub(super) fn planned(inputs: &Map, resource: &ResourceId, salt: &Salt) -> Vec<Setting> {
    let setting = |(name, value): (&Name, &Value)| {
        let subject = subject(resource, name, SIDE);
        let value = planned_side(&Side::Value(value.clone()), value.is_sensitive(), &subject, salt)?;
        Some(Setting { name: name.to_string(), value })
    };
    inputs.iter().filter_map(setting).collect()
}

/// Whether `resource` still has the planned settings. One that was unknown may be anything.
///
/// # Errors
/// The first that differs, for a message.
pub(super) fn compare(
    planned: &[Setting],
    now: &Map,
    resource: &ResourceId,
    salt: &Salt,
) -> Result<(), String> {
    for Setting { name, value } in planned {
        let now = Side::Value(now.get(name.as_str()).cloned().unwrap_or(Value::Null));
        if !side_fits(Some(value), &now, &subject(resource, name, SIDE), salt) {
            let hidden = value.content.value().is_hidden() || now.value().is_some_and(Value::is_sensitive);
            return Err(words::other_setting(name, &shown_side(Some(value)), &now, hidden));
        }
    }
    Ok(())
}

/// The planned value of a setting, with a blank for a secret.
pub(super) fn value(planned: &[Setting], name: &str) -> Option<Value> {
    let setting = planned.iter().find(|setting| setting.name == name)?;
    Some(setting.value.content.value().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(planned: &[(&str, Value)], now: &[(&str, Value)], expected: Result<(), &str>) {
        let map = |all: &[(&str, Value)]| -> Map {
            all.iter().map(|(name, value)| (Name::from(*name), value.clone())).collect()
        };
        let (salt, id) = (Salt::fresh(), ResourceId::new("task", "x"));
        let kept = super::planned(&map(planned), &id, &salt);
        assert!(!format!("{kept:?}").contains("hunter2"), "{kept:?}");
        let found = compare(&kept, &map(now), &id, &salt);
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected);
    }

    #[test]
    fn known_settings_must_be_the_same() {
        let text = |text: &str| Value::text(text);
        let secret = |text: &str| Value::text(text).sensitive();
        check(&[("apply", text("a"))], &[("apply", text("a"))], Ok(()));
        check(
            &[("apply", text("a"))],
            &[("apply", text("b"))],
            Err("apply was \"a\" when it was planned, and is \"b\" now"),
        );
        check(
            &[("creates", Value::Null)],
            &[("creates", text("/x"))],
            Err("creates was null when it was planned, and is \"/x\" now"),
        );
        check(&[("creates", Value::Null)], &[], Ok(()));
        check(&[("source", Value::unknown("task.a"))], &[("source", text("b"))], Ok(()));
        check(&[("env", secret("hunter2"))], &[("env", secret("hunter2"))], Ok(()));
        check(
            &[("env", secret("hunter2"))],
            &[("env", secret("other"))],
            Err("env is a secret that is not what it was when it was planned"),
        );
    }
}
