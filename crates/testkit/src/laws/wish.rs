//! A block that a kind is tested with.

use std::fmt;

use uphold_model::{Name, Value};

/// A block as a user would write it: a label, and the properties that are set.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    pub(crate) label: String,
    pub(crate) values: Vec<(Name, Value)>,
}

impl Wish {
    /// A block with this label and no properties.
    pub fn named(label: impl Into<String>) -> Self {
        Self { label: label.into(), values: Vec::new() }
    }

    /// Sets a property, or replaces its value.
    #[must_use]
    pub fn set(mut self, property: &str, value: impl Into<Value>) -> Self {
        self.values.retain(|(name, _)| **name != *property);
        self.values.push((property.into(), value.into()));
        self
    }

    /// The wish with only the properties for which `keep` is true.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.values.iter().filter(|(name, _)| keep(name)).cloned();
        Self { label: self.label.clone(), values: kept.collect() }
    }

    pub(crate) fn sets(&self, property: &str) -> bool {
        self.values.iter().any(|(name, _)| **name == *property)
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {{", self.label)?;
        for (at, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{} {name} = {value}", if at == 0 { "" } else { "," })?;
        }
        f.write_str(if self.values.is_empty() { "}" } else { " }" })
    }
}
