//! What the kinds of this area stand on each other for.

use uphold_resource::Claim;

/// The lists of what there is to install: who updates them, or says where they come from, comes before packages.
pub(crate) fn lists() -> Claim {
    Claim::Other("package lists", "of this machine".into())
}
