//! What a configuration was read from.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use uphold_config::Surroundings;
use uphold_model::Value;
use uphold_wire::saved_plan::{Input, InputSort};

use super::canonical;
use super::salt::Salt;

/// The word that a digest is made with.
fn word(sort: InputSort) -> &'static str {
    match sort {
        InputSort::Text => "text",
        InputSort::File => "file",
        InputSort::Variable => "variable",
        InputSort::Fact => "fact",
    }
}

/// How it is named in a message.
fn shown(sort: InputSort, name: &str) -> String {
    match sort {
        InputSort::Text | InputSort::File => name.to_owned(),
        InputSort::Variable => format!("the variable {name}"),
        InputSort::Fact => format!("the fact {name}"),
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
    pub(super) fn saved(&self, salt: &Salt) -> Vec<Input> {
        let saved = |((sort, name), digest): ((InputSort, String), [u8; 32])| Input {
            digest: salted(sort, &name, &digest, salt),
            name,
            what: sort,
        };
        self.log.all().into_iter().map(saved).collect()
    }

    /// What is not as `saved` says, in plain words. Whatever was read while the plan was made is read now, so that
    /// nothing can change between this and the run.
    pub(super) fn deviations(&self, saved: &[Input], salt: &Salt) -> Vec<String> {
        let mut found = Vec::new();
        let expected: BTreeMap<(InputSort, &str), &str> =
            saved.iter().map(|one| ((one.what, &*one.name), &*one.digest)).collect();
        for ((sort, name), _) in self.log.all() {
            if !expected.contains_key(&(sort, &*name)) {
                found.push(format!("{} was not read then", shown(sort, &name)));
            }
        }
        for ((sort, name), digest) in expected {
            match self.look(sort, name) {
                Some(now) if salted(sort, name, &now, salt) == digest => {}
                Some(_) => found.push(format!("{} is not what it was", shown(sort, name))),
                None => found.push(format!("{} is not read any more", shown(sort, name))),
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
    salt.digest(&format!("{} {name}", word(sort)), digest)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
mod tests {
    use super::*;
    use crate::surroundings::LocalSurroundings;
    use uphold_host::{ConfigurationFiles, LocalHost};

    fn inputs() -> Inputs {
        let (log, files) = (Arc::<InputLog>::default(), Arc::new(ConfigurationFiles::new()));
        let local = LocalSurroundings::new(LocalHost::new().machine(), files).expect("a directory");
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
        let saved = planned.saved(&salt);
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
