//! The example that a new configuration begins with.

use crate::text_tree::TextTree;

/// Where the params of the example are.
pub(crate) const PARAMS: &str = "params/production.hcl";

/// A configuration, its tests, a file of params for it, and a module.
pub(crate) fn starter() -> TextTree {
    let mut tree = TextTree::default();
    tree.add("main.hcl", include_str!("starter/main.hcl"));
    tree.add("main.test.hcl", include_str!("starter/main.test.hcl"));
    tree.add(PARAMS, include_str!("starter/params/production.hcl"));
    tree.add("modules/note/main.hcl", include_str!("starter/modules/note/main.hcl"));
    tree
}
