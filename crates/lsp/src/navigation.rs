//! Go to definition, and find references.

use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use gen_lsp_types::Location;
use uphold::model::Name;
use uphold::{Expected, OutlineBlock, PathStep, Spot, spot};

use crate::document::Document;
use crate::scope::{Scope, named};

use super::scope::{GROUPS, is_language};
use super::uri::normalized;

type Places = Vec<(Rc<Document>, Range<usize>)>;

/// The definitions of the name at an offset.
pub(crate) fn definition(
    scope: &mut Scope<'_>,
    document: &Rc<Document>,
    offset: usize,
) -> Option<Vec<Location>> {
    let spot = spot(&document.text, offset);
    let target = target(scope, document, &spot)?;
    Some(locations(&places(scope, document, &spot, &target)))
}

/// The references to the name at an offset; with `declared`, its definitions, too.
pub(crate) fn references(
    scope: &mut Scope<'_>,
    document: &Rc<Document>,
    offset: usize,
    declared: bool,
) -> Option<Vec<Location>> {
    let spot = spot(&document.text, offset);
    let target = match target(scope, document, &spot)? {
        Target::Field(kind, name, _) => Target::Resource(kind, name),
        target => target,
    };
    let mut found = if declared { places(scope, document, &spot, &target) } else { Vec::new() };
    for document in &scope.documents {
        let outline = document.outline();
        let paths = outline.paths.iter().filter_map(|path| in_path(path, &target));
        let labels = outline.blocks.iter().filter_map(|block| in_block(block, &target));
        found.extend(paths.chain(labels).map(|range| (document.clone(), range)));
    }
    Some(locations(&found))
}

fn locations(places: &Places) -> Vec<Location> {
    places.iter().map(|(document, range)| document.location(range)).collect()
}

/// The definitions of a target.
pub(crate) fn places(scope: &mut Scope<'_>, document: &Rc<Document>, spot: &Spot, target: &Target) -> Places {
    match target {
        Target::Block(word, name) => labels(&scope.documents, word, name),
        Target::Local(name) => {
            let same = scope.locals().filter(|(_, local)| local.name.text == *name);
            same.map(|(document, local)| (document.clone(), local.name.range.clone())).collect()
        }
        Target::Resource(kind, name) => resource(scope, kind, name, None),
        Target::Field(kind, name, field) => resource(scope, kind, name, Some(field)),
        Target::Each => for_each(document, spot),
        Target::Inside(source, word, name) => labels(&scope.files(source), word, name),
        // The start of its first file.
        Target::Source(source) => {
            scope.files(source).into_iter().take(1).map(|document| (document, 0..0)).collect()
        }
    }
}

fn labels(documents: &[Rc<Document>], word: &str, name: &str) -> Places {
    let same = named(documents, word).filter(|(_, label)| &*label.text == name);
    same.map(|(found, label)| (found.document.clone(), label.range.clone())).collect()
}

/// The label of a resource, or its attribute `field` if that is set.
fn resource(scope: &Scope<'_>, kind: &str, name: &str, field: Option<&str>) -> Places {
    let place = |(found, label): (crate::scope::Found<'_>, &uphold::Word)| {
        let attribute = field.and_then(|field| found.block.attribute(field));
        let range = attribute.map_or(&label.range, |attribute| &attribute.name.range);
        (found.document.clone(), range.clone())
    };
    scope.resource(kind, name).map(place).collect()
}

/// The `for_each` of the enclosing block.
fn for_each(document: &Rc<Document>, spot: &Spot) -> Places {
    let outline = document.outline();
    let mut blocks = spot.blocks.iter().rev().filter_map(|block| outline.block_at(block.start));
    let attribute = blocks.find_map(|block| block.attribute("for_each"));
    attribute.map(|attribute| (document.clone(), attribute.name.range.clone())).into_iter().collect()
}

/// The part of a path that refers to the target.
fn in_path(path: &[PathStep], target: &Target) -> Option<Range<usize>> {
    let [root, rest @ ..] = path else { return None };
    let (wanted, name) = match target {
        Target::Block(word @ ("param" | "module"), name) => (*word, name),
        Target::Local(name) => ("local", name),
        Target::Resource(kind, name) => (&**kind, name),
        Target::Block("kind", kind) if root.name.as_ref() == Some(kind) => return Some(root.range.clone()),
        _ => return None,
    };
    let step = rest.first().filter(|step| step.name.as_ref() == Some(name))?;
    (root.name.as_deref() == Some(wanted)).then(|| step.range.clone())
}

/// The part of a block's head that refers to the target: the name in `edit` and `trigger`, or the kind.
fn in_block(block: &OutlineBlock, target: &Target) -> Option<Range<usize>> {
    match (target, &*block.kind.text, &block.labels[..]) {
        (Target::Block("kind", kind), word, _) => (word == &**kind).then(|| block.kind.range.clone()),
        (Target::Resource(kind, name), "edit" | "trigger", [its_kind, its_name, ..]) => {
            (its_kind.text == *kind && its_name.text == *name).then(|| its_name.range.clone())
        }
        _ => None,
    }
}

// The target of a name: what the word at a position refers to.

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
