//! One suggestion.

use serde_json::{Value as Json, json};

/// What a suggestion is, as the protocol numbers it.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    Function = 3,
    Field = 5,
    Variable = 6,
    Class = 7,
    Module = 9,
    Property = 10,
    Value = 12,
    Keyword = 14,
    Event = 23,
}

/// A suggestion.
pub(super) struct Item {
    pub(super) label: String,
    pub(super) sort: Sort,
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
    pub(super) fn new(label: impl Into<String>, sort: Sort) -> Self {
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
    pub(super) fn json(self, range: &Json, dotted: &Json, snippets: bool) -> Json {
        let snippet = self.snippet.filter(|_| snippets);
        let format = if snippet.is_some() { 2 } else { 1 };
        let text = snippet.or(self.text).unwrap_or_else(|| self.label.clone());
        let range = if self.replaces_dot { dotted } else { range };
        let mut item = json!({
            "label": self.label,
            "kind": self.sort as u8,
            "sortText": format!("{}{}", self.rank, self.label),
            "insertTextFormat": format,
            "textEdit": { "range": range, "newText": text },
        });
        if self.replaces_dot {
            item["filterText"] = json!(format!(".{}", self.label));
        }
        if !self.detail.is_empty() {
            item["detail"] = json!(self.detail);
        }
        if !self.doc.is_empty() {
            item["documentation"] = json!({ "kind": "markdown", "value": self.doc });
        }
        item
    }
}
