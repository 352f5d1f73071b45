//! Edges, each with its reason.

use std::fmt;

use uphold_model::{Claim, Place};

/// Number of a node: its place in the action list.
pub type NodeIndex = u32;

/// `before` is done before `after`.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// What comes first.
    pub before: NodeIndex,
    /// What stands on it.
    pub after: NodeIndex,
    /// Why.
    pub reason: Reason,
    /// Where that was written, if it was.
    pub place: Option<Place>,
}

/// Why one action comes before another.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// An expression reads it.
    Reference,
    /// It is named in `depends_on`.
    DependsOn,
    /// Two actions on one resource keep their written order.
    Sequence,
    /// One provides what the other stands on.
    Claim(Claim),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Reference => f.write_str("refers to it"),
            Reason::DependsOn => f.write_str("depends_on"),
            Reason::Sequence => f.write_str("written before, on the same resource"),
            Reason::Claim(Claim::Path(path)) => write!(f, "path {}", path.display()),
            Reason::Claim(Claim::User(name)) => write!(f, "user {name}"),
            Reason::Claim(Claim::Group(name)) => write!(f, "group {name}"),
            Reason::Claim(Claim::Package(name)) => write!(f, "package {name}"),
            Reason::Claim(Claim::Unit(name)) => write!(f, "unit {name}"),
            Reason::Claim(Claim::Resource(id)) => write!(f, "{id}"),
            Reason::Claim(Claim::Other(space, name)) => write!(f, "{space} {name}"),
        }
    }
}
