//! Reading a configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{Given, GivenValue, Origin, Surroundings, read_params};
use uphold_host::ConfigurationFiles;
use uphold_model::{Diagnostics, Sources};
use uphold_resource::Machine;

use crate::Result;
use crate::configuration::Configuration;
use crate::kind_files::{KindReading, KindSearch, KindSources};
use crate::overlay::Overlay;
use crate::reading::{Reading, Texts};
use crate::saved_plan::{InputLog, InputSort};
use crate::surroundings::LocalSurroundings;
use crate::watch::Notes;

/// How variables of the environment that set params begin.
pub(crate) const VARIABLES: &str = uphold_host::PARAM_VARIABLES;

/// Reads a configuration, with params from outside.
///
/// A param set by [`ConfigurationReader::param`] is stronger than `UPHOLD_PARAM_NAME` in the environment, which is
/// stronger than a file of params. Of two of one sort the later counts.
pub struct ConfigurationReader {
    pub(crate) host: Machine,
    /// None for the kinds that ship, which are made when they are needed.
    kinds: Option<KindSources>,
    params: Vec<(String, String)>,
    given: Vec<Given>,
    params_files: Vec<PathBuf>,
    pub(crate) sources: Sources,
    pub(crate) overlay: Arc<Overlay>,
    /// Whether params in the environment count.
    sealed: bool,
    pub(crate) time: Option<SystemTime>,
    pub(crate) log: Option<Arc<InputLog>>,
    pub(crate) notes: Option<Arc<Notes>>,
}

impl ConfigurationReader {
    pub(crate) fn new(host: Machine) -> Self {
        Self {
            host,
            kinds: None,
            params: Vec::new(),
            given: Vec::new(),
            params_files: Vec::new(),
            sources: Sources::default(),
            overlay: Arc::default(),
            sealed: false,
            time: None,
            log: None,
            notes: None,
        }
    }

    /// Takes kinds from here; from those that ship unless set. Files of kinds beside the configuration count in any case.
    #[must_use]
    pub fn kinds(self, kinds: KindSources) -> Self {
        Self { kinds: Some(kinds), ..self }
    }

    /// Sets a param. What the text means is up to the type of the param.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.params.push((name.into(), value.into()));
        self
    }

    /// Sets params to values. The strongest of all.
    pub(crate) fn values(self, given: Vec<Given>) -> Self {
        Self { given, ..self }
    }

    /// Adds what is read to these texts, so that places in all of them can be told together.
    pub(crate) fn beside(self, sources: Sources) -> Self {
        Self { sources, ..self }
    }

    /// Takes params from a file: HCL, JSON or YAML, by the end of its name.
    #[must_use]
    pub fn params_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.params_files.push(path.into());
        self
    }

    /// Takes this text for the file at `path`, whatever is on the disk, and also if nothing is. Holds for modules and
    /// files of kinds, too. The path is meant as it is reached: absolute if those given to
    /// [`ConfigurationReader::read`] are.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        Arc::make_mut(&mut self.overlay).add(path.into(), text.into());
        self
    }

    /// Takes no params from the environment.
    #[must_use]
    pub fn sealed(self) -> Self {
        Self { sealed: true, ..self }
    }

    /// Takes this for the time at which the command was started.
    #[must_use]
    pub fn at(self, time: SystemTime) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Notes what is read, for a plan that is saved. Costs a digest of every file.
    #[must_use]
    pub fn logged(self) -> Self {
        Self { log: Some(Arc::default()), ..self }
    }

    /// Notes what is read, for a watch.
    pub(crate) fn noted(self, notes: Arc<Notes>) -> Self {
        Self { notes: Some(notes), ..self }
    }

    /// What a configuration would see.
    pub(crate) fn surroundings(self) -> Result<LocalSurroundings> {
        let local = LocalSurroundings::new(self.host, Arc::new(ConfigurationFiles::new()))?;
        Ok(local.overlaid(self.overlay))
    }

    /// Reads files; of a directory, every `.hcl` file in it that is no test; `-` is standard input. A `.luau` file is a
    /// recipe.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(self, paths: impl IntoIterator<Item = P>) -> Result<Configuration> {
        let files = Arc::new(ConfigurationFiles::new());
        let paths: Vec<P> = paths.into_iter().collect();
        let texts = self.gather(&files, &paths)?;
        let directories = paths.iter().map(|path| self.directory_of(path.as_ref(), &files)).collect();
        self.finish(&files, Texts::new(texts, directories))
    }

    /// The directory that a path of the configuration is, or lies in.
    fn directory_of(&self, path: &Path, files: &ConfigurationFiles) -> PathBuf {
        match self.overlay.list(path, files) {
            Ok(_) => path.to_owned(),
            Err(_) => path.parent().unwrap_or(Path::new("")).to_owned(),
        }
    }

    /// The names and texts that [`ConfigurationReader::read`] would read, without those of modules and kinds.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8.
    pub fn texts<P: AsRef<Path>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Vec<(String, String)>> {
        let paths: Vec<P> = paths.into_iter().collect();
        self.gather(&ConfigurationFiles::new(), &paths)
    }

    fn gather<P: AsRef<Path>>(
        &self,
        files: &ConfigurationFiles,
        paths: &[P],
    ) -> Result<Vec<(String, String)>> {
        let mut texts = Vec::new();
        for path in paths {
            let path = path.as_ref();
            if let (Some(notes), Ok(names)) = (&self.notes, self.overlay.list(path, files)) {
                notes.note_directory(path, names);
            }
            let read = self.overlay.configuration(path, files)?;
            self.note_texts(&read);
            texts.extend(read);
        }
        Ok(texts)
    }

    fn note_texts(&self, texts: &[(String, String)]) {
        for (name, text) in texts {
            if let Some(notes) = &self.notes {
                notes.note_file(name, text.as_bytes());
            }
        }
    }

    /// Takes texts that are there already, each with a name for messages. No files of kinds are looked for beside them.
    ///
    /// # Errors
    /// If a file of params cannot be read.
    pub fn from_texts(self, texts: impl IntoIterator<Item = (String, String)>) -> Result<Configuration> {
        let texts = Texts::new(texts.into_iter().collect(), Vec::new());
        self.finish(&Arc::new(ConfigurationFiles::new()), texts)
    }

    /// The kinds that a configuration in these directories would have, without those of modules that it calls.
    pub fn read_kinds<P: AsRef<Path>>(self, directories: impl IntoIterator<Item = P>) -> KindReading {
        let kinds = self.kinds.unwrap_or_default();
        let mut search = KindSearch::new(Arc::new(ConfigurationFiles::new()), self.overlay);
        directories.into_iter().for_each(|directory| search.beside(directory.as_ref()));
        search.in_named(&kinds);
        let mut sources = self.sources;
        let (kinds, diagnostics) = kinds.define(search, &mut sources);
        KindReading { kinds, sources, diagnostics }
    }

    fn finish(mut self, files: &Arc<ConfigurationFiles>, texts: Texts) -> Result<Configuration> {
        let kinds = self.kinds.take().unwrap_or_default();
        Reading::new(self, files.clone(), kinds)?.run(texts)
    }

    /// All values for params, the strongest first.
    pub(crate) fn given(
        &self,
        files: &ConfigurationFiles,
        surroundings: &Arc<dyn Surroundings>,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Given>> {
        let text = |(name, value): &(String, String), origin| Given {
            name: name.clone(),
            value: GivenValue::Text(value.clone()),
            origin,
        };
        let mut given = self.given.clone();
        given.extend(self.params.iter().rev().map(|param| text(param, Origin::Flag)));
        let variables =
            if self.sealed { Vec::new() } else { uphold_host::environment_with_prefix(VARIABLES)? };
        for (variable, value) in variables {
            given.push(text(&(variable[VARIABLES.len()..].to_owned(), value), Origin::Environment));
        }
        for file in self.params_files.iter().rev() {
            let told = |error: crate::Error| error.while_("cannot read the params");
            let texts = files.configuration(file).map_err(told)?;
            self.note_texts(&texts);
            for (name, content) in texts {
                if let Some(log) = &self.log {
                    log.note(InputSort::Text, &name, Some(content.as_bytes()));
                }
                let id = sources.add_confidential(name, content);
                let (found, problems) = read_params(sources, id, surroundings);
                given.extend(found);
                diagnostics.extend(problems);
            }
        }
        Ok(given)
    }
}
