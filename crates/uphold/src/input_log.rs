//! The inputs of a configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use uphold_config::{Surroundings, is_configuration};
use uphold_model::{Mutex, Value};

use crate::kind_files::is_kind_file;
use crate::saved_plan::value_bytes;
use crate::surroundings::LocalSurroundings;

/// An input of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    /// A file of the configuration, of params or of kinds, by its name.
    Text(String),
    /// A file that the configuration names, or a module.
    File(PathBuf),
    /// A directory listing.
    Names(PathBuf),
    /// The configuration files of a directory, without temporary files of editors.
    Texts(PathBuf),
    /// The kind files of a directory.
    Kinds(PathBuf),
    /// An environment variable.
    Variable(String),
    /// A fact.
    Fact(String),
    /// The time.
    Clock,
}

/// The digest of an input.
pub(crate) type Digest = [u8; 32];

/// All inputs, with a digest of their first reading. It may grow while the configuration is in use: deferred expressions
/// are evaluated late.
#[derive(Default)]
pub(crate) struct InputLog {
    read: Mutex<BTreeMap<Input, Digest>>,
    on_new: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl InputLog {
    /// Calls this whenever a new input is read.
    pub(crate) fn on_new(&self, callback: impl Fn() + Send + Sync + 'static) {
        // The first one stays: one watch reads one configuration.
        let _ = self.on_new.set(Box::new(callback));
    }

    pub(crate) fn note(&self, input: Input, digest: impl FnOnce() -> Digest) {
        let mut read = self.read.lock();
        if read.contains_key(&input) {
            return;
        }
        read.insert(input, digest());
        drop(read);
        if let Some(callback) = self.on_new.get() {
            callback();
        }
    }

    pub(crate) fn get(&self, input: &Input) -> Option<Digest> {
        self.read.lock().get(input).copied()
    }

    pub(crate) fn all(&self) -> BTreeMap<Input, Digest> {
        self.read.lock().clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.read.lock().len()
    }
}

/// The current digest of an input.
pub(crate) fn current_digest(input: &Input, surroundings: &LocalSurroundings) -> Digest {
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

/// Reads in pieces: a file may be larger than the memory of a watch.
fn digest_of_file(path: &Path, surroundings: &LocalSurroundings) -> Digest {
    let mut digest_of_all = Sha256::new();
    digest_of_all.update([1]);
    match surroundings.read_pieces(path, &mut |piece| digest_of_all.update(piece)) {
        Ok(()) => digest_of_all.finalize().into(),
        Err(_) => digest(None),
    }
}

pub(crate) fn digest_of_names(names: Option<&[String]>) -> Digest {
    // Names have no zero byte.
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
