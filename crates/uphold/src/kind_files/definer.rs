//! From files to kinds.

use std::collections::BTreeMap;

use uphold_model::{Diagnostics, SourceId, Sources};
use uphold_resource::Registry;
use uphold_script::ScriptFile;

use super::kind_file::{KindFile, taken};

/// Adds the kinds of these files. What is wrong is told; of two kinds of one name the first is there.
pub(super) fn define(files: &[KindFile], kinds: &mut Registry, sources: &mut Sources) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    let ids: Vec<SourceId> =
        files.iter().map(|file| sources.add(file.name.as_str(), file.text.as_str())).collect();
    let scripts = scripts(files, &ids, kinds, &mut diagnostics);
    let texts: Vec<ScriptFile<'_>> = scripts.values().copied().collect();
    diagnostics.extend(uphold_script::define(&texts, kinds));
    for (kind, file) in scripts {
        kinds.note_file(kind, file.name);
    }
    diagnostics
}

/// The scripts by the names of their kinds, which are free.
fn scripts<'f>(
    files: &'f [KindFile],
    ids: &[SourceId],
    kinds: &Registry,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<&'f str, ScriptFile<'f>> {
    let mut scripts: BTreeMap<&str, ScriptFile<'_>> = BTreeMap::new();
    for (file, source) in files.iter().zip(ids) {
        let Some(kind) = file.script_kind() else { continue };
        let other = kinds.get(kind).map(uphold_resource::Kind::defined_in);
        match other.or_else(|| scripts.get(kind).map(|first| Some(first.name))) {
            Some(before) => diagnostics.push(taken(kind, before, &file.name, *source)),
            None => {
                _ = scripts.insert(kind, ScriptFile { name: &file.name, source: *source, text: &file.text })
            }
        }
    }
    scripts
}
