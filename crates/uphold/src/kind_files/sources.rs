//! Where kinds come from.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_external::Fault;
use uphold_model::{Diagnostics, Sources};
use uphold_resource::Registry;

use super::cache::KindCache;
use super::definer::{define, warnings};
use super::kind_file::KindFile;
use super::search::KindSearch;

/// Where the kinds of a configuration come from: those that are part of the program, and directories with files of kinds
/// besides those that each configuration brings. Clones share what was defined.
#[derive(Clone)]
pub(crate) struct KindSources {
    compiled: Registry,
    directories: Vec<PathBuf>,
    programs: bool,
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

impl KindSources {
    /// These kinds of the program, and these directories, which must exist.
    pub(crate) fn new(compiled: Registry, directories: Vec<PathBuf>) -> Self {
        Self { compiled, directories, programs: true, cache: Arc::default() }
    }

    /// The same sources for a command that must not run anything.
    pub(crate) fn without_programs(self) -> Self {
        Self { programs: false, cache: Arc::default(), ..self }
    }

    /// Whether commands of the configuration and programs of kinds may run.
    pub(crate) fn runs_programs(&self) -> bool {
        self.programs
    }

    /// The kinds that are part of the program.
    pub(crate) fn compiled(&self) -> &Registry {
        &self.compiled
    }

    /// The directories that were named.
    pub(crate) fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The kinds of the program and of what was found. Texts are added to `sources` if they have to be defined.
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
        let outcome = define(found, self.programs, &mut kinds, sources);
        tracing::info!(files = found.len(), errors = outcome.errors.iter().count(), "kinds loaded");
        if outcome.errors.is_empty() {
            self.cache.put(found, kinds.clone(), outcome.faults.clone());
        }
        diagnostics.extend(outcome.errors);
        (kinds, outcome.faults)
    }
}
