//! Selecting one manifest for each type.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::content::Manifest;
use super::version::compare_versions;
use crate::document::Fault;

/// The manifest with the newest version of each type, in the order in which they were found. Of two with the same
/// version, the first counts; if they differ, that is a fault of the second.
pub(crate) fn newest(manifests: &[Manifest]) -> (Vec<&Manifest>, Vec<Fault>) {
    let mut best: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for (i, manifest) in manifests.iter().enumerate() {
        let Some(&known) = best.get(manifest.type_name.as_str()) else {
            best.insert(&manifest.type_name, i);
            continue;
        };
        match compare_versions(&manifest.version, &manifests[known].version) {
            Ordering::Greater => {
                best.insert(&manifest.type_name, i);
            }
            Ordering::Less => {}
            Ordering::Equal if manifest.is_alike(&manifests[known]) => {}
            Ordering::Equal => faults.push(second(manifest, &manifests[known])),
        }
    }
    let mut chosen: Vec<usize> = best.into_values().collect();
    chosen.sort_unstable();
    (chosen.into_iter().map(|i| &manifests[i]).collect(), faults)
}

fn second(manifest: &Manifest, first: &Manifest) -> Fault {
    let Manifest { type_name, version, .. } = manifest;
    let what =
        format!("{type_name} {version} is described by {}, too, and that is used", first.document.file);
    manifest.fault(&["version"], what, "remove one of them, or give the one to use a higher version")
}
