//! What a configuration was read from, as far as it can change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use uphold_config::{FactError, Surroundings, is_configuration};
use uphold_model::{FactSchema, Value};

use crate::kind_files::is_kind_file;
use crate::saved_plan::value_bytes;
use crate::surroundings::LocalSurroundings;

/// Something that a configuration is read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    /// The content of a file, of the configuration itself or one that it names.
    File(PathBuf),
    /// The names in a directory.
    Names(PathBuf),
    /// The names of configuration in a directory: what an editor puts beside it does not count.
    Texts(PathBuf),
    /// The names of files of kinds in a directory.
    Kinds(PathBuf),
    /// A fact.
    Fact(String),
    /// The time.
    Clock,
}

/// What an input says, in short.
pub(crate) type Digest = [u8; 32];

/// What was read. It may grow for as long as the configuration is held: what waits for a resource is evaluated late.
#[derive(Default)]
pub(crate) struct Notes {
    read: Mutex<BTreeMap<Input, Digest>>,
    bell: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl Notes {
    /// Calls this from now on when something is read for the first time.
    pub(crate) fn on_more(&self, bell: impl Fn() + Send + Sync + 'static) {
        // Whoever was first stays: one watch reads one configuration.
        let _ = self.bell.set(Box::new(bell));
    }

    /// Notes what a file of the configuration says. A name that is not UTF-8 does not lead to it any more, so that
    /// nothing could be compared.
    pub(crate) fn note_file(&self, name: &str, content: &[u8]) {
        if !name.contains(char::REPLACEMENT_CHARACTER) {
            self.note(Input::File(PathBuf::from(name)), || digest(Some(content)));
        }
    }

    /// Notes the names in a directory of configuration.
    pub(crate) fn note_directory(&self, directory: &Path, names: Vec<String>) {
        self.note(Input::Texts(directory.to_owned()), || digest_of_texts(Some(names)));
    }

    /// Notes the names in a directory of kinds; none if there is no such directory.
    pub(crate) fn note_kinds(&self, directory: &Path, names: Option<Vec<String>>) {
        self.note(Input::Kinds(directory.to_owned()), || digest_of_kinds(names));
    }

    /// All that was read so far.
    pub(super) fn all(&self) -> BTreeMap<Input, Digest> {
        self.lock().clone()
    }

    /// How much was read so far.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    fn note(&self, input: Input, digest: impl FnOnce() -> Digest) {
        let mut read = self.lock();
        if read.contains_key(&input) {
            return;
        }
        read.insert(input, digest());
        drop(read);
        self.bell.get().into_iter().for_each(|bell| bell());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Input, Digest>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an input says now.
pub(super) fn look(input: &Input, surroundings: &LocalSurroundings) -> Digest {
    match input {
        Input::File(path) => digest_of_file(path, surroundings),
        Input::Names(path) => digest_of_names(surroundings.list(path).ok().as_deref()),
        Input::Texts(path) => digest_of_texts(surroundings.list(path).ok()),
        Input::Kinds(path) => digest_of_kinds(surroundings.list(path).ok()),
        Input::Fact(name) => digest_of_value(surroundings.fact(name).ok().as_ref()),
        Input::Clock => digest_of_time(surroundings.now()),
    }
}

/// What cannot be read says something else than what is empty.
fn digest(content: Option<&[u8]>) -> Digest {
    let mut digest = Sha256::new();
    digest.update([u8::from(content.is_some())]);
    digest.update(content.unwrap_or_default());
    digest.finalize().into()
}

/// The same of a file as it is. It may be larger than all that is held, so it is not kept at once.
fn digest_of_file(path: &Path, surroundings: &LocalSurroundings) -> Digest {
    let mut digest_of_all = Sha256::new();
    digest_of_all.update([1]);
    match surroundings.read_pieces(path, &mut |piece| digest_of_all.update(piece)) {
        Ok(()) => digest_of_all.finalize().into(),
        Err(_) => digest(None),
    }
}

fn digest_of_names(names: Option<&[String]>) -> Digest {
    // No name has a zero byte.
    digest(names.map(|names| names.join("\0")).as_ref().map(String::as_bytes))
}

fn digest_of_texts(names: Option<Vec<String>>) -> Digest {
    digest_of_some(names, is_configuration)
}

/// What has no kinds in it may as well be missing.
fn digest_of_kinds(names: Option<Vec<String>>) -> Digest {
    digest_of_some(Some(names.unwrap_or_default()), is_kind_file)
}

fn digest_of_some(names: Option<Vec<String>>, counts: impl Fn(&str) -> bool) -> Digest {
    let some = names.map(|names| names.into_iter().filter(|name| counts(name)).collect::<Vec<_>>());
    digest_of_names(some.as_deref())
}

fn digest_of_value(value: Option<&Value>) -> Digest {
    digest(value.map(value_bytes).as_deref())
}

fn digest_of_time(time: SystemTime) -> Digest {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    digest(Some(&since.as_nanos().to_le_bytes()))
}

/// Surroundings that note what they are asked.
pub(crate) struct NotedSurroundings {
    inner: Arc<dyn Surroundings>,
    notes: Arc<Notes>,
}

impl NotedSurroundings {
    pub(crate) fn new(inner: Arc<dyn Surroundings>, notes: Arc<Notes>) -> Self {
        Self { inner, notes }
    }
}

impl Surroundings for NotedSurroundings {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let content = self.inner.read(path);
        self.notes.note(Input::File(path.to_owned()), || digest(content.as_deref().ok()));
        content
    }

    fn list(&self, directory: &Path) -> Result<Vec<String>, String> {
        let names = self.inner.list(directory);
        self.notes.note(Input::Names(directory.to_owned()), || digest_of_names(names.as_deref().ok()));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.inner.variable(name)
    }

    fn current_directory(&self) -> &Path {
        self.inner.current_directory()
    }

    fn now(&self) -> SystemTime {
        let now = self.inner.now();
        self.notes.note(Input::Clock, || digest_of_time(now));
        now
    }

    fn facts(&self) -> &'static [FactSchema] {
        self.inner.facts()
    }

    fn fact(&self, name: &str) -> Result<Value, FactError> {
        let value = self.inner.fact(name);
        self.notes.note(Input::Fact(name.to_owned()), || digest_of_value(value.as_ref().ok()));
        value
    }
}
