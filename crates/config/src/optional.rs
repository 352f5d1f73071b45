//! `name = optional(value)`: nothing is set if the value is null.

use uphold_functions::{Body, find};

use crate::tree::{Content, Item, Node, NodeId, Passage};

/// The argument, if all of the item's value is a call of `optional`.
pub(crate) fn optional_argument(code: Passage<'_>, item: &Item<'_>) -> Option<NodeId> {
    let Content::Expression(node) = item.content else { return None };
    let Node::Call(call) = code.node(node) else { return None };
    let is_optional = find(call.function).is_some_and(|function| matches!(function.body, Body::Optional));
    // Another number of arguments was reported with the names.
    call.arguments.single().filter(|_| is_optional && !call.spread)
}
