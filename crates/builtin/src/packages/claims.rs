//! Ordering between the kinds of this module.

use uphold_resource::Claim;

/// Repositories and their keys: before the package lists, and before packages.
pub(crate) fn sources() -> Claim {
    Claim::Other("package sources", "of this machine".into())
}

/// The package lists: resources that update them come before packages.
pub(crate) fn lists() -> Claim {
    Claim::Other("package lists", "of this machine".into())
}
