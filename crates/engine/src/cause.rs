//! Why an action is done.

use std::fmt;
use std::time::SystemTime;

use uphold_model::{Moment, Name, ResourceId};
use uphold_resource::Interest;

/// Why an action is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is in the configuration.
    Written,
    /// Another resource changed, and notified this one.
    Notified {
        /// The notifiers. A group has no id: then it is the last of its members that changed.
        by: Notifiers,
        /// When the notification is delivered.
        moment: Moment,
    },
    /// An earlier run was to notify it, and did not.
    Pending {
        /// The address of the resource that changed, which may no longer be declared.
        by: Name,
        /// When.
        since: SystemTime,
    },
    /// It is watched, and something may have changed.
    Woken(Wake),
}

/// The resources that caused one notified action: some of them by name, the others as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notifiers {
    /// The one that notified first.
    pub first: ResourceId,
    others: Vec<ResourceId>,
    more: usize,
}

impl Notifiers {
    /// The number of notifiers that are named.
    const NAMED: usize = 3;

    /// The first one, and the others in the order of the configuration.
    pub fn new(first: ResourceId, others: impl ExactSizeIterator<Item = ResourceId>) -> Self {
        // One more than is named: the first one may have to give way in `sort_by_key`.
        let more = others.len().saturating_sub(Self::NAMED);
        Self { first, others: others.take(Self::NAMED).collect(), more }
    }

    /// Those that are named, and the number of those that are not.
    pub fn from_parts(first: ResourceId, others: Vec<ResourceId>, more: usize) -> Self {
        Self { first, others, more }
    }

    /// The reverse of [`Notifiers::from_parts`].
    pub fn parts(&self) -> (&ResourceId, &[ResourceId], usize) {
        (&self.first, &self.others, self.more)
    }

    /// Puts them into an order that does not depend on which one notified first.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&ResourceId) -> K) {
        self.others.push(self.first.clone());
        self.others.sort_by_key(key);
        self.first = self.others.remove(0);
    }

    /// The others that are named.
    pub fn others(&self) -> &[ResourceId] {
        &self.others[..self.others.len().min(Self::NAMED - 1)]
    }

    /// The number of those that are not named.
    pub fn more(&self) -> usize {
        self.more + self.others.len() - self.others().len()
    }
}

impl From<ResourceId> for Notifiers {
    fn from(only: ResourceId) -> Self {
        Self { first: only, others: Vec::new(), more: 0 }
    }
}

/// `a`, `a and b`, `a, b and c`, or `a, b, c and 4 more`.
impl fmt::Display for Notifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        let (others, more) = (self.others(), self.more());
        for (at, other) in others.iter().enumerate() {
            let is_last = at + 1 == others.len() && more == 0;
            write!(f, "{}{other}", if is_last { " and " } else { ", " })?;
        }
        if more == 0 { Ok(()) } else { write!(f, " and {more} more") }
    }
}

impl Cause {
    /// Whether a difference that is found then is drift: made from outside, and not by this configuration.
    pub fn is_outside(&self) -> bool {
        match self {
            Cause::Written | Cause::Notified { .. } | Cause::Pending { .. } => false,
            Cause::Woken(wake) => !matches!(
                wake,
                // Drift of a paused resource was reported when it was found.
                Wake::Received(_) | Wake::Freed(_) | Wake::Subscribed(_) | Wake::Resumed | Wake::WindowOpened
            ),
        }
    }
}

/// Why a watched resource is visited again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// The machine reported a change of this.
    Reported(Interest),
    /// A value that it reads changed: of this resource.
    Received(ResourceId),
    /// A dependency has recovered: this resource.
    Freed(ResourceId),
    /// Its group subscribes to this resource, which changed.
    Subscribed(ResourceId),
    /// Its `poll`, or the interval of its kind.
    Polled,
    /// It is time to check everything.
    Rechecked,
    /// Reports were lost.
    ReportsLost,
    /// It failed, and is retried.
    Retried,
    /// It was paused, and the pause has expired or changed.
    Resumed,
    /// It differed outside the maintenance window, which has opened.
    WindowOpened,
}

impl Wake {
    /// Its name in machine-readable output.
    pub fn word(&self) -> &'static str {
        match self {
            Wake::Reported(_) => "change_detected",
            Wake::Received(_) => "value_changed",
            Wake::Freed(_) => "dependency_recovered",
            Wake::Subscribed(_) => "subscribed",
            Wake::Polled => "polled",
            Wake::Rechecked => "rechecked",
            Wake::ReportsLost => "events_lost",
            Wake::Retried => "retried",
            Wake::Resumed | Wake::WindowOpened => "resumed",
        }
    }
}

/// For users, after "because".
impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wake::Reported(what) => write!(f, "{what} changed"),
            Wake::Received(from) => write!(f, "{from} has a new value"),
            Wake::Freed(from) => write!(f, "{from} has recovered"),
            Wake::Subscribed(to) => write!(f, "{to} changed"),
            Wake::Polled => f.write_str("it is polled"),
            Wake::Rechecked => f.write_str("everything is rechecked"),
            Wake::ReportsLost => f.write_str("reports were lost"),
            Wake::Retried => f.write_str("it failed before"),
            Wake::Resumed => f.write_str("its pause has ended"),
            Wake::WindowOpened => f.write_str("the maintenance window has opened"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_three_notifiers() {
        let of = |names: &str| {
            let mut ids = names.split(' ').map(|name| ResourceId::new("f", name)).collect::<Vec<_>>();
            Notifiers::new(ids.remove(0), ids.into_iter())
        };
        for (names, expected) in [
            ("a", "f.a"),
            ("b a", "f.b and f.a"),
            ("c a b", "f.c, f.a and f.b"),
            ("c a b d", "f.c, f.a, f.b and 1 more"),
            ("e a b c d f", "f.e, f.a, f.b and 3 more"),
        ] {
            assert_eq!(of(names).to_string(), expected);
        }
        let mut sorted = of("e a b c d f");
        sorted.sort_by_key(ToString::to_string);
        assert_eq!(sorted.to_string(), "f.a, f.b, f.c and 3 more");
    }
}
