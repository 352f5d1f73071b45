//! Resources that have another address than before.

use crate::address::has_key;
use crate::place::Place;

use super::address::covering_addresses;

/// A `moved` block: the resource of one address is declared at another one now.
///
/// Addresses are text as [`ResourceId`](crate::ResourceId) prints it. The address of a block with `for_each` covers all
/// of its resources, and the address of a module call covers everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The previous address, which is no longer declared.
    pub from: String,
    /// The current address, or the previous one of another block.
    pub to: String,
    /// The place of `from`, if it was written in a file.
    pub place: Option<Place>,
    /// The place of `to`.
    pub to_place: Option<Place>,
}

impl Moved {
    /// The current address of a resource with this previous address; none if the block does not cover it.
    ///
    /// If `to` adds a key of `for_each`, only the resource without a key is meant.
    pub fn rename(&self, address: &str) -> Option<String> {
        let rest = address.strip_prefix(&*self.from)?;
        let is_covered = match rest.bytes().next() {
            None | Some(b'.') => true,
            Some(b'[') => !has_key(&self.from) && !has_key(&self.to),
            Some(_) => false,
        };
        is_covered.then(|| format!("{}{rest}", self.to))
    }
}

// Resources that are meant to be no longer declared.

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
        let check = |from: &str, to: &str, address: &str, expected: Option<&str>| {
            let moved = Moved { from: from.into(), to: to.into(), place: None, to_place: None };
            assert_eq!(moved.rename(address).as_deref(), expected, "{from} {to} {address}");
        };
        check("cron.a", "cron.b", "cron.a", Some("cron.b"));
        check("cron.a", "cron.b", "cron.ab", None);
        check("cron.a", "cron.b", r#"cron.a["x"]"#, Some(r#"cron.b["x"]"#));
        check("cron.a", r#"cron.a["x"]"#, "cron.a", Some(r#"cron.a["x"]"#));
        check("cron.a", r#"cron.a["x"]"#, r#"cron.a["x"]"#, None);
        check(r#"cron.a["x"]"#, "cron.a", r#"cron.a["x"]"#, Some("cron.a"));
        check(r#"file["/a"]"#, r#"file["/b"]"#, r#"file["/a"]["k"]"#, Some(r#"file["/b"]["k"]"#));
        check("module.a", "module.b", r#"module.a["k"].file.x"#, Some(r#"module.b["k"].file.x"#));
        check("module.a", r#"module.a["k"]"#, "module.a.file.x", Some(r#"module.a["k"].file.x"#));
        check("file.x", "module.a.file.x", "file.x", Some("module.a.file.x"));
    }
}

#[cfg(test)]
mod removed_tests {
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
