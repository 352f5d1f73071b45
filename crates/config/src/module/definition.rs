//! The definitions of a module: params, locals, outputs, kinds, and blocks in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic, Moved, Name, Order, Place, Removed, Settings, shed};

use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::foreign::foreign_reference;
use crate::meta::{Argument, GroupArgument};
use crate::source_code::SourceCode;
use crate::tree::{Content, Items, Literal, Node, Tree, TreeView};

use super::block::{Block, What};
use super::literals::Literals;
use super::param::Param;

/// An item in one of the module's sources. Keeps its tree alive.
#[derive(Clone, Debug)]
pub(crate) struct ItemRef {
    pub(crate) code: u32,
    pub(crate) tree: Arc<Tree>,
    pub(crate) item: u32,
}

/// A local.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) item: ItemRef,
    /// Its position in the order of all locals.
    pub(crate) number: u32,
}

/// A module that was read but not called. All calls share it.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) codes: Vec<Arc<SourceCode>>,
    pub(crate) params: BTreeMap<Name, Param>,
    pub(crate) locals: BTreeMap<Name, Local>,
    pub(crate) outputs: Vec<OutputDefinition>,
    pub(crate) blocks: Vec<Block>,
    /// The attributes of blocks whose attributes are all literals.
    pub(crate) literals: Literals,
    /// In written order.
    pub(crate) members: Vec<Member>,
    /// Modules that are used as kinds.
    pub(crate) kinds: BTreeMap<Name, Kind>,
    pub(crate) settings: Option<SettingsBlock>,
    /// With addresses relative to the module.
    pub(crate) moved: Vec<Moved>,
    pub(crate) removed: Vec<Removed>,
    /// Names of `function` blocks, which were reported.
    pub(crate) refused_functions: BTreeSet<Name>,
    index: FxHashMap<Name, FxHashMap<Name, u32>>,
    output_index: FxHashMap<Name, u32>,
    /// The number of names that were compared to find suggestions.
    compared: AtomicU32,
}

/// The `settings` block of a configuration.
#[derive(Debug)]
pub(crate) struct SettingsBlock {
    pub(crate) settings: Settings,
    pub(crate) place: Place,
}

/// A module that is used as a kind.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) place: Place,
    /// None if it could not be loaded.
    pub(crate) module: Option<Arc<Module>>,
}

/// A member of a module or group, in written order.
#[derive(Debug)]
pub(crate) enum Member {
    /// Number of a block.
    Block(u32),
    /// Number of an output.
    Output(u32),
    Group(Box<GroupBlock>),
}

/// A `sequence` or `parallel` block.
#[derive(Debug)]
pub(crate) struct GroupBlock {
    pub(crate) order: Order,
    /// Its label.
    pub(crate) name: Option<Name>,
    /// The place of its header.
    pub(crate) place: Place,
    pub(crate) arguments: Vec<(GroupArgument, ItemRef)>,
    pub(crate) members: Vec<Member>,
}

impl Drop for Module {
    fn drop(&mut self) {
        shed(std::mem::take(&mut self.blocks));
    }
}

impl Module {
    /// An empty module with these sources.
    pub(crate) fn of(codes: Vec<Arc<SourceCode>>) -> Self {
        let mut module = Self::default();
        module.codes = codes;
        module
    }

    /// Makes room for this many more blocks.
    pub(super) fn reserve(&mut self, more: usize) {
        self.blocks.reserve(more);
        self.members.reserve(more);
    }

    /// Adds a block, and returns its number. If kind and name occur twice, references mean the first.
    pub(super) fn add(&mut self, block: Block) -> u32 {
        let number = self.blocks.len() as u32;
        if block.is_referable() {
            let names = self.index.entry(block.id.kind.clone()).or_default();
            names.entry(block.id.name.clone()).or_insert(number);
        }
        self.blocks.push(block);
        number
    }

    /// Adds an output, and returns its number.
    pub(super) fn add_output(&mut self, output: OutputDefinition) -> u32 {
        let number = self.outputs.len() as u32;
        self.output_index.insert(output.name.clone(), number);
        self.outputs.push(output);
        number
    }

    /// The tree view of an item.
    pub(crate) fn passage<'m>(&'m self, at: &'m ItemRef) -> TreeView<'m> {
        TreeView::new(&self.codes[at.code as usize], &at.tree)
    }

    /// The source of a block, and the tree that contains it.
    pub(crate) fn body(&self, block: u32) -> (&Arc<SourceCode>, Arc<Tree>) {
        let block = &self.blocks[block as usize];
        let code = &self.codes[block.code as usize];
        (code, block.body.tree(code))
    }

    /// The block with this kind and name.
    pub(crate) fn find(&self, kind: &str, name: &str) -> Option<u32> {
        self.index.get(kind)?.get(name).copied()
    }

    /// The kind of a block with this name, if there is one.
    pub(crate) fn kind_of(&self, name: &str) -> Option<&str> {
        self.index.iter().find(|(_, names)| names.contains_key(name)).map(|(kind, _)| &**kind)
    }

    /// The names of all blocks of a kind.
    pub(crate) fn names(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.index.get(kind).into_iter().flat_map(|names| names.keys().map(|name| &**name))
    }

    /// The blocks with `for_each` or `when`.
    pub(crate) fn spread_blocks(&self) -> impl Iterator<Item = u32> {
        let spreads = |block: &Block| {
            block.argument(Argument::ForEach).is_some() || block.argument(Argument::When).is_some()
        };
        (0..).zip(&self.blocks).filter(move |(_, block)| spreads(block)).map(|(number, _)| number)
    }

    /// The mistake and the hint for a reference that starts with a word of another tool, unless the module has blocks of
    /// a kind of this name.
    pub(crate) fn foreign_reference(&self, root: &str, name: &str) -> Option<(&'static str, String)> {
        let mistake = foreign_reference(root, name)?;
        self.names(root).next().is_none().then_some(mistake)
    }

    /// The number of an output.
    pub(crate) fn output(&self, name: &str) -> Option<usize> {
        self.output_index.get(name).map(|number| *number as usize)
    }

    /// A suggestion for a misspelt name. The search is expensive: with many mistakes and many names, most get no
    /// suggestion.
    pub(crate) fn closest<'n>(&self, word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        const MOST: u32 = 20_000;
        let left = MOST.saturating_sub(self.compared.load(Ordering::Relaxed));
        let count = || _ = self.compared.fetch_add(1, Ordering::Relaxed);
        uphold_model::closest(word, names.take(left.min(1000) as usize).inspect(|_| count()))
    }

    /// The modules that this one calls, once for each call.
    pub(crate) fn called(&self) -> impl Iterator<Item = &Arc<Module>> {
        let by_blocks = self.blocks.iter().filter_map(|block| match &block.what {
            What::Call(module) => module.as_ref(),
            _ => None,
        });
        by_blocks.chain(self.kinds.values().filter_map(|kind| kind.module.as_ref()))
    }
}

// Outputs of modules.

/// An output.
#[derive(Debug)]
pub(crate) struct OutputDefinition {
    pub(crate) name: Name,
    /// The place of the block's header.
    pub(crate) place: Place,
    pub(crate) value: Option<ItemRef>,
    pub(crate) sensitive: bool,
    pub(crate) description: Option<Name>,
}

/// Reads the body of an `output` block; `kept` is any item in it.
pub(super) fn read(
    code: TreeView<'_>,
    kept: &ItemRef,
    (name, place): (Name, Place),
    items: Items,
    problems: &mut Vec<Diagnostic>,
) -> OutputDefinition {
    let mut output = OutputDefinition { name, place, value: None, sensitive: false, description: None };
    for entry in Entry::checked(code, items, problems) {
        let item = code.item(entry.first);
        let known = match item.content {
            Content::Expression(node) => match code.node(node) {
                Node::Known(literal) => Some(literal),
                _ => None,
            },
            _ => None,
        };
        let at = code.place(item.name);
        match (item.key, known) {
            ("value", _) => output.value = Some(ItemRef { item: entry.first, ..kept.clone() }),
            ("sensitive", Some(Literal::Bool(sensitive))) => output.sensitive = sensitive,
            ("description", Some(Literal::Text(text))) => output.description = Some(text.into()),
            ("sensitive", _) => problems.push(
                Diagnostic::new(Code::AttributeType, "this must be `true` or `false`")
                    .at(at)
                    .fix("write `true` or `false`"),
            ),
            ("description", _) => problems.push(
                Diagnostic::new(Code::AttributeType, "this must be a plain string")
                    .at(at)
                    .fix("write it in quotes, without `${…}`"),
            ),
            (other, _) => problems.push(
                Diagnostic::new(Code::UnknownAttribute, format!("an output has no {}", excerpt(other)))
                    .at(at)
                    .fix("it has value, sensitive and description"),
            ),
        }
    }
    if output.value.is_none() {
        let detail = format!("{} has no value", excerpt(&output.name));
        problems.push(Diagnostic::new(Code::OutputWithoutValue, detail).at(place).fix("add `value = …`"));
    }
    output
}
