//! Declared values of resources that are decoded at their visit.

use rustc_hash::FxHashMap;
use uphold_model::{Map, Mutex, Name};
use uphold_resource::Instance;

use crate::graph::NodeIndex;

/// The declared values of resources that are decoded at their visit, so that a resource with the same values in the next
/// program need not be visited.
#[derive(Default)]
pub(crate) struct DeferredValues {
    /// Those of the previous program. Each counts once.
    before: Mutex<FxHashMap<NodeIndex, Map>>,
    now: Mutex<FxHashMap<NodeIndex, Map>>,
}

impl DeferredValues {
    pub(crate) fn of(before: FxHashMap<NodeIndex, Map>) -> Self {
        Self { before: Mutex::new(before), ..Self::default() }
    }

    /// Notes the values of a resource; true if they are those of the previous program, where it was as declared.
    pub(crate) fn note(&self, node: NodeIndex, instance: &dyn Instance) -> bool {
        let values = declared_values(instance);
        let before = self.before.lock().remove(&node);
        let same = before.is_some_and(|before| before == values);
        self.now.lock().insert(node, values);
        same
    }

    /// A resource may have changed: it is visited even if its values are the same.
    pub(crate) fn invalidate(&self, node: NodeIndex) {
        self.before.lock().remove(&node);
    }

    /// All values that were noted.
    pub(crate) fn into_now(self) -> FxHashMap<NodeIndex, Map> {
        self.now.into_inner()
    }
}

/// All declared values of a resource.
pub(crate) fn declared_values(instance: &dyn Instance) -> Map {
    let properties = instance.schema().all();
    let declared = properties.into_iter().filter(|property| property.role.is_settable());
    declared
        .filter_map(|property| Some((Name::from(property.name), instance.value(property.name, None)?)))
        .collect()
}
