//! The parts of a parsed document, and mistakes in its text.

use std::borrow::Cow;
use std::ops::Range;

use uphold_model::Value;

/// A value, or the key of one, and its bytes. A collection without brackets extends from the start of its first member
/// to the end of its last.
#[derive(Debug)]
pub struct Node<'t> {
    /// Its bytes.
    pub span: Range<usize>,
    /// The number of its anchor.
    pub anchor: Option<usize>,
    /// Its tag.
    pub tag: Option<String>,
    /// Its content.
    pub body: Body<'t>,
}

/// The content of a node.
#[derive(Debug)]
pub enum Body<'t> {
    /// A value without members.
    Scalar(Scalar<'t>),
    /// The items of a list.
    List(Vec<Node<'t>>, Style),
    /// The keys of a map and their values.
    Map(Vec<(Node<'t>, Node<'t>)>, Style),
    /// The node with this anchor. That node is complete, and stands before this one.
    Alias(usize),
}

/// How a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// In brackets or braces.
    Flow,
    /// By lines and indentation.
    Block,
}

/// A scalar.
#[derive(Debug)]
pub struct Scalar<'t> {
    /// Its text, without quotes and escapes.
    pub text: Cow<'t, str>,
    /// Whether it has no quotes and is not a block of lines.
    pub is_plain: bool,
    /// Its value by the core schema, or the reason why it has none: its tag is unknown or does not match, or its number
    /// cannot be represented.
    pub value: Result<Value, String>,
}

/// A mistake in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Error {
    /// Its byte.
    pub at: usize,
    /// Its line, starting at 1.
    pub line: usize,
    /// Its column in characters, starting at 1.
    pub column: usize,
    /// The problem.
    pub what: String,
    /// Whether the text is no YAML at all.
    pub is_syntax: bool,
}

impl Error {
    /// A problem with the value at this byte of `text`.
    pub fn new(text: &str, at: usize, what: impl Into<String>) -> Self {
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Self { at, line, column, what: what.into(), is_syntax: false }
    }
}
