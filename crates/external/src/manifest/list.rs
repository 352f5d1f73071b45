//! Manifest files: with one manifest or several.

use std::path::Path;
use std::sync::Arc;

use super::content::Manifest;
use super::naming::{candidates, snake_case};
use crate::document::{Document, Fault, Located};

/// Suffixes of files with one manifest, and with several.
const SINGLE: [&str; 2] = [".dsc.resource", ".dsc.adaptedResource"];
const SEVERAL: &str = ".dsc.manifests";
const FORMATS: [&str; 3] = [".json", ".yaml", ".yml"];

/// Whether a file of this name contains manifests: `NAME.dsc.resource.json`, `NAME.dsc.adaptedResource.json` or
/// `NAME.dsc.manifests.json`, or any of them in YAML.
pub fn is_manifest(file_name: &str) -> bool {
    stem(file_name).is_some_and(|stem| {
        SINGLE.iter().chain([&SEVERAL]).any(|end| stem.strip_suffix(end).is_some_and(|name| !name.is_empty()))
    })
}

fn stem(file_name: &str) -> Option<&str> {
    FORMATS.iter().find_map(|format| file_name.strip_suffix(format))
}

/// The manifests in a file, and the first fault of each invalid one. `file` is its name in messages, and `directory`
/// the absolute path of its directory.
///
/// Extensions in a file of several manifests are ignored, as extension files are.
pub fn read_manifests(file: &str, text: &str, directory: &Path) -> (Vec<Manifest>, Vec<Fault>) {
    let (mut manifests, mut faults) = (Vec::new(), Vec::new());
    let document = match Document::read(file, text) {
        Ok(document) => Arc::new(document),
        Err(fault) => return (manifests, vec![fault.of_kinds(named_by_file(file))]),
    };
    let whole = Located::whole(&document);
    let spots =
        if stem(file).is_some_and(|stem| stem.ends_with(SEVERAL)) { listed(&whole) } else { Ok(vec![whole]) };
    let spots = spots.unwrap_or_else(|fault| {
        faults.push(fault);
        Vec::new()
    });
    for located in spots {
        match Manifest::read(&document, &located, directory) {
            Ok(manifest) => manifests.push(manifest),
            Err(fault) => faults.push(fault.of_kinds(kinds_at(&located, file))),
        }
    }
    (manifests, faults)
}

/// The possible kind names of an unusable manifest.
fn kinds_at(located: &Located<'_>, file: &str) -> Vec<String> {
    let text = |pointer: &str| located.json.pointer(pointer).and_then(|json| json.as_str());
    match (text("/metadata/uphold/kind"), text("/type")) {
        (Some(kind), _) => vec![kind.to_owned()],
        (None, Some(type_name)) => candidates(type_name),
        (None, None) => named_by_file(file),
    }
}

fn named_by_file(file: &str) -> Vec<String> {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.and_then(manifest_kind).into_iter().collect()
}

/// The kind that a manifest in a file of this name probably defines, as far as the file name tells: `text_file` for
/// `TextFile.dsc.resource.json`.
pub fn manifest_kind(file_name: &str) -> Option<String> {
    let stem = stem(file_name)?;
    SINGLE.iter().find_map(|end| stem.strip_suffix(end)).map(snake_case)
}

fn listed<'a>(whole: &Located<'a>) -> Result<Vec<Located<'a>>, Fault> {
    let lists = ["resources", "adaptedResources"].into_iter().filter_map(|key| whole.get(key));
    let lists: Vec<_> = lists.map(|list| list.items()).collect::<Result<_, _>>()?;
    Ok(lists.concat())
}
