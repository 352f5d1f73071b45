//! Data that a power cut could lose, found in the trace of a run. `kill -9` cannot show it: the page cache survives.

use std::collections::BTreeMap;

/// Part of every temporary name, and of the names of backups.
const TEMPORARY: &str = "uphold-";
/// Temporary files of the journal. It decides itself which of its files must survive a power cut; its own tests cover that.
const JOURNAL: &str = ".tmp";

/// The end of the temporary name under which content is received.
const PARTIAL: &str = ".uphold-partial";

/// The files that one thread has synced, by descriptor.
#[derive(Default)]
struct Thread<'a> {
    /// The last file that was synced since the last rename or link.
    synced: Option<&'a str>,
    /// The directory of a new name that was not synced since, and the name.
    unsynced: Option<(&'a str, &'a str)>,
}

/// A file that got its name before its content was synced, or whose directory was not synced afterwards.
pub(crate) fn unsynced(trace: &str) -> Option<String> {
    let mut threads: BTreeMap<&str, Thread> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, call)) = line.split_once(' ') else { continue };
        let broken = threads.entry(thread).or_default().call(call.trim_start());
        if broken.is_some() {
            return broken;
        }
    }
    threads.values().find_map(Thread::end)
}

impl<'a> Thread<'a> {
    fn call(&mut self, call: &'a str) -> Option<String> {
        let (name, arguments) = call.split_once('(')?;
        let end = |byte: char| matches!(byte, ',' | ')' | ' ');
        let words: Vec<&str> =
            arguments.split(end).filter(|word| !word.is_empty()).map(|word| word.trim_matches('"')).collect();
        match (name, words.as_slice()) {
            ("fsync", [file, ..]) => self.sync(file),
            // Programs started by the run use absolute paths.
            (_, ["AT_FDCWD", ..]) => None,
            ("linkat", [file, "", directory, name, ..]) => {
                let broken =
                    (self.synced != Some(file)).then(|| format!("{name} is not synced before it is named"));
                broken.or(self.name(directory, name))
            }
            ("renameat", [_, old, ..]) if old.ends_with(JOURNAL) => None,
            ("renameat" | "renameat2", [_, old, directory, name, ..]) => {
                let is_unsynced = old.ends_with(PARTIAL) && self.synced.is_none();
                let broken = is_unsynced.then(|| format!("{name} is not synced before it is named"));
                broken.or(self.name(directory, name))
            }
            _ => None,
        }
    }

    fn sync(&mut self, file: &'a str) -> Option<String> {
        let is_another = self.unsynced.is_some_and(|(directory, _)| directory != file);
        let broken = if is_another { self.end() } else { None };
        (self.synced, self.unsynced) = (Some(file), None);
        broken
    }

    fn name(&mut self, directory: &'a str, name: &'a str) -> Option<String> {
        let broken = self.end();
        self.synced = None;
        self.unsynced = (!name.contains(TEMPORARY)).then_some((directory, name));
        broken
    }

    fn end(&self) -> Option<String> {
        self.unsynced.map(|(_, name)| format!("the directory of {name} is not synced after {name} is named"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(calls: &[&str], expected: Option<&str>) {
        let trace: String = calls.iter().map(|call| format!("10 {call} = 0\n")).collect();
        assert_eq!(unsynced(&trace).as_deref(), expected, "{trace}");
    }

    #[test]
    fn content_is_synced_before_its_name_and_the_directory_after() {
        let (content, directory) = ("fsync(6)", "fsync(5)");
        let new = "linkat(6, \"\", 5, \"a\", AT_EMPTY_PATH)";
        let temporary = "linkat(6, \"\", 5, \".a.uphold-1\", AT_EMPTY_PATH)";
        let rename = "renameat(5, \".a.uphold-1\", 5, \"a\")";
        let received = "renameat(5, \".a.uphold-partial\", 5, \"a\")";
        check(&[content, new, directory], None);
        check(&[content, temporary, rename, directory], None);
        check(&[content, received, directory], None);
        check(&["renameat2(AT_FDCWD, \"/x\", AT_FDCWD, \"/y\", 0)", "unlinkat(5, \"x\", 0)"], None);
        for named in [&[new][..], &[temporary, rename], &[received]] {
            let is_named = if named.len() == 2 { ".a.uphold-1" } else { "a" };
            let expected = format!("{is_named} is not synced before it is named");
            check(&[named, &[directory]].concat(), Some(&expected));
            let expected = "the directory of a is not synced after a is named";
            check(&[&[content], named].concat(), Some(expected));
            check(&[&[content], named, &[content], named].concat(), Some(expected));
        }
    }
}
