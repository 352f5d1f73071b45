//! What a module defines: params, locals, outputs, kinds, and blocks in their order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;
use uphold_model::{Name, Order, Place, shed};

use super::block::{Block, What};
use super::output::OutputDefinition;
use super::param::Param;
use crate::meta::{Argument, GroupArgument};
use crate::source_code::SourceCode;
use crate::tree::{Passage, Tree};

/// An item of one of a module's sources. Keeps the tree that it is in.
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
    /// In the order in which locals are written.
    pub(crate) number: u32,
}

/// A module, read and not yet called. Calls share it.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) codes: Vec<Arc<SourceCode>>,
    pub(crate) params: BTreeMap<Name, Param>,
    pub(crate) locals: BTreeMap<Name, Local>,
    pub(crate) outputs: Vec<OutputDefinition>,
    pub(crate) blocks: Vec<Block>,
    /// In written order.
    pub(crate) members: Vec<Member>,
    /// Modules that are used as kinds.
    pub(crate) kinds: BTreeMap<Name, Kind>,
    index: FxHashMap<Name, FxHashMap<Name, u32>>,
    output_index: FxHashMap<Name, u32>,
    /// How many names were compared for the sake of suggestions.
    compared: AtomicU32,
}

/// A module used as a kind.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) place: Place,
    /// None if it could not be loaded.
    pub(crate) module: Option<Arc<Module>>,
}

/// What becomes a statement.
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
    /// Its head.
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
    /// A module of these sources that defines nothing yet.
    pub(crate) fn of(codes: Vec<Arc<SourceCode>>) -> Self {
        let mut module = Self::default();
        module.codes = codes;
        module
    }

    /// Adds a block, and says its number. The first of one kind and name is the one that is referred to.
    pub(super) fn add(&mut self, block: Block) -> u32 {
        let number = self.blocks.len() as u32;
        if block.is_referable() {
            let names = self.index.entry(block.id.kind.clone()).or_default();
            names.entry(block.id.name.clone()).or_insert(number);
        }
        self.blocks.push(block);
        number
    }

    /// Adds an output, and says its number.
    pub(super) fn add_output(&mut self, output: OutputDefinition) -> u32 {
        let number = self.outputs.len() as u32;
        self.output_index.insert(output.name.clone(), number);
        self.outputs.push(output);
        number
    }

    /// Where an item stands.
    pub(crate) fn passage<'m>(&'m self, at: &'m ItemRef) -> Passage<'m> {
        Passage::new(&self.codes[at.code as usize], &at.tree)
    }

    /// The source of a block, and the tree that it is in.
    pub(crate) fn body(&self, block: u32) -> (&Arc<SourceCode>, Arc<Tree>) {
        let block = &self.blocks[block as usize];
        let code = &self.codes[block.code as usize];
        (code, block.body.tree(code))
    }

    /// The block that is meant by kind and name.
    pub(crate) fn find(&self, kind: &str, name: &str) -> Option<u32> {
        self.index.get(kind)?.get(name).copied()
    }

    /// The names of all blocks of a kind.
    pub(crate) fn names(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.index.get(kind).into_iter().flat_map(|names| names.keys().map(|name| &**name))
    }

    /// Blocks that are not simply one thing.
    pub(crate) fn spread_blocks(&self) -> impl Iterator<Item = u32> {
        let spreads = |block: &Block| {
            block.argument(Argument::ForEach).is_some() || block.argument(Argument::When).is_some()
        };
        (0..).zip(&self.blocks).filter(move |(_, block)| spreads(block)).map(|(number, _)| number)
    }

    /// The number of an output.
    pub(crate) fn output(&self, name: &str) -> Option<usize> {
        self.output_index.get(name).map(|number| *number as usize)
    }

    /// The name that may have been meant by `word`. To look for it costs more than all the rest of a mistake: with
    /// many mistakes and many names, most get no suggestion.
    pub(crate) fn closest<'n>(&self, word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        const MOST: u32 = 20_000;
        let left = MOST.saturating_sub(self.compared.load(Ordering::Relaxed));
        let count = || _ = self.compared.fetch_add(1, Ordering::Relaxed);
        uphold_model::closest(word, names.take(left.min(1000) as usize).inspect(|_| count()))
    }

    /// Modules that this one calls, each as often as it is written.
    pub(crate) fn called(&self) -> impl Iterator<Item = &Arc<Module>> {
        let by_blocks = self.blocks.iter().filter_map(|block| match &block.what {
            What::Call(module) => module.as_ref(),
            _ => None,
        });
        by_blocks.chain(self.kinds.values().filter_map(|kind| kind.module.as_ref()))
    }
}
