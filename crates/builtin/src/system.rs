//! Settings of the system: kernel, host name, locale and time zone.

mod assignments;
mod hostname;
mod kernel_module;
mod locale;
mod sysctl;
mod timezone;

use uphold_resource::{Context, Problem, Property, Type, Value};

pub use hostname::{Hostname, HostnameChange, HostnameGoal, HostnameState, HostnameWishes, MachineName};
pub use kernel_module::{
    KernelModule, KernelModuleChange, KernelModuleGoal, KernelModuleState, KernelModuleWishes, ModuleName,
};
pub use locale::{Locale, LocaleChange, LocaleGoal, LocaleName, LocaleState, LocaleWishes};
pub use sysctl::{Sysctl, SysctlChange, SysctlGoal, SysctlKey, SysctlState, SysctlWishes};
pub use timezone::{Timezone, TimezoneChange, TimezoneGoal, TimezoneState, TimezoneWishes, Zone};

pub(crate) use assignments::without_backslashes;

// Values of kernel settings.

const FIX: &str = "use a number or a string";

/// The value of a kernel setting: a number, a string or several numbers. The amount of white space between them
/// does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelValue(String);

impl KernelValue {
    /// An existing value, with any white space.
    pub(crate) fn new(text: &str) -> Self {
        Self(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Property for KernelValue {
    const TYPE: &'static Type =
        &Type::Named { name: "kernel value", doc: "a number, a string or a list of numbers", example: "1" };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let Value::List(items) = value else { return word(value).map(Self) };
        let words: Result<Vec<String>, Problem> = items.iter().map(word).collect();
        Ok(Self(words?.join(" ")))
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

/// A number or string, with normalised white space.
fn word(value: &Value) -> Result<String, Problem> {
    match value {
        Value::Int(number) => Ok(number.to_string()),
        Value::Text(text) if !text.contains(['\n', '\r', '\0']) => Ok(KernelValue::new(text).0),
        Value::Bool(_) => Err(Problem::new(Some(value), "must be a number or a string", "use 0 or 1")),
        other => Err(Problem::new(Some(other), "must be a number or a single-line string", FIX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_white_space() {
        let check = |value: Value, expected: Option<&str>| {
            let read = KernelValue::from_value(&value, &Context::NOTHING).ok();
            assert_eq!(read.as_ref().map(KernelValue::as_str), expected, "{value}");
        };
        check(Value::Int(-1), Some("-1"));
        check(Value::text(" 32768\t60999\u{20}"), Some("32768 60999"));
        check(Value::list([Value::Int(4096), Value::text("87380")]), Some("4096 87380"));
        check(Value::text(""), Some(""));
        check(Value::Bool(true), None);
        check(Value::list([Value::list([Value::Int(1)])]), None);
        check(Value::text("a\nb"), None);
    }
}
