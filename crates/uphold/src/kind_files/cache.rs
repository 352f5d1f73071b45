//! Kinds that were defined before, so that files that did not change are not defined again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use uphold_external::Fault;
use uphold_resource::Registry;

use super::kind_file::KindFile;

/// So many sets of files are remembered. An editor has a few configurations open, a watch has one.
const MOST: usize = 16;

/// The kinds of files. The same files give the very same kinds, so that a watch can tell what did not change; and a program
/// that prints a schema is run once.
#[derive(Default)]
pub(super) struct KindCache(Mutex<BTreeMap<Vec<String>, Known>>);

struct Known {
    texts: Vec<String>,
    kinds: Registry,
    /// What is wrong with manifests that define no kind.
    faults: Vec<Fault>,
}

impl KindCache {
    /// The kinds of these files and the faults of manifests, if they were defined before without errors. A program that
    /// failed gets another chance.
    pub(super) fn get(&self, files: &[KindFile]) -> Option<(Registry, Vec<Fault>)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.get(&names(files))?;
        let is_same = same.texts.iter().eq(files.iter().map(|file| &file.text));
        (is_same && !same.kinds.has_failed()).then(|| (same.kinds.clone(), same.faults.clone()))
    }

    pub(super) fn put(&self, files: &[KindFile], kinds: Registry, faults: Vec<Fault>) {
        let texts = files.iter().map(|file| file.text.clone()).collect();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(names(files), Known { texts, kinds, faults });
    }
}

fn names(files: &[KindFile]) -> Vec<String> {
    files.iter().map(|file| file.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> KindFile {
        KindFile { name: name.to_owned(), directory: "/d".into(), text: text.to_owned() }
    }

    #[test]
    fn only_equal_files_are_remembered() {
        let cache = KindCache::default();
        let files = [file("kinds/a.luau", "1"), file("kinds/b.luau", "2")];
        assert!(cache.get(&files).is_none());
        cache.put(&files, Registry::default(), Vec::new());
        assert!(cache.get(&files).is_some());
        assert!(cache.get(&files[..1]).is_none());
        assert!(cache.get(&[file("kinds/a.luau", "1"), file("kinds/b.luau", "3")]).is_none());
        assert!(cache.get(&[file("kinds/a.luau", "1"), file("more/b.luau", "2")]).is_none());
    }

    #[test]
    fn not_everything_is_remembered_for_ever() {
        let cache = KindCache::default();
        for number in 0..100 {
            cache.put(&[file(&format!("{number}.luau"), "")], Registry::default(), Vec::new());
        }
        assert!(cache.0.lock().expect("nobody panicked").len() <= MOST);
        assert!(cache.get(&[file("99.luau", "")]).is_some());
    }
}
