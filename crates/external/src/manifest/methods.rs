//! The operations of a manifest.

use super::method::{Method, Returns};
use crate::document::{Fault, Spot};

/// Which program does what.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Methods {
    pub(crate) get: Option<Method>,
    pub(crate) set: Option<Method>,
    pub(crate) test: Option<Method>,
    pub(crate) delete: Option<Method>,
    pub(crate) validate: Option<Method>,
    pub(crate) what_if: Option<Method>,
}

impl Methods {
    pub(super) fn read(spot: &Spot<'_>) -> Result<Self, Fault> {
        let method = |key: &str| spot.get(key).map(|spot| Method::read(&spot)).transpose();
        Ok(Self {
            get: method("get")?,
            set: method("set")?,
            test: method("test")?,
            delete: method("delete")?,
            validate: method("validate")?.map(Method::told),
            what_if: method("whatIf")?,
        })
    }

    /// Whether anything can tell what is there.
    pub(super) fn can_look(&self) -> bool {
        self.get.is_some() || self.test.as_ref().is_some_and(|test| test.returns != Returns::Nothing)
    }

    /// Those that a resource behind an adapter is capable of.
    pub(super) fn limited_to(self, capabilities: &[String]) -> Self {
        let has = |word: &str| capabilities.iter().any(|one| one == word);
        let handles_exist = has("setHandlesExist");
        let set = self.set.filter(|_| has("set"));
        Self {
            get: self.get.filter(|_| has("get")),
            set: set.map(|set| Method { handles_exist: set.handles_exist || handles_exist, ..set }),
            test: self.test.filter(|_| has("test")),
            delete: self.delete.filter(|_| has("delete")),
            validate: None,
            what_if: self.what_if.filter(|_| has("whatIf")),
        }
    }

    /// Every operation on a resource.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Method> {
        [&self.get, &self.set, &self.test, &self.delete, &self.validate].into_iter().flatten()
    }
}
