//! What a configuration was read from.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use uphold_config::Surroundings;
use uphold_model::Value;

use super::canonical;
use super::object::{Damaged, Fields, damaged};
use super::salt::Salt;

/// What sort of thing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputSort {
    /// A text of the configuration itself, or of its params.
    Text,
    /// A file that the configuration names: a module, a template.
    File,
    /// A variable of the environment.
    Variable,
    /// A fact.
    Fact,
}

impl InputSort {
    const ALL: [(&'static str, InputSort); 4] = [
        ("text", InputSort::Text),
        ("file", InputSort::File),
        ("variable", InputSort::Variable),
        ("fact", InputSort::Fact),
    ];

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, sort)| *sort == self).map_or("", |(word, _)| word)
    }

    /// How it is named in a message.
    fn shown(self, name: &str) -> String {
        match self {
            InputSort::Text | InputSort::File => name.to_owned(),
            InputSort::Variable => format!("the variable {name}"),
            InputSort::Fact => format!("the fact {name}"),
        }
    }
}

/// Everything that was read, by its sort and name, with a digest of what it said.
#[derive(Default)]
pub(crate) struct InputLog(Mutex<BTreeMap<(InputSort, String), [u8; 32]>>);

impl InputLog {
    /// Notes what a thing says; none if it could not be read. What was noted before stays: it is read once.
    pub(crate) fn note(&self, sort: InputSort, name: &str, content: Option<&[u8]>) {
        let mut digest = Sha256::new();
        digest.update([u8::from(content.is_some())]);
        digest.update(content.unwrap_or_default());
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry((sort, name.to_owned())).or_insert_with(|| digest.finalize().into());
    }

    /// The same for a value.
    pub(crate) fn note_value(&self, sort: InputSort, name: &str, value: Option<&Value>) {
        self.note(sort, name, value.map(canonical::bytes).as_deref());
    }

    fn get(&self, sort: InputSort, name: &str) -> Option<[u8; 32]> {
        let read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.get(&(sort, name.to_owned())).copied()
    }

    fn all(&self) -> Vec<((InputSort, String), [u8; 32])> {
        let read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().map(|(name, digest)| (name.clone(), *digest)).collect()
    }
}

/// What a configuration was read from, and what it still may read: expressions that wait for a resource read files
/// when their turn comes.
#[derive(Clone)]
pub struct Inputs {
    log: Arc<InputLog>,
    surroundings: Arc<dyn Surroundings>,
}

impl Inputs {
    pub(crate) fn new(log: Arc<InputLog>, surroundings: Arc<dyn Surroundings>) -> Self {
        Self { log, surroundings }
    }

    /// All that was read so far.
    pub(super) fn saved(&self, salt: &Salt) -> Vec<SavedInput> {
        let saved = |((sort, name), digest): ((InputSort, String), [u8; 32])| SavedInput {
            digest: salted(sort, &name, &digest, salt),
            sort,
            name,
        };
        self.log.all().into_iter().map(saved).collect()
    }

    /// What is not as `saved` says, in plain words. Whatever was read while the plan was made is read now, so that
    /// nothing can change between this and the run.
    pub(super) fn deviations(&self, saved: &[SavedInput], salt: &Salt) -> Vec<String> {
        let mut found = Vec::new();
        let expected: BTreeMap<(InputSort, &str), &str> =
            saved.iter().map(|one| ((one.sort, &*one.name), &*one.digest)).collect();
        for ((sort, name), _) in self.log.all() {
            if !expected.contains_key(&(sort, &*name)) {
                found.push(format!("{} was not read then", sort.shown(&name)));
            }
        }
        for ((sort, name), digest) in expected {
            match self.look(sort, name) {
                Some(now) if salted(sort, name, &now, salt) == digest => {}
                Some(_) => found.push(format!("{} is not what it was", sort.shown(name))),
                None => found.push(format!("{} is not read any more", sort.shown(name))),
            }
        }
        found
    }

    /// What a thing says now; none if nothing asks for it. The surroundings note what they are asked.
    fn look(&self, sort: InputSort, name: &str) -> Option<[u8; 32]> {
        if let Some(known) = self.log.get(sort, name) {
            return Some(known);
        }
        match sort {
            InputSort::Text => {}
            InputSort::File => _ = self.surroundings.read(Path::new(name)),
            InputSort::Variable => _ = self.surroundings.variable(name),
            InputSort::Fact => _ = self.surroundings.fact(name),
        }
        self.log.get(sort, name)
    }
}

fn salted(sort: InputSort, name: &str, digest: &[u8], salt: &Salt) -> String {
    salt.digest(&format!("{} {name}", sort.word()), digest)
}

/// One thing that a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedInput {
    sort: InputSort,
    name: String,
    digest: String,
}

impl SavedInput {
    pub(super) fn to_json(&self) -> Json {
        json!({ "what": self.sort.word(), "name": self.name, "digest": self.digest })
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        let word = fields.text("what")?;
        let sort = InputSort::ALL.iter().find(|(known, _)| *known == word).map(|(_, sort)| *sort);
        Ok(Self {
            sort: sort.ok_or_else(|| damaged(format!("nothing is called `{word}`")))?,
            name: fields.text("name")?.to_owned(),
            digest: fields.text("digest")?.to_owned(),
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
mod tests {
    use super::*;
    use crate::surroundings::LocalSurroundings;
    use uphold_host::{ConfigurationFiles, LocalHost};

    fn inputs() -> Inputs {
        let (log, files) = (Arc::<InputLog>::default(), Arc::new(ConfigurationFiles::new()));
        let local = LocalSurroundings::new(Arc::new(LocalHost::new()), files).expect("a directory");
        Inputs::new(log.clone(), Arc::new(local.logged(Some(log))))
    }

    #[test]
    fn what_is_read_late_is_compared_early() {
        let folder = tempfile::tempdir().expect("a folder");
        let [early, late, other] = ["early", "late", "other"].map(|name| folder.path().join(name));
        let write = |path: &Path, text: &str| std::fs::write(path, text).expect("a file");
        for path in [&early, &late, &other] {
            write(path, "a");
        }
        let salt = Salt::fresh();
        let planned = inputs();
        for path in [&early, &late] {
            planned.surroundings.read(path).expect("a file");
        }
        let saved: Vec<SavedInput> = planned.saved(&salt);
        let read = |json: Json| SavedInput::from_json(&json).expect("an input");
        let saved: Vec<SavedInput> = saved.iter().map(|input| read(input.to_json())).collect();
        let check = |expected: &[&str]| {
            let now = inputs();
            now.surroundings.read(&early).expect("a file");
            let found = now.deviations(&saved, &salt);
            let place = folder.path().display().to_string();
            let found: Vec<String> = found.iter().map(|what| what.replace(&place, "FOLDER")).collect();
            assert_eq!(found, expected);
            now
        };
        let now = check(&[]);
        // What was compared stays as it was compared.
        write(&late, "b");
        assert_eq!(now.surroundings.read(&late), Ok(b"a".to_vec()));
        check(&["FOLDER/late is not what it was"]);
        std::fs::remove_file(&late).expect("ours");
        check(&["FOLDER/late is not what it was"]);
        write(&late, "a");
        check(&[]);
        let more = inputs();
        more.surroundings.read(&other).expect("a file");
        let found = more.deviations(&saved, &salt);
        assert_eq!(found, [format!("{} was not read then", other.display())]);
    }
}
