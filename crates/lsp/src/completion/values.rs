//! Values: words that a property takes, first words of references, and functions.

use std::collections::BTreeSet;

use gen_lsp_types::CompletionItemKind as Sort;
use uphold::functions::{self, Function};
use uphold::model::ROOTS;

use super::item::Item;
use super::place::Place;
use crate::body::settings;
use crate::scope::Scope;

/// What an expression may begin with.
pub(super) fn words(scope: &mut Scope<'_>, place: &Place, attribute: &str, whole: bool) -> Vec<Item> {
    let words = if whole { plain_words(scope, place, attribute) } else { Vec::new() };
    let mut items: Vec<Item> = words.into_iter().map(|word| Item::new(word, Sort::Value).rank(0)).collect();
    items.extend(roots(scope, place));
    items.extend(functions::all().iter().map(|function| self::function(function, place)));
    items
}

/// What a text may be: a word that the property takes.
pub(super) fn texts(scope: &mut Scope<'_>, place: &Place, attribute: &str) -> Vec<Item> {
    let words = plain_words(scope, place, attribute);
    let inside = words.iter().filter_map(|word| word.strip_prefix('"')?.strip_suffix('"'));
    inside.map(|word| Item::new(word, Sort::Value).rank(0)).collect()
}

fn plain_words(scope: &mut Scope<'_>, place: &Place, attribute: &str) -> Vec<String> {
    let settings = settings(scope, &place.spot.blocks);
    let setting = settings.into_iter().find(|setting| setting.name == attribute);
    setting.map(|setting| setting.words).unwrap_or_default()
}

fn roots(scope: &Scope<'_>, place: &Place) -> Vec<Item> {
    let named = |root: &str| match root {
        "param" | "module" => scope.named(root).next().is_some(),
        "local" => scope.locals().next().is_some(),
        "each" => place.is_repeated(),
        _ => true,
    };
    let language = ROOTS.iter().filter(|root| named(root.name));
    let language =
        language.map(|root| Item::new(root.name, Sort::Keyword).about(root.form, root.doc).rank(3));
    let kinds: BTreeSet<&str> = scope.resources().map(|(_, kind, _)| &*kind.text).collect();
    let kinds = kinds.into_iter().map(|kind| Item::new(kind, Sort::Class).about("kind", "").rank(2));
    language.chain(kinds).collect()
}

fn function(function: &Function, place: &Place) -> Item {
    let called = place.rest.starts_with('(');
    let text = if called { function.name.to_owned() } else { format!("{}(", function.name) };
    let snippet = (!called).then(|| format!("{}($0)", function.name));
    let item = Item::new(function.name, Sort::Function).about(signature(function), function.doc);
    item.text(text).snippet(snippet).rank(4)
}

/// What it takes, in order.
fn signature(function: &Function) -> String {
    let parameters = function.parameters.iter().map(|parameter| match parameter.optional {
        true => format!("[{}]", parameter.name),
        false => parameter.name.to_owned(),
    });
    let rest = function.rest.iter().map(|rest| format!("{}…", rest.name));
    format!("{}({})", function.name, parameters.chain(rest).collect::<Vec<_>>().join(", "))
}
