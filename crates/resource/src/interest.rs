//! The changes that a resource is interested in.

use std::fmt;
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

use uphold_model::Name;

use crate::host::Command;

/// A possible change that requires a new check of a resource. The engine subscribes; kinds have no event loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interest {
    /// One path: content, attributes, creation and removal. The entries of a directory do not count, and of a symbolic link at
    /// the end only the link itself does.
    Path(PathBuf),
    /// A directory and its entries. A symbolic link at the end is followed; if it leads to a file, content, attributes and
    /// replacement of that file count.
    Entries(PathBuf),
    /// A directory and everything below it. A symbolic link at the end is followed, those below are not.
    Tree(PathBuf),
    /// Time: check again at this interval.
    Interval(Duration),
    /// The start or end of a process of this program.
    Process(Name),
    /// A change of a systemd unit.
    Unit(Name),
    /// A change of the user or group database.
    Accounts,
    /// A change of the package database.
    Packages,
    /// A change of a network link: its existence, state and addresses.
    NetworkLink(Name),
    /// Each line that this command prints. It runs as long as a resource is interested.
    Lines(Command),
}

/// The description in messages about the reason for a check.
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
            // Arguments may contain secrets.
            Interest::Lines(command) => write!(f, "a line of {}", command.program),
        }
    }
}
