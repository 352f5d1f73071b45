//! One reading of a configuration: params, kinds, statements, recipes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::{Given, Reader, Surroundings};
use uphold_host::ConfigurationFiles;
use uphold_model::{Diagnostics, SourceId, Sources};

use crate::Result;
use crate::beside::BesideReader;
use crate::configuration::{Configuration, ConfigurationOrigin};
use crate::configuration_reader::ConfigurationReader;
use crate::given_params::GivenParams;
use crate::kind_files::{KindSearch, KindSources};
use crate::recipe::{Recipe, is_recipe};
use crate::saved_plan::{InputSort, Inputs};
use crate::surroundings::LocalSurroundings;
use crate::trusted_sources::untrusted;
use crate::watch::NotedSurroundings;

/// The texts that somebody named, and the directories that they are from.
pub(crate) struct Texts {
    configuration: Vec<(String, String)>,
    recipes: Vec<(String, String)>,
    directories: Vec<PathBuf>,
}

impl Texts {
    pub(crate) fn new(texts: Vec<(String, String)>, directories: Vec<PathBuf>) -> Self {
        let (recipes, configuration) = texts.into_iter().partition(|(name, _)| is_recipe(name));
        Self { configuration, recipes, directories }
    }
}

/// A reading that goes on.
pub(crate) struct Reading {
    reader: ConfigurationReader,
    files: Arc<ConfigurationFiles>,
    kinds: KindSources,
    surroundings: Arc<dyn Surroundings>,
    sources: Sources,
    /// How many texts were there before.
    before: usize,
    diagnostics: Diagnostics,
}

impl Reading {
    pub(crate) fn new(
        mut reader: ConfigurationReader,
        files: Arc<ConfigurationFiles>,
        kinds: KindSources,
    ) -> Result<Self> {
        let sources = std::mem::take(&mut reader.sources);
        let local = LocalSurroundings::new(reader.host.clone(), files.clone())?;
        let local = local.overlaid(reader.overlay.clone()).logged(reader.log.clone());
        let local = if let Some(time) = reader.time { local.at(time) } else { local };
        let mut surroundings: Arc<dyn Surroundings> = Arc::new(local);
        if let Some(notes) = &reader.notes {
            surroundings = Arc::new(NotedSurroundings::new(surroundings, notes.clone()));
        }
        let before = sources.iter().count();
        Ok(Self { reader, files, kinds, surroundings, sources, before, diagnostics: Diagnostics::default() })
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// If a file of params cannot be read.
    pub(crate) fn run(mut self, texts: Texts) -> Result<Configuration> {
        self.log(&texts);
        let surroundings = self.surroundings.clone();
        let Texts { configuration, recipes, directories } = texts;
        if directories.is_empty() {
            // Texts that were given are no files.
            self.before += configuration.len();
        } else {
            self.check_trusted(recipes.iter().map(|(name, _)| &**name));
        }
        let mut params = match recipes.is_empty() && self.reader.log.is_none() {
            true => GivenParams::declared_in([]),
            false => GivenParams::declared_in(configuration.iter().map(|(_, text)| &**text)),
        };
        let ids: Vec<SourceId> =
            configuration.into_iter().map(|(name, text)| self.sources.add(name, text)).collect();
        let mut given = self.given()?;
        let origin = self.reader.log.clone().map(|log| ConfigurationOrigin {
            inputs: Inputs::new(log, self.surroundings.clone()),
            params: params.by_hand(&given, !recipes.is_empty()),
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

    /// Refuses files that others can have written, if commands in them may run.
    fn check_trusted<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        if self.kinds.runs_programs() {
            self.diagnostics.extend(untrusted(&self.files, names));
        }
    }

    fn log(&self, texts: &Texts) {
        let Some(log) = &self.reader.log else { return };
        for (name, text) in texts.configuration.iter().chain(&texts.recipes) {
            log.note(InputSort::Text, name, Some(text.as_bytes()));
        }
    }

    fn given(&mut self) -> Result<Vec<Given>> {
        self.reader.given(&self.files, &self.surroundings, &mut self.sources, &mut self.diagnostics)
    }

    /// Statements and kinds. Modules bring kinds of their own, so kinds are defined when modules are read.
    fn read(mut self, ids: &[SourceId], given: Vec<Given>, directories: &[PathBuf]) -> Configuration {
        let ConfigurationReader { overlay, notes, log, .. } = &self.reader;
        let mut search =
            KindSearch::new(self.files.clone(), overlay.clone()).noted(notes.clone(), log.clone());
        directories.iter().for_each(|directory| search.beside(directory));
        search.in_named(&self.kinds);
        let known = self.kinds.compiled().iter().map(|kind| kind.schema().kind);
        let reader =
            Reader::new(self.surroundings.clone()).given(given).kinds(known.chain(search.script_kinds()));
        let before = self.sources.iter().count();
        let read = reader.read(&mut self.sources, ids);
        modules(&self.sources, before).iter().for_each(|directory| search.beside(directory));
        let names: Vec<String> =
            self.sources.iter().skip(self.before).map(|source| source.name.clone()).collect();
        self.check_trusted(names.iter().map(String::as_str));
        let (kinds, problems) = self.kinds.define(search, &mut self.sources);
        self.diagnostics.extend(read.diagnostics);
        self.diagnostics.extend(problems);
        Configuration {
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
    rest.extend(diagnostics.into_iter().filter(|problem| problem.summary != "unused param"));
    rest
}

/// The directories of modules: all texts that were added are theirs, but those of params.
fn modules(sources: &Sources, before: usize) -> BTreeSet<PathBuf> {
    let added = sources.iter().skip(before).map(|source| Path::new(&source.name));
    let of_modules = added.filter(|path| path.extension().is_some_and(|end| end == "hcl"));
    of_modules.filter_map(Path::parent).map(Path::to_owned).collect()
}
