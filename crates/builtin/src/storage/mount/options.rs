//! The options of a mount.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The placeholder for no options.
const DEFAULTS: &str = "defaults";

/// Mount options, such as `noatime` and `size=64m`. The order does not matter.
#[derive(Clone, Debug, Default)]
pub struct MountOptions(Vec<String>);

impl MountOptions {
    /// Parses options separated by commas, as in fstab.
    pub(crate) fn parse(text: &str) -> Self {
        text.split(',').map(str::trim).map(ToOwned::to_owned).collect()
    }

    /// The options, separated by commas; empty if there are none.
    pub(crate) fn text(&self) -> String {
        self.0.join(",")
    }

    /// All options, in the order in which they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn has(&self, option: &str) -> bool {
        self.iter().any(|found| found == option)
    }
}

/// Removes duplicates and placeholders.
impl FromIterator<String> for MountOptions {
    fn from_iter<I: IntoIterator<Item = String>>(options: I) -> Self {
        let mut kept: Vec<String> = Vec::new();
        for option in options {
            if !option.is_empty() && option != DEFAULTS && !kept.contains(&option) {
                kept.push(option);
            }
        }
        Self(kept)
    }
}

impl PartialEq for MountOptions {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|option| other.has(option))
    }
}

impl Eq for MountOptions {}

impl Property for MountOptions {
    const TYPE: &'static Type = &Type::List(&Type::Text);

    /// Accepts a list, or a string as in fstab.
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let words = match value {
            Value::Text(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
            other => Vec::<String>::from_value(other, context)?,
        };
        match words.iter().find(|word| word.contains([',', '\n'])) {
            Some(word) => {
                let fix = "write each option as a string of its own";
                Err(Problem::new(Some(&Value::text(word.as_str())), "is not a single option", fix))
            }
            None => Ok(words.into_iter().collect()),
        }
    }

    fn to_value(&self) -> Value {
        Value::list(self.iter().map(Value::text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetition_do_not_matter() {
        let check = |one: &str, other: &str, equal: bool| {
            assert_eq!(MountOptions::parse(one) == MountOptions::parse(other), equal, "{one} {other}");
        };
        check("", "defaults", true);
        check("noatime,ro", "ro,noatime", true);
        check("ro,ro", "ro", true);
        check("ro", "ro,noatime", false);
        check("size=1", "size=2", false);
    }

    #[test]
    fn accepts_a_list_or_a_string() {
        let check = |value: Value, expected: Option<&str>| {
            let options = MountOptions::from_value(&value, &Context::NOTHING).ok();
            assert_eq!(options.map(|options| options.text()).as_deref(), expected, "{value}");
        };
        check(Value::text("noatime, ro"), Some("noatime,ro"));
        check(Value::list(["noatime".into(), "ro".into()]), Some("noatime,ro"));
        check(Value::text("defaults"), Some(""));
        check(Value::list(["a,b".into()]), None);
        check(Value::Int(1), None);
    }
}
