//! Hover: the documentation of the word at a position.

use std::rc::Rc;

use gen_lsp_types::{Hover, MarkupContent, MarkupKind};
use uphold::{Expected, PathStep, Spot, functions, spot};

use super::navigation::target;
use crate::attributes::{Setting, settings};
use crate::document::Document;
use crate::navigation::places;
use crate::scope::{Found, GROUPS, Scope, blocks};
use crate::server::Pages;

/// The documentation of the word at an offset; null if there is none.
pub(crate) fn hover(
    scope: &mut Scope<'_>,
    document: &Rc<Document>,
    offset: usize,
    pages: &Pages<'_>,
) -> Option<Hover> {
    let spot = spot(&document.text, offset);
    if spot.word.is_empty() {
        return None;
    }
    let setting = match spot.expected {
        Expected::Name => {
            let word = document.text.get(spot.word.clone())?;
            settings(scope, &spot.blocks).into_iter().find(|setting| setting.name == word)
        }
        _ => None,
    };
    let topic = match &setting {
        Some(setting) => setting.topic.clone(),
        None => topic(scope, document, &spot),
    };
    let page = topic.and_then(|topic| pages(&scope.kinds, &topic));
    let page = page.or_else(|| setting.map(text)).or_else(|| definition(scope, document, &spot));
    let markdown = |page| MarkupContent::new(MarkupKind::Markdown, page);
    page.map(|page| Hover::new(markdown(page).into(), Some(document.range(&spot.word))))
}

/// The name in `uphold explain` of a word that is no attribute.
fn topic(scope: &Scope<'_>, document: &Document, spot: &Spot) -> Option<String> {
    let word = document.text.get(spot.word.clone())?;
    match &spot.expected {
        Expected::Name => {
            let grouped = spot.blocks.iter().all(|block| GROUPS.contains(&&*block.kind));
            grouped.then(|| word.to_owned())
        }
        Expected::Word { .. } => {
            let called = document.text[spot.word.end..].trim_start_matches(' ').starts_with('(');
            let function = called && functions::find(word).is_some();
            Some(if function { format!("{word}()") } else { word.to_owned() })
        }
        Expected::Step { before, .. } => step_topic(scope, before, word),
        Expected::Label { kind, before } if before.is_empty() => {
            matches!(&**kind, "declare" | "edit" | "trigger").then(|| word.to_owned())
        }
        _ => None,
    }
}

fn step_topic(scope: &Scope<'_>, before: &[PathStep], word: &str) -> Option<String> {
    let (root, rest) = before.split_first()?;
    let root = root.name.as_deref()?;
    let name = |step: &PathStep| step.name.as_deref().unwrap_or_default().to_owned();
    if root == "host" {
        let path: Vec<String> = rest.iter().map(name).chain([word.to_owned()]).collect();
        return Some(format!("host.{}", path.join(".")));
    }
    let schema = scope.schema(root)?;
    let (first, more) = rest.split_first()?;
    let steps = &more[scope.keys(root, &name(first), more)..];
    let path: Vec<String> =
        steps.iter().filter(|step| !step.index).map(name).chain([word.to_owned()]).collect();
    Some(format!("{}.{}", schema.kind, path.join(".")))
}

/// The type and the documentation of an attribute without a page of its own.
fn text(Setting { name, takes, doc, .. }: Setting) -> String {
    let takes = if takes.is_empty() { "any value" } else { &takes };
    format!("`{name}`: {takes}\n\n{doc}").trim_end().to_owned()
}

/// The definition in the configuration itself: its first line, and its description.
fn definition(scope: &mut Scope<'_>, document: &Rc<Document>, spot: &Spot) -> Option<String> {
    let target = target(scope, document, spot)?;
    let (document, range) = places(scope, document, spot, &target).into_iter().next()?;
    let start = document.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let line = document.text[start..].lines().next().unwrap_or_default().trim();
    let labelled = |found: &Found<'_>| found.block.labels.iter().any(|label| label.range == range);
    let documents = [document.clone()];
    let about = blocks(&documents).find(labelled).map(|found| about(&found)).unwrap_or_default();
    Some(format!("```hcl\n{line}\n```\n\n{about}").trim_end().to_owned())
}

/// The description and the main attributes of a param, an output or a module.
fn about(found: &Found<'_>) -> String {
    let mut lines = vec![found.description()];
    for word in ["type", "default", "value", "source"] {
        let value = found.source_of(word);
        if !value.is_empty() {
            lines.push(format!("- {word}: `{}`", value.lines().next().unwrap_or_default()));
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}
