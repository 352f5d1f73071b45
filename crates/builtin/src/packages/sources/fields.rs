//! Fields of a repository without a property of their own.

use std::collections::BTreeMap;

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::document::Document;

/// Fields that have a property.
const PROPERTIES: [&str; 8] =
    ["Types", "URIs", "Suites", "Components", "Signed-By", "Architectures", "Enabled", "Trusted"];

const FIX: &str = r#"use field names of apt's manual and single-line values: { Languages = "none" }"#;

/// Further fields by name. Only declared ones are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    pub(super) fn of(document: &Document) -> Self {
        let others = document.all().filter(|(name, _)| !is_property(name));
        Self(others.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Whether each field of `other` is among these.
    pub(super) fn has_names_of(&self, other: &Self) -> bool {
        other.0.keys().all(|name| self.0.contains_key(name))
    }

    /// Sets these fields and removes all others without a property.
    pub(super) fn fill(&self, document: &mut Document) {
        for name in Self::of(document).0.keys().filter(|name| !self.0.contains_key(*name)) {
            document.set(name, "");
        }
        for (name, value) in &self.0 {
            if document.value(name).unwrap_or_default() != value {
                document.set(name, value);
            }
        }
    }
}

impl Property for Fields {
    const TYPE: &'static Type = BTreeMap::<String, String>::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let fields = BTreeMap::<String, String>::from_value(value, context)?;
        let refuse = |why: String| Err(Problem::new(Some(value), why, FIX));
        for (name, text) in &fields {
            if is_property(name) {
                return refuse(format!("contains {name}, which has a property of its own"));
            }
            if name.is_empty()
                || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                || text.contains('\n')
            {
                return refuse(format!(
                    "contains {name:?}, which is not a valid field with a single-line value"
                ));
            }
        }
        Ok(Self(fields))
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    /// The current fields, overridden by the declared ones. An empty value removes a field.
    fn settle(&self, current: Option<&Self>) -> Self {
        let mut all = current.cloned().unwrap_or_default().0;
        for (name, value) in &self.0 {
            let as_written = all.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned();
            match (value.is_empty(), as_written) {
                (true, Some(key)) => drop(all.remove(&key)),
                (true, None) => {}
                (false, key) => drop(all.insert(key.unwrap_or_else(|| name.clone()), value.clone())),
            }
        }
        Self(all)
    }
}

fn is_property(name: &str) -> bool {
    PROPERTIES.iter().any(|property| property.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn compares_declared_fields_only() {
        let check = |declared: &[(&str, &str)], goal: &[(&str, &str)]| {
            let current = fields(&[("Languages", "none"), ("X-Note", "ours")]);
            assert_eq!(fields(declared).settle(Some(&current)), fields(goal));
        };
        check(&[], &[("Languages", "none"), ("X-Note", "ours")]);
        check(&[("languages", "en")], &[("Languages", "en"), ("X-Note", "ours")]);
        check(&[("X-Note", ""), ("X-No", "")], &[("Languages", "none")]);
        check(&[("By-Hash", "no")], &[("By-Hash", "no"), ("Languages", "none"), ("X-Note", "ours")]);
    }

    #[test]
    fn refuses_invalid_fields() {
        let check = |name: &'static str, text: &str, fine: bool| {
            let value = Value::map([(name, Value::text(text))]);
            assert_eq!(Fields::from_value(&value, &Context::NOTHING).is_ok(), fine, "{name}");
        };
        check("Check-Valid-Until", "no", true);
        check("uris", "x", false);
        check("a b", "x", false);
        check("", "x", false);
        check("Languages", "x\nTrusted: yes", false);
    }
}
