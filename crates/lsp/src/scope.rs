//! What can be named from one file: everything in its directory, and the modules that are called there.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use uphold::model::{BLOCKS, Schema};
use uphold::resource::Registry;
use uphold::{OutlineBlock, PathStep, Word};

use crate::desk::Desk;
use crate::sheet::Sheet;
use crate::text::normal;

/// Blocks that hold blocks.
pub(crate) const GROUPS: [&str; 2] = ["sequence", "parallel"];

/// The names that one file sees.
pub(crate) struct Scope<'d> {
    desk: &'d mut Desk,
    pub(crate) kinds: Registry,
    /// The files of the directory.
    pub(crate) sheets: Vec<Rc<Sheet>>,
}

/// A block, and the file that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Found<'s> {
    pub(crate) sheet: &'s Rc<Sheet>,
    pub(crate) block: &'s OutlineBlock,
}

impl<'d> Scope<'d> {
    /// What the file sees.
    pub(crate) fn new(desk: &'d mut Desk, sheet: &Rc<Sheet>) -> Self {
        let kinds = desk.kinds(sheet.directory());
        let mut sheets = desk.files(sheet.directory());
        if !sheets.iter().any(|other| other.path == sheet.path) {
            sheets = vec![sheet.clone()];
        }
        Self { desk, kinds, sheets }
    }

    /// All blocks.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Found<'_>> {
        blocks(&self.sheets)
    }

    /// Blocks of the language, such as `param`, with their labels.
    pub(crate) fn named(&self, kind: &str) -> impl Iterator<Item = (Found<'_>, &Word)> {
        named(&self.sheets, kind)
    }

    /// Attributes of `locals`.
    pub(crate) fn locals(&self) -> impl Iterator<Item = (&Rc<Sheet>, &uphold::OutlineAttribute)> {
        let all = self.blocks().filter(|found| &*found.block.kind.text == "locals");
        all.flat_map(|found| found.block.attributes.iter().map(move |attribute| (found.sheet, attribute)))
    }

    /// Blocks that declare a resource or call a module used as a kind, with kind and name.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (Found<'_>, &Word, &Word)> {
        self.blocks().filter_map(|found| {
            let inner = found.block.parent.map(|parent| &found.sheet.outline().blocks[parent].kind.text);
            if inner.is_some_and(|kind| !GROUPS.contains(&&**kind)) {
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

    /// The block that declares this resource.
    pub(crate) fn resource(&self, kind: &str, name: &str) -> Option<Found<'_>> {
        let mut all = self.resources();
        all.find(|(_, its_kind, its_name)| &*its_kind.text == kind && &*its_name.text == name)
            .map(|(found, ..)| found)
    }

    /// What a kind of the program looks like.
    pub(crate) fn schema(&self, kind: &str) -> Option<&'static Schema> {
        self.kinds.get(kind).map(uphold::resource::Kind::schema)
    }

    /// The files of the module that is used as this kind.
    pub(crate) fn module_of_kind(&mut self, kind: &str) -> Option<Vec<Rc<Sheet>>> {
        let source = self.source("kind", kind)?;
        Some(self.desk.files(&source))
    }

    /// The files of the module that this block calls.
    pub(crate) fn module_of_call(&mut self, name: &str) -> Option<Vec<Rc<Sheet>>> {
        let source = self.source("module", name)?;
        Some(self.desk.files(&source))
    }

    /// Where the module of a `module` or `kind` block is.
    pub(crate) fn source(&self, word: &str, name: &str) -> Option<PathBuf> {
        let (found, _) = self.named(word).find(|(_, label)| &*label.text == name)?;
        let source = found.block.attribute("source")?.text.as_deref()?;
        (!source.is_empty()).then(|| normal(&found.sheet.directory().join(Path::new(source))))
    }

    /// The files of a module at a path.
    pub(crate) fn files(&mut self, path: &Path) -> Vec<Rc<Sheet>> {
        self.desk.files(path)
    }
}

/// All blocks of some files.
pub(crate) fn blocks(sheets: &[Rc<Sheet>]) -> impl Iterator<Item = Found<'_>> {
    sheets.iter().flat_map(|sheet| sheet.outline().blocks.iter().map(move |block| Found { sheet, block }))
}

/// Blocks of the language outside all others, with their labels.
pub(crate) fn named<'s>(sheets: &'s [Rc<Sheet>], kind: &str) -> impl Iterator<Item = (Found<'s>, &'s Word)> {
    let outer = move |found: &Found<'_>| {
        // A module may be called in a group.
        let grouped = found.block.parent.is_none() || kind == "module";
        grouped && &*found.block.kind.text == kind
    };
    blocks(sheets).filter(outer).filter_map(|found| Some((found, found.block.labels.first()?)))
}

/// Whether a block begins so in every configuration.
pub(crate) fn is_language(word: &str) -> bool {
    BLOCKS.iter().any(|block| block.name == word)
}

/// The steps of a path after the thing that it names, without the key of a `for_each`.
pub(crate) fn inside(found: Option<Found<'_>>, steps: &[PathStep]) -> usize {
    let spread = found.is_some_and(|found| found.block.attribute("for_each").is_some());
    usize::from(spread && steps.first().is_some_and(|step| step.index))
}
