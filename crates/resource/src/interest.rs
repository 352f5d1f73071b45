//! What should wake a resource.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use uphold_model::Name;

use crate::host::Command;

/// Something whose change means that a resource must be looked at again. The engine subscribes;
/// no author writes an event loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interest {
    /// One path: content, attributes, creation and removal. What is inside a directory does not count, and of a link
    /// at the end only the link does, not where it leads.
    Path(PathBuf),
    /// A directory and the names directly in it. A link at the end is followed; if it leads to a file, content,
    /// attributes and replacement of that file count.
    Entries(PathBuf),
    /// A directory and everything below it. A link at the end is followed, those below are not.
    Tree(PathBuf),
    /// Time: look again this often.
    Interval(Duration),
    /// A process of this program begins or ends.
    Process(Name),
    /// A service unit.
    Unit(Name),
    /// The databases of users and groups.
    Accounts,
    /// The database of packages.
    Packages,
    /// A network link: whether it is there, its state and its addresses.
    NetworkLink(Name),
    /// Each line that this command writes; it runs as long as somebody is interested.
    Lines(Command),
}

/// As it is told to a person who wonders why something was looked at.
impl fmt::Display for Interest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interest::Path(path) | Interest::Entries(path) | Interest::Tree(path) => {
                write!(f, "{}", path.display())
            }
            Interest::Interval(_) => f.write_str("its interval"),
            Interest::Process(name) => write!(f, "the process {name}"),
            Interest::Unit(name) => write!(f, "the unit {name}"),
            Interest::Accounts => f.write_str("the accounts"),
            Interest::Packages => f.write_str("the packages"),
            Interest::NetworkLink(name) => write!(f, "the network link {name}"),
            // Arguments may hold what nobody should see.
            Interest::Lines(command) => write!(f, "a line of {}", command.program),
        }
    }
}
