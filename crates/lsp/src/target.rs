//! The target of a name: what the word at a position refers to.

use std::path::PathBuf;

use uphold::model::Name;
use uphold::{Expected, PathStep, Spot};

use crate::document::Document;
use crate::scope::{GROUPS, Scope, is_language};
use crate::uri::normalized;

/// Something that is defined in one place and referred to from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A `param`, an `output`, a `module`, or a `kind`: a module that is used as one.
    Block(&'static str, Name),
    Local(Name),
    Resource(Name, Name),
    /// A property of a resource.
    Field(Name, Name, Name),
    /// `each.key` and `each.value`.
    Each,
    /// A `param` or `output` of the module at a path.
    Inside(PathBuf, &'static str, Name),
    /// The module at a path.
    Source(PathBuf),
}

/// The target of the word at a position.
pub(crate) fn target(scope: &Scope<'_>, document: &Document, spot: &Spot) -> Option<Target> {
    let word: Name = document.text.get(spot.word.clone())?.into();
    match &spot.expected {
        Expected::Nothing => None,
        Expected::Name => of_name(scope, spot, word),
        Expected::Label { kind, before } => of_label(kind, before, word),
        Expected::Word { .. } => scope.source("kind", &word).map(|_| Target::Block("kind", word)),
        Expected::Text { attribute, whole } => {
            let block = spot.blocks.last()?;
            let names = matches!(&*block.kind, "module" | "kind") && &**attribute == "source" && *whole;
            (names && !word.is_empty())
                .then(|| Target::Source(normalized(&document.directory().join(&*word))))
        }
        Expected::Step { before, .. } => of_step(scope, before, word),
    }
}

fn of_name(scope: &Scope<'_>, spot: &Spot, word: Name) -> Option<Target> {
    let inner = spot.blocks.iter().find(|block| !GROUPS.contains(&&*block.kind));
    let Some(block) = inner else {
        return scope.source("kind", &word).map(|_| Target::Block("kind", word));
    };
    if spot.blocks.last() != Some(block) {
        return None;
    }
    match (&*block.kind, block.labels.first()) {
        ("locals", _) => Some(Target::Local(word)),
        ("module", Some(name)) => Some(Target::Inside(scope.source("module", name)?, "param", word)),
        (kind, _) => Some(Target::Inside(scope.source("kind", kind)?, "param", word)),
    }
}

fn of_label(kind: &Name, before: &[Name], word: Name) -> Option<Target> {
    let named = ["param", "output", "module", "kind"].into_iter().find(|named| *named == &**kind);
    match (&**kind, before) {
        (_, []) if named.is_some() => named.map(|named| Target::Block(named, word)),
        ("declare" | "edit" | "trigger", [kind]) => Some(Target::Resource(kind.clone(), word)),
        (other, []) if !is_language(other) => Some(Target::Resource(kind.clone(), word)),
        _ => None,
    }
}

fn of_step(scope: &Scope<'_>, before: &[PathStep], word: Name) -> Option<Target> {
    let (root, rest) = before.split_first()?;
    let kind = root.name.clone()?;
    // Deeper steps of a path belong to the value.
    let first = rest.first().map(|step| step.name.clone()).unwrap_or(Some(word.clone()))?;
    match &*kind {
        "param" => Some(Target::Block("param", first)),
        "local" => Some(Target::Local(first)),
        "each" => Some(Target::Each),
        "host" | "path" => None,
        _ if rest.is_empty() => Some(if &*kind == "module" {
            Target::Block("module", word)
        } else {
            Target::Resource(kind, word)
        }),
        "module" => {
            let output = after_key(scope, "module", &first, &rest[1..], word)?;
            Some(Target::Inside(scope.source("module", &first)?, "output", output))
        }
        _ => {
            let field = after_key(scope, &kind, &first, &rest[1..], word)?;
            match scope.source("kind", &kind) {
                Some(source) => Some(Target::Inside(source, "output", field)),
                None => Some(Target::Field(kind, first, field)),
            }
        }
    }
}

/// The first step after the key of a `for_each`, which may be the word itself.
fn after_key(scope: &Scope<'_>, kind: &str, name: &str, steps: &[PathStep], word: Name) -> Option<Name> {
    steps.get(scope.keys(kind, name, steps)).map_or(Some(word), |step| step.name.clone())
}
