//! The names that a file can use: those of its directory, and the modules that are called there.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use uphold::model::{BLOCKS, Schema};
use uphold::resource::{Kind, Registry};
use uphold::{OutlineAttribute, OutlineBlock, PathStep, Word};

use crate::document::Document;
use crate::uri::normalized;
use crate::workspace::Workspace;

/// Blocks that contain resource blocks.
pub(crate) const GROUPS: [&str; 2] = ["sequence", "parallel"];

/// The names that one file can use.
pub(crate) struct Scope<'w> {
    workspace: &'w mut Workspace,
    pub(crate) kinds: Registry,
    /// The files of the directory.
    pub(crate) documents: Vec<Rc<Document>>,
}

/// A block and its file.
#[derive(Clone, Copy)]
pub(crate) struct Found<'d> {
    pub(crate) document: &'d Rc<Document>,
    pub(crate) block: &'d OutlineBlock,
}

impl Found<'_> {
    /// The source text of an attribute; empty if it is not set.
    pub(crate) fn source_of(&self, attribute: &str) -> String {
        let value = self.block.attribute(attribute);
        let text = value.and_then(|attribute| self.document.text.get(attribute.value.clone()));
        text.unwrap_or_default().to_owned()
    }

    /// The `description` of the block.
    pub(crate) fn description(&self) -> String {
        let text = self.block.attribute("description").and_then(|attribute| attribute.text.as_deref());
        text.unwrap_or_default().to_owned()
    }
}

impl<'w> Scope<'w> {
    /// The scope of this file.
    pub(crate) fn new(workspace: &'w mut Workspace, document: &Rc<Document>) -> Self {
        let kinds = workspace.kinds(document.directory());
        let mut documents = workspace.files(document.directory());
        if !documents.iter().any(|other| other.path == document.path) {
            documents = vec![document.clone()];
        }
        Self { workspace, kinds, documents }
    }

    /// Blocks of the language, such as `param`, with their labels.
    pub(crate) fn named(&self, kind: &str) -> impl Iterator<Item = (Found<'_>, &Word)> {
        named(&self.documents, kind)
    }

    /// The attributes of all `locals` blocks.
    pub(crate) fn locals(&self) -> impl Iterator<Item = (&Rc<Document>, &OutlineAttribute)> {
        let all = blocks(&self.documents).filter(|found| &*found.block.kind.text == "locals");
        all.flat_map(|found| found.block.attributes.iter().map(move |attribute| (found.document, attribute)))
    }

    /// Blocks that declare a resource or call a module that is used as a kind, with kind and name.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (Found<'_>, &Word, &Word)> {
        blocks(&self.documents).filter_map(|found| {
            let parent = found.block.parent.map(|parent| &found.document.outline().blocks[parent].kind.text);
            if parent.is_some_and(|kind| !GROUPS.contains(&&**kind)) {
                return None;
            }
            let (kind, name) = match (&*found.block.kind.text, &found.block.labels[..]) {
                ("declare", [kind, name, ..]) => (kind, name),
                (word, [name, ..]) if !is_language(word) => (&found.block.kind, name),
                _ => return None,
            };
            Some((found, kind, name))
        })
    }

    /// The blocks that declare this resource.
    pub(crate) fn resource(&self, kind: &str, name: &str) -> impl Iterator<Item = (Found<'_>, &Word)> {
        self.resources()
            .filter(move |(_, its_kind, its_name)| &*its_kind.text == kind && &*its_name.text == name)
            .map(|(found, _, label)| (found, label))
    }

    pub(crate) fn schema(&self, kind: &str) -> Option<&'static Schema> {
        self.kinds.get(kind).map(Kind::schema)
    }

    /// The files of the module that a `module` or `kind` block names.
    pub(crate) fn module(&mut self, word: &str, name: &str) -> Option<Vec<Rc<Document>>> {
        self.source(word, name).map(|source| self.workspace.files(&source))
    }

    /// The path of the module that a `module` or `kind` block names.
    pub(crate) fn source(&self, word: &str, name: &str) -> Option<PathBuf> {
        let (found, _) = self.named(word).find(|(_, label)| &*label.text == name)?;
        let source = found.block.attribute("source")?.text.as_deref()?;
        (!source.is_empty()).then(|| normalized(&found.document.directory().join(source)))
    }

    /// The files of the module at a path.
    pub(crate) fn files(&mut self, path: &Path) -> Vec<Rc<Document>> {
        self.workspace.files(path)
    }

    /// How many of the steps after a resource or module are the key of its `for_each`: 0 or 1.
    pub(crate) fn keys(&self, kind: &str, name: &str, steps: &[PathStep]) -> usize {
        let found = match kind {
            "module" => self.named("module").find(|(_, label)| &*label.text == name),
            _ => self.resource(kind, name).next(),
        };
        let repeated = found.is_some_and(|(found, _)| found.block.attribute("for_each").is_some());
        usize::from(repeated && steps.first().is_some_and(|step| step.index))
    }
}

/// All blocks of some files.
pub(crate) fn blocks(documents: &[Rc<Document>]) -> impl Iterator<Item = Found<'_>> {
    let of = |document| move |block| Found { document, block };
    documents.iter().flat_map(move |document| document.outline().blocks.iter().map(of(document)))
}

/// Top-level blocks of the language, with their labels. A module may also be called in a group.
pub(crate) fn named<'d>(
    documents: &'d [Rc<Document>],
    kind: &str,
) -> impl Iterator<Item = (Found<'d>, &'d Word)> {
    let fits = move |found: &Found<'_>| {
        (found.block.parent.is_none() || kind == "module") && &*found.block.kind.text == kind
    };
    blocks(documents).filter(fits).filter_map(|found| Some((found, found.block.labels.first()?)))
}

/// Whether a block of this name belongs to the language, and is no kind.
pub(crate) fn is_language(word: &str) -> bool {
    BLOCKS.iter().any(|block| block.name == word)
}
