//! The sources of kinds, and a cache of the kinds that files define.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use uphold_external::Fault;
use uphold_model::{Diagnostics, Mutex, Sources};
use uphold_resource::Registry;

use super::definer::{define, warnings};
use super::search::{KindFile, KindSearch};

/// The kinds that are compiled in, and directories of kind files for all configurations. Clones share a cache.
#[derive(Clone)]
pub(crate) struct KindSources {
    /// The kinds that are compiled in.
    pub(crate) compiled: Registry,
    pub(crate) directories: Vec<PathBuf>,
    /// Whether commands of the configuration and programs of kinds may run.
    pub(crate) runs_programs: bool,
    cache: Arc<KindCache>,
}

/// Kinds that were read from files.
pub struct KindReading {
    /// The compiled kinds, and the valid ones of the files.
    pub kinds: Registry,
    /// The source texts of the diagnostics.
    pub sources: Sources,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl KindSources {
    pub(crate) fn new(compiled: Registry, directories: Vec<PathBuf>) -> Self {
        Self { compiled, directories, runs_programs: true, cache: Arc::default() }
    }

    /// The same sources for a command that must not run programs.
    pub(crate) fn without_programs(self) -> Self {
        Self { runs_programs: false, cache: Arc::default(), ..self }
    }

    /// The compiled kinds and those of the found files. Their texts are added to `sources`, unless they are cached.
    pub(crate) fn define(&self, search: KindSearch, sources: &mut Sources) -> (Registry, Diagnostics) {
        let KindSearch { found, refused, mut diagnostics, .. } = search;
        let (mut kinds, faults) = self.defined(&found, sources, &mut diagnostics);
        refused.into_iter().for_each(|(kind, reason)| kinds.note_unusable(&kind, reason));
        diagnostics.extend(warnings(&faults, &found, sources));
        (kinds, diagnostics)
    }

    fn defined(
        &self,
        found: &[KindFile],
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> (Registry, Vec<Fault>) {
        if found.is_empty() {
            return (self.compiled.clone(), Vec::new());
        }
        if let Some(known) = self.cache.get(found) {
            return known;
        }
        let mut kinds = self.compiled.clone();
        let (errors, faults) = define(found, self.runs_programs, &mut kinds, sources);
        tracing::info!(files = found.len(), errors = errors.iter().count(), "kinds loaded");
        if errors.is_empty() {
            self.cache.put(found, kinds.clone(), faults.clone());
        }
        diagnostics.extend(errors);
        (kinds, faults)
    }
}

/// The most sets of files in the cache: an editor has a few configurations open, a watch has one.
const MOST: usize = 16;

/// A cache of the kinds of files. The same files have identical kinds, so that a watch can see what did not change, and a
/// program that prints a schema runs once.
#[derive(Default)]
pub(super) struct KindCache(Mutex<BTreeMap<Vec<String>, Known>>);

struct Known {
    texts: Vec<String>,
    kinds: Registry,
    /// The errors of invalid manifests.
    faults: Vec<Fault>,
}

impl KindCache {
    /// The cached kinds and manifest errors of these files. A program that failed runs again.
    pub(super) fn get(&self, files: &[KindFile]) -> Option<(Registry, Vec<Fault>)> {
        let known = self.0.lock();
        let same = known.get(&names(files))?;
        let is_same = same.texts.iter().eq(files.iter().map(|file| &file.text));
        (is_same && !same.kinds.has_failed()).then(|| (same.kinds.clone(), same.faults.clone()))
    }

    pub(super) fn put(&self, files: &[KindFile], kinds: Registry, faults: Vec<Fault>) {
        let texts = files.iter().map(|file| file.text.clone()).collect();
        let mut known = self.0.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(names(files), Known { texts, kinds, faults });
    }
}

fn names(files: &[KindFile]) -> Vec<String> {
    files.iter().map(|file| file.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> KindFile {
        let (name, text) = (name.to_owned(), text.to_owned());
        KindFile { name, directory: "/d".into(), text, is_library: false }
    }

    #[test]
    fn only_equal_files_are_cached() {
        let cache = KindCache::default();
        let files = [file("kinds/a.luau", "1"), file("kinds/b.luau", "2")];
        assert!(cache.get(&files).is_none());
        cache.put(&files, Registry::default(), Vec::new());
        assert!(cache.get(&files).is_some());
        assert!(cache.get(&files[..1]).is_none());
        assert!(cache.get(&[file("kinds/a.luau", "1"), file("kinds/b.luau", "3")]).is_none());
        assert!(cache.get(&[file("kinds/a.luau", "1"), file("more/b.luau", "2")]).is_none());
    }

    #[test]
    fn the_cache_is_bounded() {
        let cache = KindCache::default();
        for number in 0..100 {
            cache.put(&[file(&format!("{number}.luau"), "")], Registry::default(), Vec::new());
        }
        assert!(cache.0.lock().len() <= MOST);
        assert!(cache.get(&[file("99.luau", "")]).is_some());
    }
}
