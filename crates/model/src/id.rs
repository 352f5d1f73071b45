//! Ids of resources.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::identifier::is_identifier;

/// A shared, immutable string: cheap to clone, compared by content.
pub type Name = Arc<str>;

/// The natural key of a resource: its module, kind and name. Unique in the resource set.
///
/// It is stored in many places, so it is shared: a clone allocates nothing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(Arc<Identity>);

/// The parts of a [`ResourceId`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The kind, such as `file`.
    pub kind: Name,
    /// The name, such as `/etc/motd`: the label of its block.
    pub name: Name,
    /// Boxed because few resources have one.
    origin: Option<Box<Origin>>,
}

/// The module call and the key of `for_each` that a resource comes from.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Origin {
    module: Option<Name>,
    key: Option<Name>,
}

impl Identity {
    /// The call of the module that declares it, such as `module.web["a"]`; none for the configuration itself.
    pub fn module(&self) -> Option<&Name> {
        self.origin.as_ref()?.module.as_ref()
    }

    /// The key of the resource among those that one block with `for_each` declares.
    pub fn key(&self) -> Option<&Name> {
        self.origin.as_ref()?.key.as_ref()
    }

    fn order(&self) -> (Option<&Name>, &Name, &Name, Option<&Name>) {
        (self.module(), &self.kind, &self.name, self.key())
    }
}

/// Sorted by module first.
impl Ord for Identity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Identity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Deref for ResourceId {
    type Target = Identity;

    fn deref(&self) -> &Identity {
        &self.0
    }
}

impl ResourceId {
    /// The id of the resource `name` of kind `kind`.
    pub fn new(kind: impl Into<Name>, name: impl Into<Name>) -> Self {
        Self(Arc::new(Identity { kind: kind.into(), name: name.into(), origin: None }))
    }

    /// The same id in another module.
    #[must_use]
    pub fn in_module(&self, module: Option<Name>) -> Self {
        self.with_origin(Origin { module, key: self.key().cloned() })
    }

    /// The same id with this key of `for_each`, or without a key.
    #[must_use]
    pub fn with_key(&self, key: Option<Name>) -> Self {
        self.with_origin(Origin { module: self.module().cloned(), key })
    }

    fn with_origin(&self, origin: Origin) -> Self {
        let origin = (origin != Origin::default()).then(|| Box::new(origin));
        if origin == self.origin {
            self.clone()
        } else {
            Self(Arc::new(Identity { origin, ..(*self.0).clone() }))
        }
    }

    /// The default of the naming property: the key of `for_each`, else the block's label.
    pub fn label(&self) -> &Name {
        self.key().unwrap_or(&self.name)
    }
}

/// Printed as a reference: `task.migrate`, `file["/etc/motd"]`, `module.web.user.people["ann"]`.
impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(module) = self.module() {
            write!(f, "{module}.")?;
        }
        f.write_str(&self.kind)?;
        if is_identifier(&self.name) {
            f.write_str(".")?;
            f.write_str(&self.name)?;
        } else if self.name.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
            // Addresses are made often, and few have something to escape.
            for part in ["[\"", &self.name, "\"]"] {
                f.write_str(part)?;
            }
        } else {
            write!(f, "[{:?}]", self.name)?;
        }
        self.key().iter().try_for_each(|key| write!(f, "[{key:?}]"))
    }
}

impl fmt::Debug for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
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

    #[test]
    fn an_origin_can_be_given_and_taken() {
        let plain = ResourceId::new("user", "people");
        let whole = plain.in_module(Some("module.web".into())).with_key(Some("ann".into()));
        assert_eq!(whole.to_string(), r#"module.web.user.people["ann"]"#);
        assert_eq!((&**whole.label(), &**plain.label()), ("ann", "people"));
        assert_eq!(whole.with_key(None).in_module(None), plain);
        let mut sorted = [whole.clone(), plain.with_key(Some("bob".into())), plain.clone()];
        sorted.sort();
        assert_eq!(sorted, [plain.clone(), plain.with_key(Some("bob".into())), whole]);
    }

    /// Every resource keeps one in memory.
    #[test]
    fn an_id_is_small() {
        assert!(size_of::<Identity>() <= 40, "{}", size_of::<Identity>());
    }
}
