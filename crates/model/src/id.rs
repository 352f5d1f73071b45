//! What a resource is called.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A shared, immutable piece of text: cheap to clone, compared by content.
pub type Name = Arc<str>;

/// The natural key of a resource: where it was declared, its kind and its name. Unique in the resource set.
///
/// It is in many places at once, so it is shared: a clone costs no memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(Arc<Identity>);

/// What a [`ResourceId`] consists of.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The call of the module that declares it, such as `module.web["a"]`; none for the configuration itself.
    pub module: Option<Name>,
    /// The kind, such as `file`.
    pub kind: Name,
    /// The name, such as `/etc/motd`: the label of its block.
    pub name: Name,
    /// Which of the resources that one block with `for_each` declares.
    pub key: Option<Name>,
}

impl Deref for ResourceId {
    type Target = Identity;

    fn deref(&self) -> &Identity {
        &self.0
    }
}

impl From<Identity> for ResourceId {
    fn from(identity: Identity) -> Self {
        Self(Arc::new(identity))
    }
}

impl ResourceId {
    /// The id of the resource `name` of kind `kind`.
    pub fn new(kind: impl Into<Name>, name: impl Into<Name>) -> Self {
        Identity { module: None, kind: kind.into(), name: name.into(), key: None }.into()
    }

    /// The same kind, name and key in another module.
    #[must_use]
    pub fn in_module(&self, module: Option<Name>) -> Self {
        Identity { module, ..(*self.0).clone() }.into()
    }

    /// The resource of the same block for this key of `for_each`, or of the block without one.
    #[must_use]
    pub fn with_key(&self, key: Option<Name>) -> Self {
        Identity { key, ..(*self.0).clone() }.into()
    }

    /// What names the thing, unless a property does: the key of `for_each`, else the block's label.
    pub fn label(&self) -> &Name {
        self.key.as_ref().unwrap_or(&self.name)
    }
}

/// Printed as it is written in an expression: `task.migrate`, `file["/etc/motd"]`, `module.web.user.people["ann"]`.
impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(module) = &self.module {
            write!(f, "{module}.")?;
        }
        match is_identifier(&self.name) {
            true => write!(f, "{}.{}", self.kind, self.name)?,
            false => write!(f, "{}[{:?}]", self.kind, self.name)?,
        }
        self.key.iter().try_for_each(|key| write!(f, "[{key:?}]"))
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
