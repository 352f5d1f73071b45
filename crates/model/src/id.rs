//! What a resource is called.

use std::fmt;
use std::sync::Arc;

/// A shared, immutable piece of text: cheap to clone, compared by content.
pub type Name = Arc<str>;

/// The natural key of a resource: its kind and its name. Unique in the resource set.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId {
    /// The kind, such as `file`.
    pub kind: Name,
    /// The name, such as `/etc/motd`: the label of its block.
    pub name: Name,
}

impl ResourceId {
    /// The id of the resource `name` of kind `kind`.
    pub fn new(kind: impl Into<Name>, name: impl Into<Name>) -> Self {
        Self { kind: kind.into(), name: name.into() }
    }
}

/// Printed as it is written in an expression: `task.migrate`, `file["/etc/motd"]`.
impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_identifier(&self.name) {
            write!(f, "{}.{}", self.kind, self.name)
        } else {
            write!(f, "{}[{:?}]", self.kind, self.name)
        }
    }
}

impl fmt::Debug for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether `text` can stand in an expression without quotes.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_as_references() {
        let check = |kind: &str, name: &str, text: &str| {
            assert_eq!(ResourceId::new(kind, name).to_string(), text);
        };
        check("task", "migrate", "task.migrate");
        check("file", "/etc/motd", r#"file["/etc/motd"]"#);
        check("log", "say \"hi\"", r#"log["say \"hi\""]"#);
        check("log", "", r#"log[""]"#);
    }
}
