//! What should wake a resource.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::Name;

/// Something whose change means that a resource must be looked at again. The engine subscribes;
/// no author writes an event loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interest {
    /// One path: content, attributes, creation and removal.
    Path(PathBuf),
    /// A directory and everything below it.
    Tree(PathBuf),
    /// Time: look again this often.
    Interval(Duration),
    /// A service unit.
    Unit(Name),
    /// The databases of users and groups.
    Accounts,
    /// The database of packages.
    Packages,
}
