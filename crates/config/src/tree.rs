//! Syntax trees, one for each item outside of all blocks.

mod builder;
mod head;
mod item;
mod node;
mod view;

pub(crate) use builder::{Tree, TreeBuilder};
pub(crate) use head::NodeKind;
pub(crate) use item::{Content, Item, Items, Label, Labels};
pub(crate) use node::{Call, Children, Gathered, Literal, Loop, Node, NodeId, Operator};
pub(crate) use view::TreeView;
