//! Module calls, each with its own values, and the universe that contains them all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use uphold_functions::Surroundings;
use uphold_model::{Diagnostic, Name, Reference, ResourceId, Term, Value};

use crate::body::Entry;
use crate::evaluate::{Each, Env, Memo};
use crate::module::{ItemRef, Module};

/// The number of an instance in its universe.
pub(crate) type InstanceId = u32;

/// All instances of a configuration. Deferred expressions keep it alive.
pub(crate) struct Universe {
    instances: RwLock<Vec<Arc<Instance>>>,
    surroundings: Arc<dyn Surroundings>,
    root_directory: PathBuf,
}

/// One call of a module, or the configuration itself.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) id: InstanceId,
    pub(crate) module: Arc<Module>,
    /// Its address: `module.web["a"]`; none for the configuration itself.
    pub(crate) path: Option<Name>,
    /// The calling instance; none for the configuration itself.
    pub(crate) caller: Option<InstanceId>,
    /// The nesting depth of calls.
    pub(crate) depth: u32,
    params: FxHashMap<Name, Bound>,
    locals: Box<[OnceLock<Memo>]>,
    outputs: Vec<OnceLock<Memo>>,
    /// The elements of each block with `for_each` or `when`.
    spreads: FxHashMap<u32, OnceLock<Result<Spread, Box<Diagnostic>>>>,
    children: RwLock<FxHashMap<(u32, Option<Name>), InstanceId>>,
    /// The ids of each block's resource, computed on first use; empty for the configuration itself, where they are
    /// those of the blocks.
    ids: Box<[OnceLock<ResourceId>]>,
}

/// A param and its value.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) binding: Binding,
    pub(crate) memo: OnceLock<Memo>,
    /// The references of its validations, if they can be checked only during the run.
    pub(crate) deferred_check: OnceLock<Box<[Reference]>>,
}

impl Bound {
    fn to(binding: Binding) -> Self {
        Self { binding, memo: OnceLock::new(), deferred_check: OnceLock::new() }
    }
}

/// The origin of a param's value.
#[derive(Debug)]
pub(crate) enum Binding {
    /// A value from outside, already converted.
    Given(Value),
    /// The block that calls the module.
    Written { entry: Entry, block: u32, env: Env },
    /// Its own default.
    Default,
    /// No value, which was reported.
    Missing,
}

/// The elements that `for_each` and `when` make of a block.
#[derive(Debug)]
pub(crate) enum Spread {
    One(ExpandedBlock),
    Each(BTreeMap<Name, ExpandedBlock>),
}

/// One resource or module call of a block.
#[derive(Debug)]
pub(crate) enum ExpandedBlock {
    /// `when` is false.
    Absent,
    Present {
        each: Option<Arc<Each>>,
        /// The condition, if it is known only during the run.
        when: Option<Term>,
    },
}

impl Universe {
    pub(crate) fn new(surroundings: Arc<dyn Surroundings>, root_directory: PathBuf) -> Arc<Self> {
        Arc::new(Self { instances: RwLock::default(), surroundings, root_directory })
    }

    pub(crate) fn surroundings(&self) -> &dyn Surroundings {
        &*self.surroundings
    }

    pub(crate) fn root_directory(&self) -> &Path {
        &self.root_directory
    }

    pub(crate) fn instance(&self, id: InstanceId) -> Arc<Instance> {
        self.instances.read().unwrap_or_else(PoisonError::into_inner)[id as usize].clone()
    }

    /// Adds a module call.
    pub(crate) fn add(
        &self,
        module: Arc<Module>,
        path: Option<Name>,
        caller: Option<&Instance>,
        bindings: impl IntoIterator<Item = (Name, Binding)>,
    ) -> Arc<Instance> {
        let mut instances = self.instances.write().unwrap_or_else(PoisonError::into_inner);
        let id = InstanceId::try_from(instances.len()).expect("fewer than 2^32 calls of modules");
        let params = bindings.into_iter().map(|(name, binding)| (name, Bound::to(binding)));
        let called = if path.is_some() { &module.blocks[..] } else { &[] };
        let ids = called.iter().map(|_| OnceLock::new()).collect();
        let instance = Arc::new(Instance {
            id,
            path,
            caller: caller.map(|caller| caller.id),
            depth: caller.map_or(0, |caller| caller.depth + 1),
            params: params.collect(),
            locals: module.locals.iter().map(|_| OnceLock::new()).collect(),
            outputs: module.outputs.iter().map(|_| OnceLock::new()).collect(),
            spreads: module.spread_blocks().map(|block| (block, OnceLock::new())).collect(),
            children: RwLock::default(),
            ids,
            module,
        });
        instances.push(instance.clone());
        instance
    }
}

impl Instance {
    pub(crate) fn local(&self, name: &str) -> Option<(&ItemRef, &OnceLock<Memo>)> {
        let local = self.module.locals.get(name)?;
        Some((&local.item, &self.locals[local.number as usize]))
    }

    pub(crate) fn param(&self, name: &str) -> Option<&Bound> {
        self.params.get(name)
    }

    /// The name of a definition in messages.
    pub(crate) fn called(&self, root: &str, name: &str) -> String {
        match &self.path {
            None => format!("{root}.{name}"),
            Some(path) => format!("{root}.{name} of {path}"),
        }
    }

    pub(crate) fn output(&self, number: usize) -> &OnceLock<Memo> {
        &self.outputs[number]
    }

    /// The cached elements of a block; none for a block without `for_each` and `when`.
    pub(crate) fn spread(&self, block: u32) -> Option<&OnceLock<Result<Spread, Box<Diagnostic>>>> {
        self.spreads.get(&block)
    }

    /// The id of a block's resource, without the key of a `for_each`.
    fn id_of(&self, block: u32) -> &ResourceId {
        let id = &self.module.blocks[block as usize].id;
        if self.path.is_some() {
            self.ids[block as usize].get_or_init(|| id.in_module(self.path.clone()))
        } else {
            id
        }
    }

    /// The id of one resource of a block.
    pub(crate) fn id_for(&self, block: u32, key: Option<&Name>) -> ResourceId {
        let whole = self.id_of(block);
        if key.is_some() { whole.with_key(key.cloned()) } else { whole.clone() }
    }

    /// The call that this block makes for this key, if it exists already.
    pub(crate) fn child(&self, block: u32, key: Option<&Name>) -> Option<InstanceId> {
        let children = self.children.read().unwrap_or_else(PoisonError::into_inner);
        children.get(&(block, key.cloned())).copied()
    }

    pub(crate) fn adopt(&self, block: u32, key: Option<Name>, child: InstanceId) {
        self.children.write().unwrap_or_else(PoisonError::into_inner).insert((block, key), child);
    }
}
