//! Edges, each with its reason.

use std::fmt;
use std::sync::Arc;

use uphold_model::{Claim, Place};

/// Number of a node: its index in the action list. Gates, which are internal, come after these.
pub type NodeIndex = u32;

/// An edge: `before` is done before `after`.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The prerequisite.
    pub before: NodeIndex,
    /// The dependent.
    pub after: NodeIndex,
    /// The reason.
    pub reason: Reason,
    /// Its place in the configuration, if it has one.
    pub place: Option<Place>,
    /// Whether it is also about a path at which the dependent may read what its dependency wrote.
    pub(crate) path: bool,
}

impl Edge {
    pub(crate) fn new(before: NodeIndex, after: NodeIndex, reason: Reason, place: Option<Place>) -> Self {
        let path = matches!(&reason, Reason::Edited(claim) | Reason::Inside(claim) if matches!(**claim, Claim::Path(_)));
        Self { before, after, reason, place, path }
    }

    /// An edge for a claim; `filled`: the provider decides on the content of a path.
    pub(super) fn of_claim(before: NodeIndex, after: NodeIndex, claim: Arc<Claim>, filled: bool) -> Self {
        Self { before, after, reason: Reason::Claim(claim), place: None, path: filled }
    }

    /// The same without a path: its start writes nothing.
    pub(super) fn without_path(self) -> Self {
        Self { path: false, ..self }
    }

    /// Whether it puts a user after those that prepare something.
    pub(crate) fn is_follow(&self) -> bool {
        matches!(self.reason, Reason::Follows(_))
    }

    /// Whether it puts a reader of a path after the nodes that edit the path.
    pub(crate) fn is_edited(&self) -> bool {
        matches!(self.reason, Reason::Edited(_))
    }

    /// Whether it puts a reader of a whole tree after the nodes that change something inside.
    pub(crate) fn is_inside(&self) -> bool {
        matches!(self.reason, Reason::Inside(_))
    }

    /// Whether it only keeps written order.
    pub(crate) fn is_edit(&self) -> bool {
        matches!(self.reason, Reason::Edits(_))
    }
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
    SameResource,
    /// A sequence puts one after the other.
    Sequence,
    /// One provides what the other depends on. Many edges share one claim.
    Claim(Arc<Claim>),
    /// Both change a part of it; written order decides.
    Edits(Arc<Claim>),
    /// One changes a part of a path that the other reads. Dropped where another edge needs the opposite order.
    Edited(Arc<Claim>),
    /// One changes something inside a tree that the other reads as a whole. Dropped where another edge needs the opposite
    /// order.
    Inside(Arc<Claim>),
    /// One uses what the other prepares. Dropped where another edge needs the opposite order.
    Follows(Arc<Claim>),
    /// It is notified when the other changes. Dropped where another edge needs the opposite order.
    Notifies,
    /// Its group runs only if the other changes.
    Subscribes,
    /// It verifies the changes of a group, of which the other is the last.
    Verifies,
    /// One of them is no longer declared, and is removed after everything else, or before the other takes its place.
    NoLongerDeclared,
}

impl Reason {
    /// Whether the edge is a dependency. If not, only the order counts: a failure of the first does not skip the second.
    pub fn is_dependency(&self) -> bool {
        !matches!(
            self,
            Reason::Edits(_)
                | Reason::Follows(_)
                | Reason::Notifies
                | Reason::Subscribes
                | Reason::Verifies
                | Reason::NoLongerDeclared
        )
    }

    /// Whether the edge is dropped where another one needs the opposite order.
    pub(super) fn gives_way(&self) -> bool {
        let is_path_order = matches!(self, Reason::Edits(_) | Reason::Edited(_) | Reason::Inside(_));
        is_path_order || matches!(self, Reason::Follows(_) | Reason::Notifies)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Reference => f.write_str("refers to it"),
            Reason::DependsOn => f.write_str("depends_on"),
            Reason::SameResource => f.write_str("written before, on the same resource"),
            Reason::Sequence => f.write_str("comes before it in a sequence"),
            Reason::Claim(claim) => write!(f, "{claim}"),
            Reason::Notifies => f.write_str("is notified by it"),
            Reason::Verifies => f.write_str("verifies it"),
            Reason::Subscribes => f.write_str("its group subscribes to it"),
            Reason::NoLongerDeclared => f.write_str("one of them is no longer declared"),
            Reason::Follows(claim) => write!(f, "prepares {claim}"),
            Reason::Edited(claim) => write!(f, "changes {claim}"),
            Reason::Inside(claim) => write!(f, "changes something inside {claim}"),
            Reason::Edits(claim) => write!(f, "written before, and changes {claim}, too"),
        }
    }
}
