//! The configuration of a run, as the journal names it.

use std::path::PathBuf;

use uphold::journal::Run;
use uphold::model::Sources;
use uphold::saved_plan::SavedPlan;

use crate::{Input, Session};

/// The configuration of a run.
#[derive(Default)]
pub(crate) struct Subject {
    /// Its paths, or `demo`, with the root if others may use the same journal. Empty for standard input. The resources of one
    /// subject are never those of another.
    pub(crate) name: String,
    /// Its files and directories, without links.
    pub(super) paths: Vec<PathBuf>,
    /// The names of the params that were given.
    pub(super) params: Vec<String>,
    /// The run that this one undoes.
    pub(super) undoes: Option<u64>,
}

impl Subject {
    /// The configuration of the command line.
    pub(crate) fn of_input(input: &Input, session: &Session) -> Self {
        let params = input.param.iter().map(|(name, _)| name.clone()).collect();
        if input.demo {
            return Self { name: "demo".to_owned(), params, ..Self::default() }.in_root_of(session);
        }
        Self::of_paths(input.paths(), params).in_root_of(session)
    }

    /// The configuration of a saved plan.
    pub(crate) fn of_plan(plan: &SavedPlan, session: &Session) -> Self {
        let params = plan.params().map(|(name, _)| name.to_owned()).collect();
        Self::of_paths(plan.paths().iter().map(PathBuf::from).collect(), params).in_root_of(session)
    }

    /// In a state directory that several roots may share, each root has its own records.
    fn in_root_of(mut self, session: &Session) -> Self {
        let root = session.root_of_runs().ok().flatten();
        if let Some(root) = root.filter(|root| root != "/" && !self.name.is_empty()) {
            self.name += &format!(" in {root}");
        }
        self
    }

    /// A run that brings previous states back. Its declarations are not those of the configuration, so they have a name of
    /// their own.
    pub(crate) fn of_undo(run: &Run, undoes: Option<u64>) -> Self {
        let paths = run.begin.paths.iter().map(PathBuf::from).collect();
        Self { name: "undo".to_owned(), paths, undoes, ..Self::default() }
    }

    #[expect(clippy::disallowed_methods, reason = "a configuration is on this machine, whatever is managed")]
    fn of_paths(paths: Vec<PathBuf>, params: Vec<String>) -> Self {
        let files = paths.into_iter().filter(|path| path.as_os_str() != "-");
        let mut paths: Vec<PathBuf> = files.map(|path| path.canonicalize().unwrap_or(path)).collect();
        paths.sort();
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        Self { name: names.join(":"), paths, params, undoes: None }
    }

    /// The paths, for messages and records.
    pub(crate) fn shown_paths(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.display().to_string()).collect()
    }
}

/// The digest of the texts of a configuration.
pub(super) fn digest(sources: &Sources) -> String {
    uphold::journal::text_digest(sources.iter().map(|source| (&*source.name, source.text.as_str())))
}
