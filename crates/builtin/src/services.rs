//! The kinds `service`, `systemd_timer` and `systemd_unit`.

mod links;
mod service;
mod systemd_timer;
mod systemd_unit;

use uphold_resource::{Property, Value};

pub use service::{
    Service, ServiceChange, ServiceGoal, ServiceProvider, ServiceState, ServiceVerb, ServiceWishes,
};
pub use systemd_timer::{
    Calendar, SystemdTimer, SystemdTimerChange, SystemdTimerGoal, SystemdTimerState, SystemdTimerWishes,
    TimeSpan,
};
pub use systemd_unit::{
    SystemdUnit, SystemdUnitChange, SystemdUnitGoal, SystemdUnitState, SystemdUnitWishes, UnitText,
};

// Names of services and units.

/// The types of units that can be started and stopped.
const TYPES: [&str; 10] =
    ["service", "socket", "timer", "path", "target", "mount", "automount", "swap", "slice", "scope"];

/// The name of a service or unit: `nginx`, `nginx.service`, `getty@tty1`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[pattern(r"^[A-Za-z0-9:_.@\\-]{1,250}$")]
pub struct UnitName(pub String);

impl UnitName {
    /// The full name with a type, which defaults to `service`.
    pub(crate) fn whole(&self) -> String {
        match self.unit_type() {
            Some(_) => self.0.clone(),
            None => format!("{}.service", self.0),
        }
    }

    /// The type, if the name has one.
    pub(crate) fn unit_type(&self) -> Option<&'static str> {
        let (stem, end) = self.0.rsplit_once('.')?;
        TYPES.into_iter().find(|ty| *ty == end && !stem.is_empty())
    }

    /// The name without type and instance: `getty` of `getty@tty1.service`.
    pub(crate) fn stem(&self) -> &str {
        let plain = match self.unit_type() {
            Some(ty) => &self.0[..self.0.len() - ty.len() - 1],
            None => &self.0,
        };
        plain.split('@').next().unwrap_or(plain)
    }
}

// Validation of values in unit files.

/// Whether the value is true, for properties that cannot be false.
pub(crate) fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}

/// Whether the string survives a round trip through a unit file: a backslash at its end would join the next line.
pub(crate) fn is_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if is_one_line(text) && text.trim() == &**text && !text.ends_with('\\'))
}

/// Whether all are valid names of variables with single-line values.
pub(crate) fn are_variables(value: &Value) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    let is_value = |value: &Value| matches!(value, Value::Text(text) if is_one_line(text));
    matches!(value, Value::Map(map) if map.iter().all(|(name, value)| is_name(name) && is_value(value)))
}

/// Whether the string has no line breaks.
pub(crate) fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\0'])
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn full_names_and_stems() {
        let check = |name: &str, whole: &str, stem: &str| {
            let name = UnitName(name.to_owned());
            assert_eq!((name.whole(), name.stem()), (whole.to_owned(), stem));
        };
        check("nginx", "nginx.service", "nginx");
        check("nginx.service", "nginx.service", "nginx");
        check("a.timer", "a.timer", "a");
        check("php8.2-fpm", "php8.2-fpm.service", "php8.2-fpm");
        check("getty@tty1", "getty@tty1.service", "getty");
        check("x@.socket", "x@.socket", "x");
        check(".service", ".service.service", ".service");
    }
}

#[cfg(test)]
mod rules_tests {
    use super::*;

    #[test]
    fn checks_lines() {
        let check = |text: &str, expected| assert_eq!(is_line(&Value::text(text)), expected, "{text:?}");
        check("", true);
        check("/bin/true a\\b", true);
        check("a\n[Service]", false);
        check(" a", false);
        check("a\\", false);
    }

    #[test]
    fn checks_variables() {
        let check = |name: &str, value: &str, expected| {
            let map = Value::map([(name, Value::text(value))]);
            assert_eq!(are_variables(&map), expected, "{name:?} {value:?}");
        };
        check("A_1", "b = \"c\"", true);
        check("A B", "c", false);
        check("", "c", false);
        check("A", "b\nc", false);
    }
}
