//! One suggestion.

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, InsertTextFormat, MarkupContent, MarkupKind, Range, TextEdit,
};

/// A suggestion.
pub(super) struct Item {
    pub(super) label: String,
    pub(super) sort: CompletionItemKind,
    pub(super) detail: String,
    pub(super) doc: String,
    /// What is written, if that is more than the label.
    pub(super) text: Option<String>,
    /// What is written if the editor knows snippets.
    pub(super) snippet: Option<String>,
    /// Smaller ones come first.
    pub(super) rank: u8,
    /// Whether the dot before the place is replaced as well.
    pub(super) replaces_dot: bool,
}

impl Item {
    pub(super) fn new(label: impl Into<String>, sort: CompletionItemKind) -> Self {
        Self {
            label: label.into(),
            sort,
            detail: String::new(),
            doc: String::new(),
            text: None,
            snippet: None,
            rank: 5,
            replaces_dot: false,
        }
    }

    /// The same, with what is known of it.
    pub(super) fn about(self, detail: impl Into<String>, doc: impl Into<String>) -> Self {
        Self { detail: detail.into(), doc: doc.into(), ..self }
    }

    /// The same, written so.
    pub(super) fn text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// The same, written so if the editor knows snippets.
    pub(super) fn snippet(self, snippet: Option<String>) -> Self {
        Self { snippet, ..self }
    }

    /// The same, so far in front.
    pub(super) fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// As the protocol writes it; `range` is what it replaces, `dotted` the same with the dot before it.
    pub(super) fn into_lsp(self, range: Range, dotted: Range, snippets: bool) -> CompletionItem {
        let snippet = self.snippet.filter(|_| snippets);
        let format = if snippet.is_some() { InsertTextFormat::Snippet } else { InsertTextFormat::PlainText };
        let text = snippet.or(self.text).unwrap_or_else(|| self.label.clone());
        let edit = TextEdit::new(if self.replaces_dot { dotted } else { range }, text);
        let doc = Some(self.doc).filter(|doc| !doc.is_empty());
        CompletionItem {
            sort_text: Some(format!("{}{}", self.rank, self.label)),
            filter_text: self.replaces_dot.then(|| format!(".{}", self.label)),
            label: self.label,
            kind: Some(self.sort),
            detail: Some(self.detail).filter(|detail| !detail.is_empty()),
            documentation: doc.map(|doc| MarkupContent::new(MarkupKind::Markdown, doc).into()),
            insert_text_format: Some(format),
            text_edit: Some(edit.into()),
            ..CompletionItem::default()
        }
    }
}
