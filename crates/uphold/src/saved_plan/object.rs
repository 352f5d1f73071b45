//! Reading JSON that may have been damaged.

use serde_json::{Map, Value as Json};

/// What is wrong with a saved plan, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damaged(pub(super) String);

impl Damaged {
    /// The same, told as a part of something.
    #[must_use]
    pub(super) fn inside(self, part: impl std::fmt::Display) -> Self {
        Self(format!("{part}: {}", self.0))
    }
}

/// Something is wrong.
pub(super) fn damaged(what: impl Into<String>) -> Damaged {
    Damaged(what.into())
}

/// The members of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(&'a Map<String, Json>);

impl<'a> Fields<'a> {
    pub(super) fn of(json: &'a Json) -> Result<Self, Damaged> {
        json.as_object().map(Self).ok_or_else(|| damaged("something is not an object"))
    }

    pub(super) fn get(self, name: &str) -> Option<&'a Json> {
        self.0.get(name)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (&'a String, &'a Json)> {
        self.0.iter()
    }

    pub(super) fn need(self, name: &str) -> Result<&'a Json, Damaged> {
        self.get(name).ok_or_else(|| damaged(format!("`{name}` is missing")))
    }

    pub(super) fn text(self, name: &str) -> Result<&'a str, Damaged> {
        self.need(name)?.as_str().ok_or_else(|| damaged(format!("`{name}` is not text")))
    }

    /// Text, unless it is missing or null.
    pub(super) fn optional_text(self, name: &str) -> Result<Option<&'a str>, Damaged> {
        match self.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(_) => self.text(name).map(Some),
        }
    }

    pub(super) fn list(self, name: &str) -> Result<&'a [Json], Damaged> {
        let list = self.need(name)?.as_array();
        list.map(Vec::as_slice).ok_or_else(|| damaged(format!("`{name}` is not a list")))
    }

    /// Every member of a list, read by `read`; what is wrong is told with its number.
    pub(super) fn each<T>(
        self,
        name: &str,
        read: impl Fn(&'a Json) -> Result<T, Damaged>,
    ) -> Result<Vec<T>, Damaged> {
        let numbered = self.list(name)?.iter().enumerate();
        numbered.map(|(at, json)| read(json).map_err(|what| what.inside(format!("{name}[{at}]")))).collect()
    }

    /// A list of texts.
    pub(super) fn texts(self, name: &str) -> Result<Vec<&'a str>, Damaged> {
        self.each(name, |json| json.as_str().ok_or_else(|| damaged("it is not text")))
    }
}
