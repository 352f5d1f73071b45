//! The operations of a manifest.

use super::method::{Method, Returns};
use crate::document::{Fault, Located};

/// The program of each operation.
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
    pub(super) fn read(located: &Located<'_>) -> Result<Self, Fault> {
        let method = |key: &str| located.get(key).map(|located| Method::read(&located)).transpose();
        Ok(Self {
            get: method("get")?,
            set: method("set")?,
            test: method("test")?,
            delete: method("delete")?,
            validate: method("validate")?.map(Method::input_on_stdin),
            what_if: method("whatIf")?,
        })
    }

    /// Whether any operation returns the current state.
    pub(super) fn can_load(&self) -> bool {
        self.get.is_some() || self.test.as_ref().is_some_and(|test| test.returns != Returns::Nothing)
    }

    /// The operations that an adapted resource supports.
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
