//! Files, directories and links in memory, and what can be done with them.
//!
//! A directory may stand for one of a machine below: then a name that nobody has touched is
//! [unknown](walk::Stop::Unknown) until somebody has asked that machine and had the tree
//! [learn](nodes::Tree::learn) it.

mod access;
mod change;
mod directory;
mod learn;
mod look;
mod node;
mod nodes;
mod walk;

pub(crate) use change::{Change, Maker};
pub(crate) use directory::Directory;
pub(crate) use learn::Unknown;
pub(crate) use look::{looping, unlistable, within};
pub(crate) use node::{Body, Content, Inode, Node, Owner};
pub(crate) use nodes::{Image, ROOT, Tree};
pub(crate) use walk::{Spot, Stop, Trust, unreachable_parent};
