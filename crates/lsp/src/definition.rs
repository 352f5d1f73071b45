//! Where something is written.

use std::ops::Range;
use std::rc::Rc;

use gen_lsp_types::Location;
use uphold::{Spot, spot};

use crate::scope::{Scope, named};
use crate::sheet::Sheet;
use crate::target::{Target, target};

/// The places where what stands at a place is defined.
pub(crate) fn definition(scope: &mut Scope<'_>, sheet: &Rc<Sheet>, offset: usize) -> Option<Vec<Location>> {
    let spot = spot(&sheet.text, offset);
    let target = target(scope, sheet, &spot)?;
    let places = places(scope, sheet, &spot, &target);
    Some(places.iter().map(|(sheet, range)| sheet.location(range)).collect())
}

/// The places where a target is defined.
pub(crate) fn places(
    scope: &mut Scope<'_>,
    sheet: &Rc<Sheet>,
    spot: &Spot,
    target: &Target,
) -> Vec<(Rc<Sheet>, Range<usize>)> {
    match target {
        Target::Param(name) => labels(&scope.sheets, "param", name),
        Target::Output(name) => labels(&scope.sheets, "output", name),
        Target::Module(name) => labels(&scope.sheets, "module", name),
        Target::Kind(name) => labels(&scope.sheets, "kind", name),
        Target::Local(name) => {
            let same = scope.locals().filter(|(_, local)| local.name.text == *name);
            same.map(|(sheet, local)| (sheet.clone(), local.name.range.clone())).collect()
        }
        Target::Resource(kind, name) => resource(scope, kind, name, None),
        Target::Field(kind, name, field) => resource(scope, kind, name, Some(field)),
        Target::Each => each(sheet, spot),
        Target::Inside(source, word, name) => labels(&scope.files(source), word, name),
        // The beginning of its first file.
        Target::Source(source) => {
            scope.files(source).into_iter().take(1).map(|sheet| (sheet, 0..0)).collect()
        }
    }
}

fn labels(sheets: &[Rc<Sheet>], word: &str, name: &str) -> Vec<(Rc<Sheet>, Range<usize>)> {
    let same = named(sheets, word).filter(|(_, label)| &*label.text == name);
    same.map(|(found, label)| (found.sheet.clone(), label.range.clone())).collect()
}

/// The label of a resource, or the attribute of it if that is set.
fn resource(
    scope: &Scope<'_>,
    kind: &str,
    name: &str,
    field: Option<&str>,
) -> Vec<(Rc<Sheet>, Range<usize>)> {
    let same = scope
        .resources()
        .filter(|(_, its_kind, its_name)| &*its_kind.text == kind && &*its_name.text == name);
    same.map(|(found, _, label)| {
        let attribute = field.and_then(|field| found.block.attribute(field));
        let range = attribute.map_or(&label.range, |attribute| &attribute.name.range);
        (found.sheet.clone(), range.clone())
    })
    .collect()
}

/// The `for_each` of the block around.
fn each(sheet: &Rc<Sheet>, spot: &Spot) -> Vec<(Rc<Sheet>, Range<usize>)> {
    let outline = sheet.outline();
    let blocks = spot.blocks.iter().rev().filter_map(|block| outline.block_at(block.start));
    let mut attributes = blocks.filter_map(|block| block.attribute("for_each"));
    attributes.next().map(|attribute| (sheet.clone(), attribute.name.range.clone())).into_iter().collect()
}
