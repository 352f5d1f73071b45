//! Which configurations there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::desk::Desk;
use crate::scope::blocks;
use crate::text::normal;

/// The directories to check, so that everything open is checked. A directory that is a module of another configuration
/// is checked with its caller, which sets its params; callers are looked for in what is open, and in the directories
/// around it.
pub(crate) fn roots(desk: &mut Desk) -> Vec<PathBuf> {
    let open: BTreeSet<PathBuf> =
        desk.all_open().map(|(sheet, _)| sheet.configuration_directory().to_owned()).collect();
    let around: Vec<PathBuf> =
        open.iter().flat_map(|directory| desk.around(directory)).map(Path::to_owned).collect();
    let candidates: BTreeSet<PathBuf> = open.iter().cloned().chain(around).collect();
    let reached: BTreeMap<PathBuf, BTreeSet<PathBuf>> =
        candidates.into_iter().map(|directory| (directory.clone(), reach(desk, directory))).collect();
    let is_called = |directory: &Path| {
        reached.iter().any(|(caller, reached)| caller != directory && reached.contains(directory))
    };
    let calls_open = |reached: &BTreeSet<PathBuf>| open.iter().any(|directory| reached.contains(directory));
    let is_root = |(directory, reached): &(&PathBuf, &BTreeSet<PathBuf>)| {
        !is_called(directory) && (open.contains(*directory) || calls_open(reached))
    };
    let mut roots: Vec<PathBuf> =
        reached.iter().filter(is_root).map(|(directory, _)| directory.clone()).collect();
    // Those that call each other have no root.
    for directory in &open {
        let checked = |root: &PathBuf| root == directory || reached[root].contains(directory);
        if !roots.iter().any(checked) {
            roots.push(directory.clone());
        }
    }
    roots
}

/// The modules that a configuration calls, and those that they call.
fn reach(desk: &mut Desk, directory: PathBuf) -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::new();
    let mut next = vec![directory];
    while let Some(directory) = next.pop() {
        let sheets = desk.files(&directory);
        let calls = blocks(&sheets).filter(|found| matches!(&*found.block.kind.text, "module" | "kind"));
        for found in calls {
            let Some(source) = found.block.attribute("source").and_then(|source| source.text.as_deref())
            else {
                continue;
            };
            let module = normal(&found.sheet.directory().join(source));
            if reached.insert(module.clone()) {
                next.push(module);
            }
        }
    }
    reached
}
