//! Completion: what may be written at a place.

mod item;
mod names;
mod place;
mod steps;
mod values;

use std::rc::Rc;

use gen_lsp_types::CompletionList;
use uphold::Expected;

use crate::scope::Scope;
use crate::sheet::Sheet;
use place::Place;

/// Suggestions for a place, all of them: the editor chooses by what is typed.
pub(crate) fn complete(
    scope: &mut Scope<'_>,
    sheet: &Rc<Sheet>,
    offset: usize,
    snippets: bool,
) -> CompletionList {
    let place = Place::new(sheet, offset);
    let items = match place.spot.expected.clone() {
        Expected::Nothing => Vec::new(),
        Expected::Name => names::names(scope, &place),
        Expected::Label { kind, before } => names::labels(scope, &place, &kind, &before),
        Expected::Word { attribute, whole } => values::words(scope, &place, &attribute, whole),
        Expected::Text { attribute, whole: true } => values::texts(scope, &place, &attribute),
        Expected::Text { .. } => Vec::new(),
        Expected::Step { attribute, before, quoted } => steps::steps(scope, &attribute, &before, quoted),
    };
    let start = place.spot.word.start.min(offset);
    let range = sheet.range(&(start..offset));
    let dotted = sheet.range(&(start.saturating_sub(1)..offset));
    let items = items.into_iter().map(|item| item.into_lsp(range, dotted, snippets)).collect();
    CompletionList { items, ..CompletionList::default() }
}
