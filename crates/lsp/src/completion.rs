//! Completion of names and labels; `expression_completion` has the values.

use std::collections::BTreeSet;
use std::rc::Rc;

use gen_lsp_types::{
    CompletionItem, CompletionItemKind as Sort, CompletionList, InsertTextFormat, MarkupContent, MarkupKind,
    Range, TextEdit,
};
use uphold::model::{BLOCKS, Name};
use uphold::resource::Kind;
use uphold::{Expected, OutlineBlock, Spot, spot};

use crate::attributes::{Setting, settings};
use crate::document::Document;
use crate::expression_completion::{steps, strings, words};
use crate::scope::{GROUPS, Scope};

/// All suggestions for an offset; the editor filters them by what is typed.
pub(crate) fn complete(
    scope: &mut Scope<'_>,
    document: &Rc<Document>,
    offset: usize,
    snippets: bool,
) -> CompletionList {
    let place = CompletionPlace::new(document, offset);
    let items = match place.spot.expected.clone() {
        Expected::Nothing | Expected::Text { whole: false, .. } => Vec::new(),
        Expected::Name => names(scope, &place),
        Expected::Label { kind, before } => labels(scope, &place, &kind, &before),
        Expected::Word { attribute, whole } => words(scope, &place, &attribute, whole),
        Expected::Text { attribute, .. } => strings(scope, &place, &attribute),
        Expected::Step { attribute, before, quoted } => steps(scope, &attribute, &before, quoted),
    };
    let start = place.spot.word.start.min(offset);
    let range = document.range(&(start..offset));
    let dotted = document.range(&(start.saturating_sub(1)..offset));
    let items = items.into_iter().map(|item| item.into_lsp(range, dotted, snippets)).collect();
    CompletionList { items, ..CompletionList::default() }
}

/// The position to complete, and its surroundings.
pub(crate) struct CompletionPlace {
    document: Rc<Document>,
    pub(crate) spot: Spot,
    /// The rest of the line, trimmed.
    pub(crate) rest: String,
}

impl CompletionPlace {
    fn new(document: &Rc<Document>, offset: usize) -> Self {
        let spot = spot(&document.text, offset);
        let after = &document.text[spot.word.end.max(offset)..];
        let rest = after.split('\n').next().unwrap_or_default().trim().to_owned();
        Self { document: document.clone(), spot, rest }
    }

    /// The enclosing blocks, innermost first.
    fn blocks(&self) -> impl Iterator<Item = &OutlineBlock> {
        self.spot.blocks.iter().rev().filter_map(|block| self.document.outline().block_at(block.start))
    }

    /// Whether the position follows a quote.
    fn is_quoted(&self) -> bool {
        self.document.text[..self.spot.word.start].ends_with('"')
    }

    /// Whether an enclosing block has `for_each`.
    pub(crate) fn is_repeated(&self) -> bool {
        self.blocks().any(|block| block.attribute("for_each").is_some())
    }
}

/// A suggestion.
pub(crate) struct Item {
    label: String,
    sort: Sort,
    detail: String,
    doc: String,
    /// The text to insert, if it is not the label.
    text: Option<String>,
    /// The text to insert if the editor supports snippets.
    snippet: Option<String>,
    /// The smallest rank is listed first.
    rank: u8,
    /// Whether the dot before the position is replaced as well.
    replaces_dot: bool,
}

impl Item {
    pub(crate) fn new(label: impl Into<String>, sort: Sort) -> Self {
        let (detail, doc, text, snippet) = Default::default();
        Self { label: label.into(), sort, detail, doc, text, snippet, rank: 5, replaces_dot: false }
    }

    /// With a detail and documentation.
    pub(crate) fn about(self, detail: impl Into<String>, doc: impl Into<String>) -> Self {
        Self { detail: detail.into(), doc: doc.into(), ..self }
    }

    /// With another text to insert.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// With a text that replaces the dot before the position, too.
    pub(crate) fn replacing_dot(self, text: String) -> Self {
        Self { text: Some(text), replaces_dot: true, ..self }
    }

    /// With a snippet, for editors that support it.
    pub(crate) fn snippet(self, snippet: Option<String>) -> Self {
        Self { snippet, ..self }
    }

    pub(crate) fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// `range` is the text that it replaces, `dotted` the same with the dot before it.
    fn into_lsp(self, range: Range, dotted: Range, snippets: bool) -> CompletionItem {
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

/// Blocks that are allowed only at the top level.
const OUTSIDE: [&str; 7] = ["kind", "locals", "moved", "output", "param", "removed", "settings"];

/// Kinds and blocks of the language, or the attributes of a block that are not set yet.
fn names(scope: &mut Scope<'_>, place: &CompletionPlace) -> Vec<Item> {
    let blocks = &place.spot.blocks;
    let grouped = blocks.iter().all(|block| GROUPS.contains(&&*block.kind));
    let mut items = if grouped { heads(scope, place) } else { Vec::new() };
    let set = |setting: &Setting| {
        let typed = place.spot.word.clone();
        let others = place.blocks().take(1).flat_map(|block| &block.attributes);
        others
            .filter(|attribute| attribute.name.range != typed)
            .any(|attribute| *attribute.name.text == setting.name)
    };
    let settings = settings(scope, blocks);
    items.extend(settings.iter().filter(|setting| !set(setting)).map(|setting| attribute(setting, place)));
    items
}

fn attribute(setting: &Setting, place: &CompletionPlace) -> Item {
    let detail =
        if setting.required { format!("{}, required", setting.takes) } else { setting.takes.clone() };
    let is_meta = setting.topic.as_deref() == Some(&setting.name);
    let rank = if setting.required { 0 } else { 1 + u8::from(is_meta) };
    let name = &*setting.name;
    let text = match (setting.nested, place.rest.is_empty()) {
        (_, false) => name.to_owned(),
        (true, true) => format!("{name} {{"),
        (false, true) => format!("{name} = "),
    };
    let snippet = (setting.nested && place.rest.is_empty()).then(|| format!("{name} {{\n  $0\n}}"));
    Item::new(name, Sort::Property).about(detail, &*setting.doc).text(text).snippet(snippet).rank(rank)
}

/// The blocks that are allowed here.
fn heads(scope: &Scope<'_>, place: &CompletionPlace) -> Vec<Item> {
    let kinds = scope.kinds.iter().map(Kind::schema);
    let kinds =
        kinds.map(|schema| head(place, schema.kind, "\"${1:name}\" ", Sort::Class).about("kind", schema.doc));
    let own = scope.named("kind").map(|(_, label)| {
        head(place, &label.text, "\"${1:name}\" ", Sort::Class).about("kind of this configuration", "")
    });
    let inside = !place.spot.blocks.is_empty();
    let language = BLOCKS.iter().filter(|block| !inside || !OUTSIDE.contains(&block.name)).map(|block| {
        let labels = match block.head.matches('"').count() / 2 {
            0 => "",
            1 => "\"${1:name}\" ",
            _ => "\"${1:kind}\" \"${2:name}\" ",
        };
        head(place, block.name, labels, Sort::Keyword).about(block.head, block.doc).rank(6)
    });
    kinds.chain(own).chain(language).collect()
}

fn head(place: &CompletionPlace, word: &str, labels: &str, sort: Sort) -> Item {
    let alone = place.rest.is_empty();
    let snippet = alone.then(|| format!("{word} {labels}{{\n  $0\n}}"));
    let text = if alone { format!("{word} ") } else { word.to_owned() };
    Item::new(word, sort).text(text).snippet(snippet)
}

/// Kinds, and names of declared resources.
fn labels(scope: &Scope<'_>, place: &CompletionPlace, kind: &str, before: &[Name]) -> Vec<Item> {
    if !matches!(kind, "declare" | "edit" | "trigger") {
        return Vec::new();
    }
    let words: BTreeSet<String> = match before {
        [] if kind == "declare" => scope.kinds.iter().map(|kind| kind.schema().kind.to_owned()).collect(),
        [] => scope.resources().map(|(_, kind, _)| kind.text.to_string()).collect(),
        [kind] => {
            let same = scope.resources().filter(|(_, its_kind, _)| its_kind.text == *kind);
            same.map(|(_, _, name)| name.text.to_string()).collect()
        }
        _ => BTreeSet::new(),
    };
    let quoted = place.is_quoted();
    let item = |word: String| {
        let text = if quoted { word.clone() } else { format!("{word:?}") };
        Item::new(word, Sort::Value).text(text)
    };
    words.into_iter().map(item).collect()
}
