//! What a page is made of, however it is shown.

/// A page, from top to bottom.
pub(crate) type Page = Vec<Block>;

/// A piece of a page. Its text is Markdown without line ends.
#[derive(Debug, PartialEq)]
pub(crate) enum Block {
    /// What the page is about; the first block.
    Title(String),
    /// The head of what follows.
    Heading(&'static str),
    /// A paragraph.
    Text(String),
    /// Lines to be shown as they are.
    Code(String),
    /// Properties.
    Properties(Vec<Row>),
    /// Terms, each with a text.
    Terms(Vec<(String, String)>),
}

/// A property, as a table shows it.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    /// With its path inside nested structs: `status.stdout`.
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) role: &'static str,
    /// Whether it must be set, and what it is otherwise.
    pub(crate) presence: String,
    /// What it means, and the rules that it keeps.
    pub(crate) text: String,
}
