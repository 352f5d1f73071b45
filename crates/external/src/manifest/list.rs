//! Files of manifests: one in each, or several.

use std::path::Path;
use std::sync::Arc;

use super::content::Manifest;
use crate::document::{Document, Fault, Spot};

/// How files end that hold one manifest, and how those end that hold several.
const SINGLE: [&str; 2] = [".dsc.resource", ".dsc.adaptedResource"];
const SEVERAL: &str = ".dsc.manifests";
const FORMATS: [&str; 3] = [".json", ".yaml", ".yml"];

/// Whether a file of this name holds manifests: `NAME.dsc.resource.json`, `NAME.dsc.adaptedResource.json` or
/// `NAME.dsc.manifests.json`, or any of them in YAML.
pub fn is_manifest(file_name: &str) -> bool {
    stem(file_name).is_some_and(|stem| {
        SINGLE.iter().chain([&SEVERAL]).any(|end| stem.strip_suffix(end).is_some_and(|name| !name.is_empty()))
    })
}

fn stem(file_name: &str) -> Option<&str> {
    FORMATS.iter().find_map(|format| file_name.strip_suffix(format))
}

/// The manifests in a file. `file` is its name as people know it, and `directory` the absolute path of the directory
/// that holds it.
///
/// Of a file of several, extensions are passed over, as files of those are.
///
/// # Errors
/// Every manifest that cannot be used, each with its first mistake.
pub fn read_manifests(file: &str, text: &str, directory: &Path) -> Result<Vec<Manifest>, Vec<Fault>> {
    let document = Arc::new(Document::read(file, text).map_err(|fault| vec![fault])?);
    let whole = Spot::whole(&document);
    let spots = match stem(file).is_some_and(|stem| stem.ends_with(SEVERAL)) {
        true => listed(&whole).map_err(|fault| vec![fault])?,
        false => vec![whole],
    };
    let mut manifests = Vec::new();
    let mut faults = Vec::new();
    for spot in spots {
        match Manifest::read(&document, &spot, directory) {
            Ok(manifest) => manifests.push(manifest),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(manifests) } else { Err(faults) }
}

fn listed<'a>(whole: &Spot<'a>) -> Result<Vec<Spot<'a>>, Fault> {
    let lists = ["resources", "adaptedResources"].into_iter().filter_map(|key| whole.get(key));
    let lists: Vec<_> = lists.map(|list| list.items()).collect::<Result<_, _>>()?;
    Ok(lists.concat())
}
