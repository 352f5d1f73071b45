//! Blocks of a module that become statements.

use std::sync::Arc;

use uphold_model::{Name, Place};

use super::definition::Module;
use crate::body::Entry;
use crate::meta::Argument;
use crate::tree::{Slice, Tree};

/// A block, as far as it can be understood without evaluating anything.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) what: What,
    pub(crate) kind: Name,
    pub(crate) name: Name,
    /// Which resource of a `for_each` an edit or a trigger means; all of them unless set.
    pub(crate) key: Option<Name>,
    /// The number of its source in the module.
    pub(crate) code: u32,
    /// Kind and label.
    pub(crate) head: Place,
    /// Its body.
    pub(crate) items: Slice,
    /// Meta arguments and their items.
    pub(crate) arguments: Vec<(Argument, u32)>,
}

/// What a block is.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// Declared and triggered.
    Resource,
    /// Declared only.
    Declare,
    Edit,
    Trigger,
    /// The call of a module; none if it could not be loaded, which was reported.
    Call(Option<Arc<Module>>),
}

impl Block {
    /// What it sets: properties, or params of a module. Found anew each time, which is cheaper than to keep it.
    pub(crate) fn entries(&self, tree: &Tree) -> Vec<Entry> {
        let mut entries = Entry::all(tree, self.items);
        entries.retain(|entry| match self.what {
            What::Call(_) => {
                Argument::of_call(&entry.name).is_none()
                    && !(&*self.kind == "module" && &*entry.name == "source")
            }
            _ => Argument::named(&entry.name).is_none(),
        });
        entries
    }

    /// The item of a meta argument.
    pub(crate) fn argument(&self, wanted: Argument) -> Option<u32> {
        self.arguments.iter().find(|(argument, _)| *argument == wanted).map(|(_, item)| *item)
    }

    /// Whether others can refer to it by kind and name.
    pub(crate) fn is_referable(&self) -> bool {
        matches!(self.what, What::Resource | What::Declare | What::Call(_))
    }
}
