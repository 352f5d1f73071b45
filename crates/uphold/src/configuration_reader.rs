//! Options for reading a configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{Given, GivenValue, Origin, Surroundings, is_test, read_params};
use uphold_host::ConfigurationFiles;
use uphold_model::{Diagnostics, SourceText, Sources};
use uphold_resource::{Error, ErrorKind, Machine};

use crate::Result;
use crate::configuration::Configuration;
use crate::engine::Engine;
use crate::input_log::{Input, InputLog, digest, digest_of_texts};
use crate::kind_files::{KindReading, KindSearch};
use crate::reading::Reading;
use crate::surroundings::{LocalSurroundings, Overlay};
use crate::watch::{ConfigurationSource, Watch};

/// The prefix of environment variables that set params.
pub(crate) const VARIABLES: &str = uphold_host::PARAM_VARIABLES;

/// Reads a configuration, with params.
///
/// [`ConfigurationReader::param`] takes precedence over `UPHOLD_PARAM_NAME` in the environment, and that over a params file.
/// Within each of them, the later one wins.
#[derive(Clone)]
pub struct ConfigurationReader {
    pub(crate) engine: Engine,
    machine: Machine,
    params: Vec<(String, String)>,
    /// Params with values, which take precedence over all others.
    pub(crate) given: Vec<Given>,
    pub(crate) params_files: Vec<PathBuf>,
    pub(crate) overlay: Arc<Overlay>,
    /// Whether params in the environment are ignored.
    sealed: bool,
    time: Option<SystemTime>,
    pub(crate) log: Option<Arc<InputLog>>,
    /// Whether the origin is recorded for a saved plan.
    pub(crate) keeps_origin: bool,
    /// Whether texts stay in memory until the process ends.
    pub(crate) until_exit: bool,
}

impl ConfigurationReader {
    pub(crate) fn new(engine: &Engine) -> Self {
        Self {
            engine: engine.clone(),
            machine: engine.machine().clone(),
            params: Vec::new(),
            given: Vec::new(),
            params_files: Vec::new(),
            overlay: Arc::default(),
            sealed: false,
            time: None,
            log: None,
            keeps_origin: false,
            until_exit: false,
        }
    }

    /// Sets a param. Its type determines how the text is parsed.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.params.push((name.into(), value.into()));
        self
    }

    /// Reads params from a file: HCL, JSON or YAML, by its extension.
    #[must_use]
    pub fn params_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.params_files.push(path.into());
        self
    }

    /// Uses this text as the content of the file at `path`, even if the file does not exist; also for modules and kind
    /// files. The path must be absolute exactly if those of [`ConfigurationReader::read`] are.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        Arc::make_mut(&mut self.overlay).add(path.into(), text.into());
        self
    }

    /// Whether these paths, or the params, are read from standard input, a pipe or a device, whose writer may never come.
    pub fn waits_for_writers(&self, paths: &[PathBuf]) -> bool {
        let files = ConfigurationFiles::new();
        paths.iter().chain(&self.params_files).any(|path| files.is_stream(path))
    }

    /// Ignores params in the environment.
    #[must_use]
    pub fn sealed(self) -> Self {
        Self { sealed: true, ..self }
    }

    /// Uses this as the start time of the command.
    #[must_use]
    pub fn at(self, time: SystemTime) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Records the inputs for a saved plan, with a digest of every file.
    #[must_use]
    pub fn logged(self) -> Self {
        Self { log: Some(Arc::default()), keeps_origin: true, ..self }
    }

    /// Keeps the texts in memory until the process ends, which is faster. For a program that reads one configuration, and
    /// ends after its run.
    #[must_use]
    pub fn until_exit(self) -> Self {
        Self { until_exit: true, ..self }
    }

    /// Re-reads the facts: a machine caches them.
    pub(crate) fn renewed(mut self) -> Result<Self> {
        if let Some(facts) = self.machine.facts.renewed()? {
            self.machine.facts = facts;
        }
        Ok(self)
    }

    /// The environment of the configuration.
    pub(crate) fn surroundings(&self, files: Arc<ConfigurationFiles>) -> Result<LocalSurroundings> {
        let mut local = LocalSurroundings::new(self.machine.clone(), files)?;
        (local.overlay, local.log) = (self.overlay.clone(), self.log.clone());
        local.began = self.time.unwrap_or(local.began);
        Ok(local)
    }

    /// Reads files; of a directory, every `.hcl` file that is no test; `-` is standard input. A `.luau` file is a recipe.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Errors in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(self, paths: impl IntoIterator<Item = P>) -> Result<Configuration> {
        self.read_into(Sources::default(), paths)
    }

    /// The same, with existing sources, so that one report can show places in all of them.
    pub(crate) fn read_into<P: AsRef<Path>>(
        self,
        sources: Sources,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Configuration> {
        let files =
            if self.until_exit { ConfigurationFiles::until_exit() } else { ConfigurationFiles::new() };
        let files = Arc::new(files);
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        let texts = self.gather(&files, &paths)?;
        let directories: Vec<PathBuf> = paths.iter().map(|path| self.directory_of(path, &files)).collect();
        Reading::new(self, files, sources)?.run(texts, paths, &directories)
    }

    /// A watch of these files and directories: it applies the configuration, repairs drift, and reloads a changed
    /// configuration. Standard input and pipes are read once, here.
    ///
    /// # Errors
    /// If one of those cannot be read, or this machine cannot be watched.
    pub fn watch<P: Into<PathBuf>>(self, paths: impl IntoIterator<Item = P>) -> Result<Watch> {
        Watch::new(ConfigurationSource::new(self, paths.into_iter().map(Into::into).collect())?)
    }

    /// The directory of a configuration path: itself or its parent.
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
    pub fn texts<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Vec<(String, SourceText)>> {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        self.gather(&ConfigurationFiles::new(), &paths)
    }

    fn gather(&self, files: &ConfigurationFiles, paths: &[PathBuf]) -> Result<Vec<(String, SourceText)>> {
        let mut texts = Vec::new();
        for path in paths {
            if is_test(&path.to_string_lossy()) {
                return Err(test_file(path));
            }
            if let (Some(log), Ok(names)) = (&self.log, self.overlay.list(path, files)) {
                log.note(Input::Texts(path.clone()), || digest_of_texts(Some(names)));
            }
            let read = self.overlay.configuration(path, files)?;
            self.note_texts(&read);
            texts.extend(read);
        }
        Ok(texts)
    }

    fn note_texts(&self, texts: &[(String, SourceText)]) {
        for (name, text) in texts {
            if let Some(log) = &self.log {
                log.note(Input::Text(name.clone()), || digest(Some(text.as_bytes())));
            }
        }
    }

    /// Uses texts, each with a name for messages. No kind files beside them are searched.
    ///
    /// # Errors
    /// If a params file cannot be read.
    pub fn from_texts<N: Into<String>, T: Into<String>>(
        self,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Configuration> {
        let texts = texts.into_iter().map(|(name, text)| (name.into(), text.into().into())).collect();
        let reading = Reading::new(self, Arc::new(ConfigurationFiles::new()), Sources::default())?;
        reading.run(texts, Vec::new(), &[])
    }

    /// The kinds that a configuration in these directories would have, without those of modules that it calls.
    pub fn read_kinds<P: AsRef<Path>>(self, directories: impl IntoIterator<Item = P>) -> KindReading {
        let (kinds, mut sources) = (&self.engine.kinds, Sources::default());
        let mut search = KindSearch::new(Arc::new(ConfigurationFiles::new()), self.overlay);
        directories.into_iter().for_each(|directory| search.beside(directory.as_ref()));
        search.in_named(kinds);
        let (kinds, diagnostics) = kinds.define(search, &mut sources);
        KindReading { kinds, sources, diagnostics }
    }

    /// All values for params, by descending precedence.
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
            let texts = self
                .overlay
                .configuration(file, files)
                .map_err(|error| error.while_("cannot read the params"))?;
            self.note_texts(&texts);
            for (name, content) in texts {
                let id = sources.add_confidential(name, content);
                let (found, problems) = read_params(sources, id, surroundings);
                given.extend(found);
                diagnostics.extend(problems);
            }
        }
        Ok(given)
    }
}

/// A test is no part of a configuration; a pattern such as `*.hcl` of a shell matches both.
fn test_file(path: &Path) -> Error {
    let path = path.display();
    let what = format!("{path} is a test file, not a configuration");
    Error::new(ErrorKind::Invalid, what).hint(format!("leave it out; `uphold test {path}` runs it"))
}
