//! Blocks that cannot be checked, because the properties of their kinds are not known.

use std::collections::BTreeSet;

use uphold_model::{Code, Diagnostic, Diagnostics};
use uphold_resource::{Kind, Registry};

use crate::program::set::ResourceSet;

/// Warns once for each kind of which only the outline is known, at its first block.
pub(crate) fn warn_of_outlines(set: &ResourceSet, registry: &Registry, diagnostics: &mut Diagnostics) {
    let outlines = registry.iter().filter(|kind| kind.is_outline());
    let mut left: BTreeSet<&str> = outlines.map(|kind: &Kind| kind.schema().kind).collect();
    for (_, declared) in set.iter() {
        if left.is_empty() {
            return;
        }
        let id = &declared.declaration.id;
        if left.remove(&*id.kind) && registry.get(&id.kind).is_some_and(Kind::is_outline) {
            let detail =
                format!("a program prints the properties of `{}`, and no program is run here", id.kind);
            let warning = Diagnostic::new(Code::UncheckedProperties, detail);
            diagnostics.push(warning.at(declared.declaration.place).fix("`uphold plan` checks them"));
        }
    }
}
