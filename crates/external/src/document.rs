//! The text of a manifest, its data, and places in it.

mod place;
mod yaml;

use std::fmt;
use std::ops::Range;

use serde_json::Value as Json;
use uphold_model::{Code, Diagnostic, Place, SourceId, closest};
use uphold_resource::UnusableKind;

pub(crate) use place::Document;

// A value of a manifest with its place, and mistakes at places.

/// A value of a document.
#[derive(Clone)]
pub(crate) struct Located<'a> {
    document: &'a Document,
    pub(crate) json: &'a Json,
    path: Vec<String>,
}

impl<'a> Located<'a> {
    /// The whole document.
    pub(crate) fn whole(document: &'a Document) -> Self {
        Self { document, json: &document.json, path: Vec::new() }
    }

    /// The path from the top of the document.
    pub(crate) fn path(&self) -> &[String] {
        &self.path
    }

    fn inner(&self, step: String, json: &'a Json) -> Self {
        let path = self.path.iter().cloned().chain([step]).collect();
        Self { document: self.document, json, path }
    }

    /// A member, unless it is missing or null.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let json = self.json.get(key).filter(|json| !json.is_null())?;
        Some(self.inner(key.to_owned(), json))
    }

    /// A required member.
    pub(crate) fn require(&self, key: &str) -> Result<Self, Fault> {
        self.get(key)
            .ok_or_else(|| self.fault(format!("`{key}` is missing"), format!("add it{}", self.within())))
    }

    fn within(&self) -> String {
        self.path.last().map_or_else(String::new, |name| format!(" to `{name}`"))
    }

    /// The value, which must be a string.
    pub(crate) fn text(&self) -> Result<&'a str, Fault> {
        self.json.as_str().ok_or_else(|| self.must_be("a string"))
    }

    /// True or false.
    pub(crate) fn flag(&self) -> Result<bool, Fault> {
        self.json.as_bool().ok_or_else(|| self.must_be("true or false"))
    }

    /// The elements, if it is a list.
    pub(crate) fn items(&self) -> Result<Vec<Self>, Fault> {
        let items = self.json.as_array().ok_or_else(|| self.must_be("a list"))?;
        Ok(items.iter().enumerate().map(|(i, item)| self.inner(i.to_string(), item)).collect())
    }

    /// Its members by name.
    pub(crate) fn members(&self) -> Result<Vec<(&'a str, Self)>, Fault> {
        let map = self.json.as_object().ok_or_else(|| self.must_be("an object"))?;
        Ok(map.iter().map(|(key, item)| (key.as_str(), self.inner(key.clone(), item))).collect())
    }

    /// The matching one of these words.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, Fault> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| {
            let all: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let fix = format!("write {}", all.join(" or "));
            self.fault(format!("{} = {text:?} is unknown", self.name()), fix)
        })
    }

    /// Rejects a member whose name is almost one of these. Others may belong to a later version and are ignored.
    pub(crate) fn reject_typos(&self, known: &[&'static str]) -> Result<(), Fault> {
        for (key, member) in self.members()? {
            let meant = closest(key, known.iter().copied()).filter(|_| !known.contains(&key));
            if let Some(meant) = meant {
                return Err(member.fault(format!("`{key}` is unknown"), format!("did you mean `{meant}`?")));
            }
        }
        Ok(())
    }

    /// Rejects every member but these.
    pub(crate) fn reject_others(&self, known: &[&'static str]) -> Result<(), Fault> {
        self.reject_typos(known)?;
        match self.members()?.into_iter().find(|(key, _)| !known.contains(key)) {
            Some((key, member)) => {
                let fix = format!("remove it; known members are `{}`", known.join("`, `"));
                Err(member.fault(format!("`{key}` is unknown"), fix))
            }
            None => Ok(()),
        }
    }

    fn name(&self) -> String {
        if self.path.is_empty() { "the manifest".to_owned() } else { format!("`{}`", self.path.join(".")) }
    }

    fn must_be(&self, what: &str) -> Fault {
        self.fault(format!("{} must be {what}", self.name()), format!("write {what}"))
    }

    /// A mistake at this value.
    pub(crate) fn fault(&self, what: impl Into<String>, fix: impl Into<String>) -> Fault {
        self.document.fault(self.document.span(&self.path), what, fix)
    }
}

/// A mistake in a manifest: what is wrong, where, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The wrong bytes of its text.
    pub span: Range<usize>,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The problem.
    pub what: String,
    /// A hint how to fix it.
    pub fix: Box<str>,
    /// The names that the kind could have had: a block of such a kind gets this as the reason.
    pub kinds: Box<[String]>,
    /// Whether the manifest is wrong. Otherwise only `dsc` itself can run its type of resource.
    pub is_mistake: bool,
}

impl Fault {
    /// The same fault of a manifest that would define one of these kinds.
    pub(crate) fn of_kinds(self, kinds: Vec<String>) -> Self {
        Self { kinds: kinds.into(), ..self }
    }

    /// The same fault, marked as unsupported instead of a mistake.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_mistake: false, ..self }
    }

    /// The fault as a warning, because other kinds still work. `source` is the manifest's text.
    pub fn diagnostic(&self, source: SourceId) -> Diagnostic {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place { source, start: byte(self.span.start), end: byte(self.span.end) };
        Diagnostic::new(Code::UnusableManifest, self.what.clone()).at(place).fix(self.fix.clone())
    }

    /// The fault as the reason why a block's kind is missing.
    pub fn reason(&self) -> UnusableKind {
        let Self { file, line, column, what, fix, .. } = self;
        UnusableKind { reason: format!("{file}:{line}:{column}: {what}"), fix: fix.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what, fix, .. } = self;
        write!(f, "{file}:{line}:{column}: {what}; {fix}")
    }
}

impl std::error::Error for Fault {}
