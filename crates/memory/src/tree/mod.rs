//! Files, directories and links in memory.
//!
//! A directory may represent one of a base machine: then a name that was not used yet is
//! [unknown](walk::Stop::Unknown) until the base machine was queried and the tree has [learned](nodes::Tree::learn) it.

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
pub(crate) use walk::{Location, Stop, Trust, unreachable_parent};
