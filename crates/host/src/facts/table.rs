//! The readers of facts, and the cache of what they read.

use std::sync::Arc;

use uphold_resource::{FACTS, Facts, Result, Value, unknown_fact};

use super::machine::{Machine, Sources};
use super::{
    account, clock, disks, hardware, init, kernel, load, names, network, release, time, virtualization,
};
use crate::cached_result::CachedResult;
use crate::local::LocalHost;

type Reader = fn(&Machine<'_>) -> Result<Value>;

/// The reader of each fact, in the order of [`FACTS`].
pub(super) const READERS: &[(&str, Reader); FACTS.len()] = &[
    ("hostname", names::hostname),
    ("fqdn", names::fqdn),
    ("domain", names::domain),
    ("machine_id", names::machine_id),
    ("timezone", clock::timezone),
    ("boot_time", clock::boot_time),
    ("uptime", clock::uptime),
    ("time.date", time::date),
    ("time.hour", time::hour),
    ("time.minute", time::minute),
    ("time.weekday", time::weekday),
    ("architecture", kernel::architecture),
    ("os.family", release::family),
    ("os.id", release::id),
    ("os.name", release::name),
    ("os.version", release::version),
    ("os.codename", release::codename),
    ("os.pretty_name", release::pretty_name),
    ("kernel.name", kernel::name),
    ("kernel.release", kernel::release),
    ("kernel.version", kernel::version),
    ("cpu.count", hardware::cpu_count),
    ("cpu.model", hardware::cpu_model),
    ("memory.total", hardware::memory_total),
    ("memory.swap", hardware::memory_swap),
    ("memory.available", hardware::memory_available),
    ("disks", disks::disks),
    ("mounts", disks::mounts),
    ("product.vendor", hardware::product_vendor),
    ("product.name", hardware::product_name),
    ("load.one", load::one),
    ("load.five", load::five),
    ("load.fifteen", load::fifteen),
    ("init", init::init),
    ("package_manager", release::package_manager),
    ("virtualization", virtualization::virtualization),
    ("user.name", account::name),
    ("user.uid", account::uid),
    ("user.home", account::home),
    ("is_root", account::is_root),
    ("users", account::users),
    ("groups", account::groups),
    ("environment", account::environment),
    ("is_running", kernel::is_running),
    ("network.interfaces", network::interfaces),
    ("network.ipv4", network::ipv4),
    ("network.ipv6", network::ipv6),
    ("network.gateway", network::gateway),
    ("network.default_interface", network::default_interface),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_its_reader() {
        let readers: Vec<_> = READERS.iter().map(|(name, _)| *name).collect();
        let facts: Vec<_> = FACTS.iter().map(|fact| fact.name).collect();
        assert_eq!(readers, facts);
    }
}
