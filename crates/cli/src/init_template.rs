//! The example that a new configuration begins with.

use crate::text_tree::TextTree;

/// Where the params of the example are.
pub(crate) const PARAMS: &str = "params/production.hcl";

/// A configuration, its tests, a file of params for it, and a module.
pub(crate) fn init_template() -> TextTree {
    let mut tree = TextTree::default();
    tree.add("main.hcl", include_str!("init_template/main.hcl"));
    tree.add("main.test.hcl", include_str!("init_template/main.test.hcl"));
    tree.add(PARAMS, include_str!("init_template/params/production.hcl"));
    tree.add("modules/note/main.hcl", include_str!("init_template/modules/note/main.hcl"));
    tree
}
