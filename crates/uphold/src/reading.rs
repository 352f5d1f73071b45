//! One reading of a configuration: params, kinds, statements, recipes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::{Given, Reader, Surroundings};
use uphold_host::{ConfigurationFiles, check_trusted};
use uphold_model::{Code, Diagnostic, Diagnostics, Map, SourceId, SourceText, Sources};
use uphold_resource::{Error, ErrorKind};

use crate::Result;
use crate::beside::read_source_files;
use crate::configuration::Configuration;
use crate::configuration_reader::ConfigurationReader;
use crate::given_params::GivenParams;
use crate::kind_files::{KindSearch, KindSources, is_script};
use crate::luau::{self, ScriptFile};
use crate::saved_plan::{Inputs, Origin};
use crate::surroundings::LocalSurroundings;

/// A reading in progress.
pub(crate) struct Reading {
    reader: ConfigurationReader,
    files: Arc<ConfigurationFiles>,
    surroundings: Arc<LocalSurroundings>,
    sources: Sources,
    /// The number of sources before.
    before: usize,
    diagnostics: Diagnostics,
}

impl Reading {
    pub(crate) fn new(
        reader: ConfigurationReader,
        files: Arc<ConfigurationFiles>,
        sources: Sources,
    ) -> Result<Self> {
        let surroundings = Arc::new(reader.surroundings(files.clone())?);
        let before = sources.iter().count();
        Ok(Self { reader, files, surroundings, sources, before, diagnostics: Diagnostics::default() })
    }

    /// Reads the texts of these paths in these directories; texts without directories are no files.
    ///
    /// # Errors
    /// If a params file cannot be read.
    pub(crate) fn run(
        mut self,
        texts: Vec<(String, SourceText)>,
        paths: Vec<PathBuf>,
        directories: &[PathBuf],
    ) -> Result<Configuration> {
        let surroundings: Arc<dyn Surroundings> = self.surroundings.clone();
        let (recipes, configuration): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|(name, _)| is_script(name));
        if directories.is_empty() {
            self.before += configuration.len();
        } else {
            self.check_trusted(recipes.iter().map(|(name, _)| &**name));
        }
        let needed = !recipes.is_empty() || self.reader.keeps_origin;
        let mut params =
            GivenParams::declared_in(configuration.iter().filter(|_| needed).map(|(_, text)| &**text));
        let ids: Vec<SourceId> =
            configuration.into_iter().map(|(name, text)| self.sources.add(name, text)).collect();
        let mut given = self.given()?;
        let log = self.reader.log.clone().filter(|_| self.reader.keeps_origin);
        let origin = log.map(|log| Origin {
            read_at: self.surroundings.began,
            directory: surroundings.current_directory().to_owned(),
            paths,
            params_files: self.reader.params_files.clone(),
            kinds: self.kinds().directories.clone(),
            params: params.by_hand(&given, !recipes.is_empty()),
            inputs: Inputs::new(log, surroundings.clone()),
        });
        if !recipes.is_empty() {
            given = params.take_loose(given);
        }
        let mut configuration = self.read(&ids, given, directories);
        configuration.origin = origin;
        if !recipes.is_empty() {
            configuration.diagnostics = without_unused_params(configuration.diagnostics);
        }
        for (name, text) in recipes {
            let params = params.values(&configuration.console, &mut configuration.sources);
            add_recipe(&mut configuration, &name, text, params);
        }
        let Configuration { sources, kinds, statements, .. } = &mut configuration;
        read_source_files(statements, sources, kinds, &surroundings);
        tracing::info!(texts = sources.iter().count(), statements = statements.len(), "configuration read");
        Ok(configuration)
    }

    fn kinds(&self) -> &KindSources {
        &self.reader.engine.kinds
    }

    /// Rejects files that other users can write, if their commands may run.
    fn check_trusted<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        if self.kinds().runs_programs {
            self.diagnostics.extend(untrusted(&self.files, names));
        }
    }

    fn given(&mut self) -> Result<Vec<Given>> {
        let surroundings: Arc<dyn Surroundings> = self.surroundings.clone();
        self.reader.given(&self.files, &surroundings, &mut self.sources, &mut self.diagnostics)
    }

    /// Reads statements and kinds. Modules have kinds of their own, so kinds are defined after the modules are read.
    fn read(mut self, ids: &[SourceId], given: Vec<Given>, directories: &[PathBuf]) -> Configuration {
        let ConfigurationReader { engine, overlay, log, .. } = &self.reader;
        let mut search = KindSearch::new(self.files.clone(), overlay.clone());
        search.log.clone_from(log);
        directories.iter().for_each(|directory| search.beside(directory));
        search.in_named(&engine.kinds);
        let known = engine.kinds().iter().map(|kind| kind.schema().kind);
        let reader =
            Reader::new(self.surroundings.clone()).given(given).kinds(known.chain(search.script_kinds()));
        let threads = engine.core.concurrency();
        let reader = if self.reader.until_exit { reader.until_exit(threads) } else { reader };
        let before = self.sources.iter().count();
        let read = reader.read(&mut self.sources, ids);
        modules(&self.sources, before).iter().for_each(|directory| search.beside(directory));
        let names: Vec<String> =
            self.sources.iter().skip(self.before).map(|source| source.name.clone()).collect();
        self.check_trusted(names.iter().map(String::as_str));
        let (kinds, problems) = self.reader.engine.kinds.define(search, &mut self.sources);
        self.diagnostics.extend(read.diagnostics);
        self.diagnostics.extend(problems);
        Configuration {
            engine: self.reader.engine,
            sources: self.sources,
            statements: read.statements,
            kinds,
            diagnostics: self.diagnostics,
            console: read.console,
            origin: None,
            until_exit: self.reader.until_exit,
        }
    }
}

/// The params that a recipe uses are known only when it runs.
fn without_unused_params(diagnostics: Diagnostics) -> Diagnostics {
    let mut rest = Diagnostics::default();
    rest.extend(diagnostics.into_iter().filter(|problem| problem.code != Code::UnusedParam));
    rest
}

/// The directories of modules: all added sources, except params files.
fn modules(sources: &Sources, before: usize) -> BTreeSet<PathBuf> {
    let added = sources.iter().skip(before).map(|source| Path::new(&source.name));
    let of_modules = added.filter(|path| path.extension().is_some_and(|end| end == "hcl"));
    of_modules.filter_map(Path::parent).map(Path::to_owned).collect()
}

/// Adds a recipe to a configuration: its text, its kind, its statements and its errors.
fn add_recipe(configuration: &mut Configuration, name: &str, text: SourceText, params: Map) {
    let source = configuration.sources.add(name, text);
    let text = configuration.sources.get(source).text.clone();
    let file = ScriptFile { name, source, text: &text };
    match luau::recipe(&file, params, &mut configuration.kinds) {
        Ok(statements) => configuration.statements.extend(statements),
        Err(problems) => configuration.diagnostics.extend(problems),
    }
}

/// An error for each of these files that users other than root and this one can write: a run would execute their commands
/// with our privileges. One error for all files of an untrusted directory.
fn untrusted<'a>(files: &ConfigurationFiles, names: impl Iterator<Item = &'a str>) -> Diagnostics {
    let mut errors = Diagnostics::default();
    let (mut checked, mut refused): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = Default::default();
    for name in names.filter(|name| !files.is_stream(Path::new(name))) {
        let Ok(path) = files.on_disk(Path::new(name)) else { continue };
        // Without the `.` of `./site.hcl`.
        let path: PathBuf = path.components().collect();
        let directory = path.parent().unwrap_or(Path::new("/")).to_owned();
        if checked.insert(directory.clone())
            && let Err(error) = check_trusted(&directory)
        {
            refused.insert(directory.clone());
            errors.extend(refusal(&error));
        }
        if !refused.contains(&directory) && checked.insert(path.clone()) {
            errors.extend(check_trusted(&path).err().and_then(|error| refusal(&error)));
        }
    }
    errors
}

/// A missing file was given as text.
fn refusal(error: &Error) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::ConfigurationNotTrusted, error.chain());
    let fix = error.advice().unwrap_or("copy it to a directory that only you and root can write");
    (error.kind() != ErrorKind::Missing).then(|| diagnostic.fix(fix))
}
