//! What the kinds of this area stand on each other for.

use uphold_resource::Claim;

/// Where packages come from, and whose word is taken for them: comes before the lists, and before packages.
pub(crate) fn sources() -> Claim {
    Claim::Other("package sources", "of this machine".into())
}

/// The lists of what there is to install: who updates them comes before packages.
pub(crate) fn lists() -> Claim {
    Claim::Other("package lists", "of this machine".into())
}
