//! Locks, which a limited number of resources can hold at the same time.

use std::num::NonZeroU32;

use uphold_model::{Code, Lock, Value};

use super::handling::{HandlingReader, Result};
use crate::excerpt::excerpt;
use crate::tree::NodeId;

impl HandlingReader<'_, '_> {
    /// A lock, or a list of them.
    pub(super) fn locks(&self, node: NodeId) -> Result<Vec<Lock>> {
        let value = self.value(node)?;
        let Value::List(items) = &value else { return Ok(vec![self.lock(node, &value)?]) };
        let nodes = self.elements(node).unwrap_or_default();
        let mut locks: Vec<Lock> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let node = nodes.get(at).copied().unwrap_or(node);
            let lock = self.lock(node, item)?;
            if locks.iter().any(|other| other.name == lock.name) {
                let detail = format!("{} is listed twice, and would wait for itself", excerpt(&lock.name));
                return Err(self.frame.error(node, Code::DuplicateLock, detail, "keep one of them"));
            }
            locks.push(lock);
        }
        Ok(locks)
    }

    /// `"apt"`, or `{ name = "apt", most = 2 }`.
    fn lock(&self, node: NodeId, value: &Value) -> Result<Lock> {
        let (name, most) = match value {
            Value::Map(map) => {
                self.only(node, map.keys(), &["name", "most"], "lock")?;
                (map.get("name"), map.get("most"))
            }
            other => (Some(other), None),
        };
        let Some(Value::Text(name)) = name.filter(|name| **name != Value::text("")) else {
            let found = match name {
                None => "a map without one",
                Some(Value::Text(_)) => "empty",
                Some(other) => other.type_name(),
            };
            let detail = format!("a lock needs a name; this is {found}");
            return Err(self.wrong(node, detail, "write a name in quotes: `lock = \"apt\"`"));
        };
        let most = most.map_or(Ok(1), |most| self.count(node, most))?;
        Ok(Lock { name: name.clone(), most: NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN) })
    }
}
