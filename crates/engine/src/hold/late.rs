//! What was declared of resources, where their instances do not tell it any more.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use uphold_model::{Map, Name};
use uphold_resource::Instance;

use crate::graph::NodeIndex;

/// The values of resources that read others or are completed by what is on the machine, so that one that says the same in
/// another program is left as it is.
#[derive(Default)]
pub(crate) struct Late {
    /// As an earlier program had those that are decoded at their visit. Each counts once.
    before: Mutex<FxHashMap<NodeIndex, Map>>,
    now: Mutex<FxHashMap<NodeIndex, Map>>,
}

impl Late {
    pub(crate) fn of(before: FxHashMap<NodeIndex, Map>, now: FxHashMap<NodeIndex, Map>) -> Self {
        Self { before: Mutex::new(before), now: Mutex::new(now) }
    }

    /// Notes how a resource came out; true if that is as in the program before, where it was in order.
    pub(crate) fn note(&self, node: NodeIndex, instance: &dyn Instance) -> bool {
        let values = values(instance);
        let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).remove(&node);
        let same = before.is_some_and(|before| before == values);
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(node, values);
        same
    }

    /// Something may have changed for a resource that was not visited yet: it is looked at, however it comes out.
    pub(crate) fn distrust(&self, node: NodeIndex) {
        self.before.lock().unwrap_or_else(PoisonError::into_inner).remove(&node);
    }

    /// Notes what was declared, if the instance was completed by its visit.
    pub(crate) fn note_completed(&self, node: NodeIndex, declared: Map, instance: &dyn Instance) {
        if values(instance) != declared {
            self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(node, declared);
        }
    }

    /// All that was noted.
    pub(crate) fn into_now(self) -> FxHashMap<NodeIndex, Map> {
        self.now.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All that was declared of a resource.
pub(crate) fn values(instance: &dyn Instance) -> Map {
    let properties = instance.schema().all();
    let declared = properties.into_iter().filter(|property| property.role.is_settable());
    declared
        .filter_map(|property| Some((Name::from(property.name), instance.value(property.name, None)?)))
        .collect()
}
