//! What a configuration was read from.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_config::Surroundings;
use uphold_wire::saved_plan::{Input as SavedInput, InputSort};

use super::salt::Salt;
use crate::input_log::{Digest, Input, InputLog};

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

/// How an input is saved. Directories and the time are not: their content is in the other inputs, and in the plan.
fn saved_as(input: &Input) -> Option<(InputSort, String)> {
    match input {
        Input::Text(name) => Some((InputSort::Text, name.clone())),
        Input::File(path) => Some((InputSort::File, path.to_string_lossy().into_owned())),
        Input::Variable(name) => Some((InputSort::Variable, name.clone())),
        Input::Fact(name) => Some((InputSort::Fact, name.clone())),
        Input::Names(_) | Input::Texts(_) | Input::Kinds(_) | Input::Clock => None,
    }
}

/// What a configuration was read from, and what it still may read: expressions that wait for a resource read files
/// when their turn comes.
#[derive(Clone)]
pub(crate) struct Inputs {
    log: Arc<InputLog>,
    surroundings: Arc<dyn Surroundings>,
}

impl Inputs {
    pub(crate) fn new(log: Arc<InputLog>, surroundings: Arc<dyn Surroundings>) -> Self {
        Self { log, surroundings }
    }

    /// All that was read so far.
    pub(super) fn saved(&self, salt: &Salt) -> Vec<SavedInput> {
        let saved = |(input, digest): (Input, Digest)| {
            let (what, name) = saved_as(&input)?;
            Some(SavedInput { digest: salted(what, &name, &digest, salt), name, what })
        };
        self.log.all().into_iter().filter_map(saved).collect()
    }

    /// What is not as `saved` says, in plain words. Whatever was read while the plan was made is read now, so that
    /// nothing can change between this and the run.
    pub(super) fn deviations(&self, saved: &[SavedInput], salt: &Salt) -> Vec<String> {
        let mut found = Vec::new();
        let expected: BTreeMap<(InputSort, &str), &str> =
            saved.iter().map(|one| ((one.what, &*one.name), &*one.digest)).collect();
        for (sort, name) in self.log.all().keys().filter_map(saved_as) {
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

    /// The digest of an input now; none if nothing reads it. The surroundings note what they read.
    fn look(&self, sort: InputSort, name: &str) -> Option<Digest> {
        let input = match sort {
            InputSort::Text => Input::Text(name.to_owned()),
            InputSort::File => Input::File(name.into()),
            InputSort::Variable => Input::Variable(name.to_owned()),
            InputSort::Fact => Input::Fact(name.to_owned()),
        };
        if self.log.get(&input).is_none() {
            match &input {
                Input::File(path) => _ = self.surroundings.read(path),
                Input::Variable(name) => _ = self.surroundings.variable(name),
                Input::Fact(name) => _ = self.surroundings.fact(name),
                _ => {}
            }
        }
        self.log.get(&input)
    }
}

fn salted(sort: InputSort, name: &str, digest: &[u8], salt: &Salt) -> String {
    salt.digest(&format!("{} {name}", word(sort)), digest)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
mod tests {
    use std::path::Path;

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
