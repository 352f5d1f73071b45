//! Names of network links.

use std::fmt;

use uphold_resource::{Claim, Property};

/// The name of a network link: up to 15 letters, digits and `_.+@-`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[example("eth0")]
#[pattern("^[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,14}$")]
pub struct LinkName(pub String);

impl LinkName {
    /// The claim of a resource that creates the link, and of its dependents.
    pub(super) fn claim(&self) -> Claim {
        Claim::Other("network link", self.0.as_str().into())
    }

    /// The claim of one end of a pair that also creates the other one.
    pub(super) fn claim_of_end(&self) -> Claim {
        Claim::Other("end of a pair of links", self.0.as_str().into())
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
