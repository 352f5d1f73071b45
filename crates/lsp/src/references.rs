//! Where something is named.

use std::ops::Range;
use std::rc::Rc;

use gen_lsp_types::Location;
use uphold::{PathStep, spot};

use crate::definition::places;
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::target::{Target, target};

/// Every place of the configuration that names what stands at a place; with `declared`, also where it is defined.
pub(crate) fn references(
    scope: &mut Scope<'_>,
    sheet: &Rc<Sheet>,
    offset: usize,
    declared: bool,
) -> Option<Vec<Location>> {
    let spot = spot(&sheet.text, offset);
    let target = match target(scope, sheet, &spot)? {
        Target::Field(kind, name, _) => Target::Resource(kind, name),
        target => target,
    };
    let defined = places(scope, sheet, &spot, &target);
    let mut found: Vec<(Rc<Sheet>, Range<usize>)> = if declared { defined } else { Vec::new() };
    for sheet in &scope.sheets {
        let paths = sheet.outline().paths.iter().filter_map(|path| named_in(path, &target));
        found.extend(paths.chain(labels(sheet, &target)).map(|range| (sheet.clone(), range)));
    }
    Some(found.iter().map(|(sheet, range)| sheet.location(range)).collect())
}

/// Where a path names the target, if it does.
fn named_in(path: &[PathStep], target: &Target) -> Option<Range<usize>> {
    let [root, rest @ ..] = path else { return None };
    let (wanted, name) = match target {
        Target::Param(name) => ("param", name),
        Target::Local(name) => ("local", name),
        Target::Module(name) => ("module", name),
        Target::Resource(kind, name) => (&**kind, name),
        Target::Kind(kind) if root.name.as_ref() == Some(kind) => return Some(root.range.clone()),
        _ => return None,
    };
    let step = rest.first().filter(|step| step.name.as_ref() == Some(name))?;
    (root.name.as_deref() == Some(wanted)).then(|| step.range.clone())
}

/// Where blocks name the target: `edit` and `trigger`, and blocks of a kind.
fn labels(sheet: &Sheet, target: &Target) -> Vec<Range<usize>> {
    let blocks = sheet.outline().blocks.iter();
    let place = |block: &uphold::OutlineBlock| match target {
        Target::Kind(kind) => (block.kind.text == *kind).then(|| block.kind.range.clone()),
        Target::Resource(kind, name) => match (&*block.kind.text, &block.labels[..]) {
            ("edit" | "trigger", [its_kind, its_name, ..])
                if its_kind.text == *kind && its_name.text == *name =>
            {
                Some(its_name.range.clone())
            }
            _ => None,
        },
        _ => None,
    };
    blocks.filter_map(place).collect()
}
