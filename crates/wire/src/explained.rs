//! The output of `uphold explain --json`: one part of the schema, or a list of them.

use serde::{Deserialize, Serialize};

use crate::object::Word;
use crate::schema::{Block, DiagnosticCode, Fact, Function, Kind, MetaArgument, Property, VERSION};
use crate::version::Version;

/// The output of `uphold explain --json`: one subject, or a [`Listing`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explained<T> {
    /// The version of the document.
    pub format_version: Version,
    /// The subject.
    #[serde(flatten)]
    pub subject: T,
}

impl<T> Explained<T> {
    /// In the version that is written.
    pub fn new(subject: T) -> Self {
        Self { format_version: VERSION, subject }
    }
}

/// Everything of one sort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is a list of the schema")]
pub enum Listing {
    Blocks(Vec<Block>),
    Codes(Vec<DiagnosticCode>),
    Facts(Vec<Fact>),
    Functions(Vec<Function>),
    Kinds(Vec<Kind>),
    MetaArguments(Vec<MetaArgument>),
    Properties(Vec<KindProperty>),
}

/// A property of the named kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindProperty {
    /// The kind.
    pub kind: Word,
    /// The property.
    #[serde(flatten)]
    pub property: Property,
}
