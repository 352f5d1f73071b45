//! Resources that are meant to be no longer declared.

use crate::address::covering_addresses;
use crate::place::Place;

/// A `removed` block: the resource of this address is no longer declared, and that is intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The address, as [`ResourceId`](crate::ResourceId) prints it. The address of a block with `for_each` covers all of
    /// its resources, and the address of a module call covers everything in it.
    pub from: String,
    /// Whether the resource is removed from the machine. Otherwise it stays as it is, and is no longer listed.
    pub destroy: bool,
    /// The place of `from`, if it was written in a file.
    pub place: Option<Place>,
}

impl Removed {
    /// Whether a resource with this address is meant.
    pub fn covers(&self, address: &str) -> bool {
        covering_addresses(address).any(|covering| covering == self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_covers_its_resources_and_a_module_its_contents() {
        let check = |from: &str, address: &str, expected: bool| {
            let removed = Removed { from: from.into(), destroy: false, place: None };
            assert_eq!(removed.covers(address), expected, "{from} {address}");
        };
        check("cron.a", "cron.a", true);
        check("cron.a", r#"cron.a["x"]"#, true);
        check("cron.a", "cron.ab", false);
        check(r#"cron.a["x"]"#, "cron.a", false);
        check("module.web", r#"module.web["k"].file["/a"]"#, true);
        check("module.web", "module.website.file.a", false);
    }
}
