//! One reading of a configuration: params, kinds, statements, recipes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::{Given, Reader, Surroundings};
use uphold_host::ConfigurationFiles;
use uphold_model::{Code, Diagnostics, SourceId, Sources};

use crate::Result;
use crate::beside::BesideReader;
use crate::configuration::Configuration;
use crate::configuration_reader::ConfigurationReader;
use crate::given_params::GivenParams;
use crate::kind_files::{KindSearch, KindSources};
use crate::recipe::{Recipe, is_recipe};
use crate::saved_plan::{Inputs, Origin};
use crate::surroundings::LocalSurroundings;
use crate::trusted_sources::untrusted;

/// The texts of a configuration, the paths that they were read from, and the directories of those.
pub(crate) struct Texts {
    configuration: Vec<(String, String)>,
    recipes: Vec<(String, String)>,
    paths: Vec<PathBuf>,
    directories: Vec<PathBuf>,
}

impl Texts {
    pub(crate) fn new(texts: Vec<(String, String)>, paths: Vec<PathBuf>, directories: Vec<PathBuf>) -> Self {
        let (recipes, configuration) = texts.into_iter().partition(|(name, _)| is_recipe(name));
        Self { configuration, recipes, paths, directories }
    }
}

/// A reading that goes on.
pub(crate) struct Reading {
    reader: ConfigurationReader,
    files: Arc<ConfigurationFiles>,
    surroundings: Arc<LocalSurroundings>,
    sources: Sources,
    /// How many texts were there before.
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

    /// Reads all of it.
    ///
    /// # Errors
    /// If a file of params cannot be read.
    pub(crate) fn run(mut self, texts: Texts) -> Result<Configuration> {
        let surroundings: Arc<dyn Surroundings> = self.surroundings.clone();
        let Texts { configuration, recipes, paths, directories } = texts;
        if directories.is_empty() {
            // Texts that were given are no files.
            self.before += configuration.len();
        } else {
            self.check_trusted(recipes.iter().map(|(name, _)| &**name));
        }
        let mut params = match recipes.is_empty() && !self.reader.keeps_origin {
            true => GivenParams::declared_in([]),
            false => GivenParams::declared_in(configuration.iter().map(|(_, text)| &**text)),
        };
        let ids: Vec<SourceId> =
            configuration.into_iter().map(|(name, text)| self.sources.add(name, text)).collect();
        let mut given = self.given()?;
        let log = self.reader.log.clone().filter(|_| self.reader.keeps_origin);
        let origin = log.map(|log| Origin {
            read_at: self.surroundings.began,
            directory: surroundings.current_directory().to_owned(),
            paths,
            params_files: self.reader.params_files.clone(),
            kinds: self.kinds().directories().to_owned(),
            params: params.by_hand(&given, !recipes.is_empty()),
            inputs: Inputs::new(log, surroundings.clone()),
        });
        if !recipes.is_empty() {
            given = params.take_loose(given);
        }
        let mut configuration = self.read(&ids, given, &directories);
        configuration.origin = origin;
        if !recipes.is_empty() {
            configuration.diagnostics = without_unused_params(configuration.diagnostics);
        }
        for (name, text) in recipes {
            let params = params.values(&configuration.console, &mut configuration.sources);
            Recipe { name, text, params }.add(&mut configuration);
        }
        let Configuration { sources, kinds, statements, .. } = &mut configuration;
        BesideReader::new(sources, kinds, &surroundings).read(statements);
        tracing::info!(texts = sources.iter().count(), statements = statements.len(), "configuration read");
        Ok(configuration)
    }

    fn kinds(&self) -> &KindSources {
        &self.reader.engine.kinds
    }

    /// Refuses files that others can have written, if commands in them may run.
    fn check_trusted<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        if self.kinds().runs_programs() {
            self.diagnostics.extend(untrusted(&self.files, names));
        }
    }

    fn given(&mut self) -> Result<Vec<Given>> {
        let surroundings: Arc<dyn Surroundings> = self.surroundings.clone();
        self.reader.given(&self.files, &surroundings, &mut self.sources, &mut self.diagnostics)
    }

    /// Statements and kinds. Modules bring kinds of their own, so kinds are defined when modules are read.
    fn read(mut self, ids: &[SourceId], given: Vec<Given>, directories: &[PathBuf]) -> Configuration {
        let ConfigurationReader { engine, overlay, log, .. } = &self.reader;
        let mut search = KindSearch::new(self.files.clone(), overlay.clone()).logged(log.clone());
        directories.iter().for_each(|directory| search.beside(directory));
        search.in_named(&engine.kinds);
        let known = engine.kinds().iter().map(|kind| kind.schema().kind);
        let reader =
            Reader::new(self.surroundings.clone()).given(given).kinds(known.chain(search.script_kinds()));
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
        }
    }
}

/// Which params a recipe uses is known when it runs.
fn without_unused_params(diagnostics: Diagnostics) -> Diagnostics {
    let mut rest = Diagnostics::default();
    rest.extend(diagnostics.into_iter().filter(|problem| problem.code != Code::UnusedParam));
    rest
}

/// The directories of modules: all texts that were added are theirs, but those of params.
fn modules(sources: &Sources, before: usize) -> BTreeSet<PathBuf> {
    let added = sources.iter().skip(before).map(|source| Path::new(&source.name));
    let of_modules = added.filter(|path| path.extension().is_some_and(|end| end == "hcl"));
    of_modules.filter_map(Path::parent).map(Path::to_owned).collect()
}
