//! A cache of facts.

use std::sync::Arc;

use uphold_resource::{FACTS, Facts, Result, Value, unknown_fact};

use super::machine::{Machine, Sources};
use super::table::READERS;
use crate::cached_result::CachedResult;
use crate::local::LocalHost;

/// The facts that were read. Only callers of the same fact wait for each other.
pub(crate) struct FactCache {
    values: [CachedResult<Value>; FACTS.len()],
    sources: Sources,
}

impl Default for FactCache {
    fn default() -> Self {
        Self { values: std::array::from_fn(|_| CachedResult::default()), sources: Sources::default() }
    }
}

impl Facts for LocalHost {
    fn fact(&self, name: &str) -> Result<Value> {
        let row = READERS.iter().position(|(known, _)| *known == name).ok_or_else(|| unknown_fact(name))?;
        let cache = &self.facts;
        let machine = Machine { root: &self.root, accounts: &self.accounts, sources: &cache.sources };
        let value = cache.values[row].get(|| READERS[row].1(&machine));
        value.cloned().map_err(|error| error.while_(format!("cannot determine {name}")))
    }

    fn renewed(&self) -> Result<Option<Arc<dyn Facts>>> {
        Ok(Some(Arc::new(Self::with(self.root.again()?))))
    }
}
