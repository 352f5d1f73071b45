//! First words of lines, and labels.

use std::collections::BTreeSet;

use gen_lsp_types::CompletionItemKind as Sort;
use uphold::model::{BLOCKS, Name};
use uphold::resource::Kind;

use super::item::Item;
use super::place::Place;
use crate::body::{Setting, settings};
use crate::scope::{GROUPS, Scope};

/// Blocks that stand outside all others only.
const OUTSIDE: [&str; 4] = ["kind", "locals", "output", "param"];

/// Kinds and blocks of the language, or what may be set in a block and is not yet.
pub(super) fn names(scope: &mut Scope<'_>, place: &Place) -> Vec<Item> {
    let blocks = &place.spot.blocks;
    let grouped = blocks.iter().all(|block| GROUPS.contains(&&*block.kind));
    let mut items = if grouped { heads(scope, place) } else { Vec::new() };
    let set = |setting: &Setting| {
        let typed = place.spot.word.clone();
        let others = place.block().into_iter().flat_map(|block| &block.attributes);
        others
            .filter(|attribute| attribute.name.range != typed)
            .any(|attribute| *attribute.name.text == setting.name)
    };
    let settings = settings(scope, blocks);
    items.extend(settings.iter().filter(|setting| !set(setting)).map(|setting| attribute(setting, place)));
    items
}

fn attribute(setting: &Setting, place: &Place) -> Item {
    let detail =
        if setting.required { format!("{}, required", setting.takes) } else { setting.takes.clone() };
    let is_meta = setting.topic.as_deref() == Some(&setting.name);
    let rank = if setting.required { 0 } else { 1 + u8::from(is_meta) };
    let text = match setting.nested {
        _ if !place.rest.is_empty() => setting.name.clone(),
        true => format!("{} {{", setting.name),
        false => format!("{} = ", setting.name),
    };
    let block = format!("{} {{\n  $0\n}}", setting.name);
    let snippet = (setting.nested && place.rest.is_empty()).then_some(block);
    Item::new(&*setting.name, Sort::Property)
        .about(detail, &*setting.doc)
        .text(text)
        .snippet(snippet)
        .rank(rank)
}

/// Blocks that may begin here.
fn heads(scope: &Scope<'_>, place: &Place) -> Vec<Item> {
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

fn head(place: &Place, word: &str, labels: &str, sort: Sort) -> Item {
    let alone = place.rest.is_empty();
    let snippet = alone.then(|| format!("{word} {labels}{{\n  $0\n}}"));
    let text = if alone { format!("{word} ") } else { word.to_owned() };
    Item::new(word, sort).text(text).snippet(snippet)
}

/// Kinds and names of resources that are declared elsewhere.
pub(super) fn labels(scope: &Scope<'_>, place: &Place, kind: &str, before: &[Name]) -> Vec<Item> {
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
