//! `name = optional(value)`: the property is unset if the value is null.

use uphold_functions::{Body, find};

use crate::tree::{Content, Item, Node, NodeId, TreeView};

/// The argument of `optional`, if it is the whole value of the item.
pub(crate) fn optional_argument(code: TreeView<'_>, item: &Item<'_>) -> Option<NodeId> {
    let Content::Expression(node) = item.content else { return None };
    let Node::Call(call) = code.node(node) else { return None };
    let is_optional = find(call.function).is_some_and(|function| matches!(function.body, Body::Optional));
    // A wrong number of arguments was reported by the name check.
    call.arguments.single().filter(|_| is_optional && !call.spread)
}
