//! A configuration as it was read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{Console, Given, GivenValue, Origin, Reader, Surroundings, read_params};
use uphold_host::{ConfigurationFiles, LocalHost};
use uphold_model::{Diagnostics, Sources, Statement};
use uphold_resource::Observe;

use crate::Result;
use crate::overlay::Overlay;
use crate::saved_plan::{GivenParam, InputLog, InputSort, Inputs, sensitive_params, variable_name};
use crate::surroundings::LocalSurroundings;
use crate::watch::{NotedSurroundings, Notes};

/// How variables of the environment that set params begin.
pub(crate) const VARIABLES: &str = "UPHOLD_PARAM_";

/// Statements, where they were written, and what is wrong with them.
pub struct Configuration {
    /// The texts that were read.
    pub sources: Sources,
    /// What they say.
    pub statements: Vec<Statement>,
    /// What is wrong with them.
    pub diagnostics: Diagnostics,
    /// Evaluates further expressions.
    pub console: Console,
    /// What it was read from, if [`ConfigurationReader::logged`] asked for it.
    pub origin: Option<ConfigurationOrigin>,
}

/// What a configuration was read from.
pub struct ConfigurationOrigin {
    /// Files, variables and facts.
    pub inputs: Inputs,
    /// Params that were given by hand: those that count.
    pub params: Vec<GivenParam>,
}

/// Reads a configuration, with params from outside.
///
/// A param set by [`ConfigurationReader::param`] is stronger than `UPHOLD_PARAM_NAME` in the environment, which is
/// stronger than a file of params. Of two of one sort the later counts.
pub struct ConfigurationReader {
    host: Arc<dyn Observe>,
    params: Vec<(String, String)>,
    given: Vec<Given>,
    files: Vec<PathBuf>,
    sources: Sources,
    overlay: Overlay,
    /// Whether params in the environment count.
    sealed: bool,
    time: Option<SystemTime>,
    log: Option<Arc<InputLog>>,
    notes: Option<Arc<Notes>>,
}

impl Configuration {
    /// Reads files; of a directory, every `.hcl` file in it that is no test; `-` is standard input.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::reader(Arc::new(LocalHost::new())).read(paths)
    }

    /// Takes texts that are there already, each with a name for messages.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        Self::reader(Arc::new(LocalHost::new())).from_texts(texts)
    }

    /// A reader whose facts are those of `host`.
    pub fn reader(host: Arc<dyn Observe>) -> ConfigurationReader {
        ConfigurationReader {
            host,
            params: Vec::new(),
            given: Vec::new(),
            files: Vec::new(),
            sources: Sources::default(),
            overlay: Overlay::default(),
            sealed: false,
            time: None,
            log: None,
            notes: None,
        }
    }
}

impl ConfigurationReader {
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
        self.files.push(path.into());
        self
    }

    /// Takes this text for the file at `path`, whatever is on the disk, and also if nothing is. Holds for modules,
    /// too. The path is meant as it is reached: absolute if those given to [`ConfigurationReader::read`] are.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        self.overlay.add(path.into(), text.into());
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
        Ok(local.overlaid(Arc::new(self.overlay)))
    }

    /// Reads files; of a directory, every `.hcl` file in it that is no test; `-` is standard input.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Mistakes in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(self, paths: impl IntoIterator<Item = P>) -> Result<Configuration> {
        let files = Arc::new(ConfigurationFiles::new());
        let texts = self.gather(&files, paths)?;
        self.finish(&files, texts)
    }

    /// The names and texts that [`ConfigurationReader::read`] would read, without those of modules.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8.
    pub fn texts<P: AsRef<Path>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Vec<(String, String)>> {
        self.gather(&ConfigurationFiles::new(), paths)
    }

    fn gather<P: AsRef<Path>>(
        &self,
        files: &ConfigurationFiles,
        paths: impl IntoIterator<Item = P>,
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
        if let Some(notes) = &self.notes {
            texts.iter().for_each(|(name, text)| notes.note_file(name, text.as_bytes()));
        }
    }

    /// Takes texts that are there already, each with a name for messages.
    ///
    /// # Errors
    /// If a file of params cannot be read.
    pub fn from_texts(self, texts: impl IntoIterator<Item = (String, String)>) -> Result<Configuration> {
        self.finish(&Arc::new(ConfigurationFiles::new()), texts.into_iter().collect())
    }

    fn finish(
        mut self,
        files: &Arc<ConfigurationFiles>,
        texts: Vec<(String, String)>,
    ) -> Result<Configuration> {
        let declared = match &self.log {
            Some(log) => {
                texts.iter().for_each(|(name, text)| log.note(InputSort::Text, name, Some(text.as_bytes())));
                sensitive_params(texts.iter().map(|(_, text)| &**text))
            }
            None => BTreeMap::new(),
        };
        let mut sources = std::mem::take(&mut self.sources);
        let ids: Vec<_> = texts.into_iter().map(|(name, text)| sources.add(name, text)).collect();
        let overlay = Arc::new(std::mem::take(&mut self.overlay));
        let local = LocalSurroundings::new(self.host.clone(), files.clone())?.overlaid(overlay);
        let local = if let Some(time) = self.time { local.at(time) } else { local };
        let mut surroundings: Arc<dyn Surroundings> = Arc::new(local.logged(self.log.clone()));
        if let Some(notes) = &self.notes {
            surroundings = Arc::new(NotedSurroundings::new(surroundings, notes.clone()));
        }
        let mut diagnostics = Diagnostics::default();
        let given = self.given(files, &surroundings, &mut sources, &mut diagnostics)?;
        let origin = self.log.map(|log| ConfigurationOrigin {
            inputs: Inputs::new(log, surroundings.clone()),
            params: by_hand(&given, &declared),
        });
        let kinds = crate::kinds();
        let names = kinds.iter().map(|kind| kind.schema().kind);
        let reading = Reader::new(surroundings).given(given).kinds(names).read(&mut sources, &ids);
        diagnostics.extend(reading.diagnostics);
        let console = reading.console;
        Ok(Configuration { sources, statements: reading.statements, diagnostics, console, origin })
    }

    /// All values for params, the strongest first.
    fn given(
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
        for file in self.files.iter().rev() {
            let told = |error: crate::Error| error.while_("cannot read the params");
            let texts = files.configuration(file).map_err(told)?;
            self.note_texts(&texts);
            for (name, content) in texts {
                if let Some(log) = &self.log {
                    log.note(InputSort::Text, &name, Some(content.as_bytes()));
                }
                let id = sources.add(name, content);
                let (found, problems) = read_params(sources, id, surroundings);
                given.extend(found);
                diagnostics.extend(problems);
            }
        }
        Ok(given)
    }
}

/// What was given by hand and counts: of several for one param, the first.
fn by_hand(given: &[Given], declared: &BTreeMap<String, bool>) -> Vec<GivenParam> {
    let mut strongest: BTreeMap<&str, GivenParam> = BTreeMap::new();
    for one in given {
        let GivenValue::Text(text) = &one.value else { continue };
        let named = |(name, _): &(&String, &bool)| match one.origin {
            Origin::Environment => **name == one.name || variable_name(name) == one.name,
            _ => **name == one.name,
        };
        if let Some((name, sensitive)) = declared.iter().find(named) {
            strongest.entry(name).or_insert_with(|| GivenParam {
                name: name.clone(),
                text: text.clone(),
                sensitive: *sensitive,
            });
        }
    }
    strongest.into_values().collect()
}
