//! Where kinds come from.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Diagnostics, Sources};
use uphold_resource::Registry;

use super::cache::KindCache;
use super::definer::define;
use super::search::KindSearch;

/// Where the kinds of a configuration come from: those that are part of the program, and directories with files of kinds
/// besides those that each configuration brings. Clones share what was defined.
#[derive(Clone)]
pub struct KindSources {
    compiled: Registry,
    directories: Vec<PathBuf>,
    cache: Arc<KindCache>,
}

/// Kinds that were read from files.
pub struct KindReading {
    /// Those of the program and those of the files, as far as they are sound.
    pub kinds: Registry,
    /// The texts of files with mistakes, and of those that were read with them.
    pub sources: Sources,
    /// What is wrong with the files.
    pub diagnostics: Diagnostics,
}

impl Default for KindSources {
    fn default() -> Self {
        Self::new(crate::kinds())
    }
}

impl KindSources {
    /// These kinds of the program, and no directory.
    pub fn new(compiled: Registry) -> Self {
        Self { compiled, directories: Vec::new(), cache: Arc::default() }
    }

    /// One more directory, which must be there.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directories.push(path.into());
        self
    }

    /// The kinds that are part of the program.
    pub fn compiled(&self) -> &Registry {
        &self.compiled
    }

    /// The directories that were named.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The kinds of the program and of what was found. Texts are added to `sources` if they have to be defined.
    pub(crate) fn define(&self, search: KindSearch, sources: &mut Sources) -> (Registry, Diagnostics) {
        let KindSearch { found, mut diagnostics, .. } = search;
        if found.is_empty() {
            return (self.compiled.clone(), diagnostics);
        }
        if let Some(kinds) = self.cache.get(&found) {
            return (kinds, diagnostics);
        }
        let mut kinds = self.compiled.clone();
        let problems = define(&found, &mut kinds, sources);
        if problems.is_empty() {
            self.cache.put(&found, kinds.clone());
        }
        diagnostics.extend(problems);
        (kinds, diagnostics)
    }
}
