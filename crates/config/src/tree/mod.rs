//! Trees: what the parser makes of a source, one for each item outside all blocks.

mod draft;
mod head;
mod item;
mod node;
mod passage;
mod stored;

pub(crate) use draft::Draft;
pub(crate) use head::Sort;
pub(crate) use item::{Content, Item, Items, Label, Labels};
pub(crate) use node::{Call, Children, Gathered, Literal, Loop, Node, NodeId, Operator};
pub(crate) use passage::Passage;
pub(crate) use stored::Tree;
