//! Resources that are decoded at their visit: what they were the last time.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use uphold_model::{Map, Name};
use uphold_resource::Instance;

use crate::graph::NodeIndex;

/// The values of resources that read others, so that one that comes out the same in another program is left as it is.
#[derive(Default)]
pub(crate) struct Late {
    /// As an earlier program had them. Each counts once.
    before: Mutex<FxHashMap<NodeIndex, Map>>,
    now: Mutex<FxHashMap<NodeIndex, Map>>,
}

impl Late {
    pub(crate) fn of(before: FxHashMap<NodeIndex, Map>) -> Self {
        Self { before: Mutex::new(before), now: Mutex::default() }
    }

    /// Notes how a resource came out; true if that is as in the program before, where it was in order.
    pub(crate) fn note(&self, node: NodeIndex, instance: &dyn Instance) -> bool {
        let values = values(instance);
        let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).remove(&node);
        let same = before.is_some_and(|before| before == values);
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(node, values);
        same
    }

    /// How all came out.
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
