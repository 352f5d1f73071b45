//! What a configuration was read from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use uphold_config::{Surroundings, is_configuration};
use uphold_model::Value;

use crate::kind_files::is_kind_file;
use crate::saved_plan::value_bytes;
use crate::surroundings::LocalSurroundings;

/// Something that a configuration is read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    /// A text of the configuration itself, of params or of kinds, by its name.
    Text(String),
    /// The content of a file that the configuration names, modules included.
    File(PathBuf),
    /// The names in a directory.
    Names(PathBuf),
    /// The names of configuration in a directory: what an editor puts beside it does not count.
    Texts(PathBuf),
    /// The names of files of kinds in a directory.
    Kinds(PathBuf),
    /// A variable of the environment.
    Variable(String),
    /// A fact.
    Fact(String),
    /// The time.
    Clock,
}

/// The content of an input, in short.
pub(crate) type Digest = [u8; 32];

/// Everything that was read, with a digest of its content at the first reading. It may grow for as long as the
/// configuration is in use: an attribute that reads a resource is evaluated late.
#[derive(Default)]
pub(crate) struct InputLog {
    read: Mutex<BTreeMap<Input, Digest>>,
    bell: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl InputLog {
    /// Calls this from now on when something is read for the first time.
    pub(crate) fn on_more(&self, bell: impl Fn() + Send + Sync + 'static) {
        // The first one stays: one watch reads one configuration.
        let _ = self.bell.set(Box::new(bell));
    }

    pub(crate) fn note(&self, input: Input, digest: impl FnOnce() -> Digest) {
        let mut read = self.lock();
        if read.contains_key(&input) {
            return;
        }
        read.insert(input, digest());
        drop(read);
        if let Some(bell) = self.bell.get() {
            bell();
        }
    }

    pub(crate) fn get(&self, input: &Input) -> Option<Digest> {
        self.lock().get(input).copied()
    }

    pub(crate) fn all(&self) -> BTreeMap<Input, Digest> {
        self.lock().clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Input, Digest>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The digest of an input as it is now.
pub(crate) fn look(input: &Input, surroundings: &LocalSurroundings) -> Digest {
    match input {
        Input::Text(name) => digest_of_file(Path::new(name), surroundings),
        Input::File(path) => digest_of_file(path, surroundings),
        Input::Names(path) => digest_of_names(surroundings.list(path).ok().as_deref()),
        Input::Texts(path) => digest_of_texts(surroundings.list(path).ok()),
        Input::Kinds(path) => digest_of_kinds(surroundings.list(path).ok()),
        Input::Variable(name) => digest(surroundings.variable(name).as_ref().map(String::as_bytes)),
        Input::Fact(name) => digest_of_value(surroundings.fact(name).ok().as_ref()),
        Input::Clock => digest_of_time(surroundings.now()),
    }
}

/// A missing input differs from an empty one.
pub(crate) fn digest(content: Option<&[u8]>) -> Digest {
    let mut digest = Sha256::new();
    digest.update([u8::from(content.is_some())]);
    digest.update(content.unwrap_or_default());
    digest.finalize().into()
}

/// Read piece by piece: a file may be larger than the memory that a watch needs.
fn digest_of_file(path: &Path, surroundings: &LocalSurroundings) -> Digest {
    let mut digest_of_all = Sha256::new();
    digest_of_all.update([1]);
    match surroundings.read_pieces(path, &mut |piece| digest_of_all.update(piece)) {
        Ok(()) => digest_of_all.finalize().into(),
        Err(_) => digest(None),
    }
}

pub(crate) fn digest_of_names(names: Option<&[String]>) -> Digest {
    // No name has a zero byte.
    digest(names.map(|names| names.join("\0")).as_ref().map(String::as_bytes))
}

pub(crate) fn digest_of_texts(names: Option<Vec<String>>) -> Digest {
    digest_of_some(names, is_configuration)
}

/// A directory without kinds counts as missing.
pub(crate) fn digest_of_kinds(names: Option<Vec<String>>) -> Digest {
    digest_of_some(Some(names.unwrap_or_default()), is_kind_file)
}

fn digest_of_some(names: Option<Vec<String>>, counts: impl Fn(&str) -> bool) -> Digest {
    let some = names.map(|names| names.into_iter().filter(|name| counts(name)).collect::<Vec<_>>());
    digest_of_names(some.as_deref())
}

pub(crate) fn digest_of_value(value: Option<&Value>) -> Digest {
    digest(value.map(value_bytes).as_deref())
}

pub(crate) fn digest_of_time(time: SystemTime) -> Digest {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    digest(Some(&since.as_nanos().to_le_bytes()))
}
