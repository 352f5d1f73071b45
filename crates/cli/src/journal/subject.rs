//! The configuration of a run, as the journal names it.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use uphold::is_configuration;
use uphold::journal::{Run, text_digest};
use uphold::model::{SourceText, Sources};
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
        Self::find(input.paths(), params, session)
    }

    /// The configuration of a saved plan.
    pub(crate) fn of_plan(plan: &SavedPlan, session: &Session) -> Self {
        let params = plan.params().map(|(name, _)| name.to_owned()).collect();
        Self::find(plan.paths().iter().map(PathBuf::from).collect(), params, session)
    }

    /// The configuration of these paths. If it was applied only by its other spelling, a directory or all files of it, it is
    /// named by that one: otherwise its resources would seem to be new.
    fn find(paths: Vec<PathBuf>, params: Vec<String>, session: &Session) -> Self {
        let subject = Self::of_paths(paths, params).in_root_of(session);
        let records = session.journal().ok().and_then(|journal| journal.records());
        let Some(records) = records else { return subject };
        if subject.name.is_empty() || records.last_set(&subject.name).is_ok_and(|set| set.is_some()) {
            return subject;
        }
        let Some(paths) = other_spelling(&subject.paths) else { return subject };
        let other = Self::of_paths(paths, subject.params.clone()).in_root_of(session);
        let Ok((applied, _)) = records.read_applied() else { return subject };
        let is_recorded = |subject: &Self| applied.of_configuration(&subject.name).next().is_some();
        if !is_recorded(&subject) && is_recorded(&other) { other } else { subject }
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

    /// Its files and directories, without links.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The paths, for messages and records.
    pub(crate) fn shown_paths(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.display().to_string()).collect()
    }
}

/// The files of a directory, or the directory that contains exactly these files.
fn other_spelling(paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let first = paths.first()?;
    if let ([_], Some(files)) = (paths, files_of(first)) {
        return (!files.is_empty()).then_some(files);
    }
    let directory = first.parent()?;
    (files_of(directory)? == paths).then(|| vec![directory.to_owned()])
}

/// The files of a configuration in a directory, without links. None if it is no directory.
#[expect(clippy::disallowed_methods, reason = "a configuration is on this machine, whatever is managed")]
fn files_of(directory: &Path) -> Option<Vec<PathBuf>> {
    let names =
        std::fs::read_dir(directory).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let files = names.filter(|name| is_configuration(name)).map(|name| directory.join(name));
    let mut files: Vec<PathBuf> = files.map(|path| path.canonicalize().unwrap_or(path)).collect();
    files.sort();
    Some(files)
}

/// A shorter configuration is hashed faster than a thread starts.
const LONG: usize = 1 << 20;

/// The digest of the texts of a configuration. That of a long one is computed while the configuration is checked.
pub(crate) enum SourcesDigest {
    Known(String),
    Computing(JoinHandle<String>),
}

impl SourcesDigest {
    /// Begins to compute it.
    #[expect(clippy::disallowed_methods, reason = "it only computes a value that is waited for")]
    pub(crate) fn begin(sources: &Sources) -> Self {
        let texts: Vec<(String, SourceText)> =
            sources.iter().map(|source| (source.name.clone(), source.text.clone())).collect();
        let length: usize = texts.iter().map(|(_, text)| text.as_str().len()).sum();
        let compute = move || text_digest(texts.iter().map(|(name, text)| (&**name, text.as_str())));
        if length < LONG {
            return Self::Known(compute());
        }
        let thread = thread::Builder::new().name("digest".to_owned()).spawn(compute);
        thread.map_or_else(|_| Self::of(sources), Self::Computing)
    }

    fn of(sources: &Sources) -> Self {
        Self::Known(text_digest(sources.iter().map(|source| (&*source.name, source.text.as_str()))))
    }

    /// The digest, when it is known.
    pub(super) fn get(self) -> String {
        match self {
            Self::Known(digest) => digest,
            // It cannot panic; without a digest, the run is recorded all the same.
            Self::Computing(thread) => thread.join().unwrap_or_default(),
        }
    }
}
