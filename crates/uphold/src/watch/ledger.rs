//! What is known of the inputs of a configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use uphold_host::ConfigurationFiles;
use uphold_resource::{Interest, Result, is_live_fact};

use crate::input_log::{Digest, Input, look};
use crate::surroundings::LocalSurroundings;

/// Files that the kernel makes up when they are read: nobody reports that they changed.
const MADE_UP: [&str; 2] = ["/proc", "/sys"];

/// Each input, and what it said when it was last read or looked at.
#[derive(Default)]
pub(super) struct Ledger {
    known: BTreeMap<Input, Digest>,
    /// Those that differ each time that they are looked at.
    unsteady: BTreeSet<Input>,
}

impl Ledger {
    /// From now on, these and no others.
    pub(super) fn replace(&mut self, read: BTreeMap<Input, Digest>) {
        self.unsteady.retain(|input| read.contains_key(input));
        self.known = read;
    }

    /// These, too. What was just read counts, not what was seen before.
    pub(super) fn add(&mut self, read: BTreeMap<Input, Digest>) {
        self.known.extend(read);
    }

    /// Those of these that are new.
    pub(super) fn add_new(&mut self, read: BTreeMap<Input, Digest>) {
        for (input, digest) in read {
            self.known.entry(input).or_insert(digest);
        }
    }

    /// What must be watched.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub(super) fn interests(&self) -> Result<Vec<Interest>> {
        let files = ConfigurationFiles::new();
        // A file is read through a link, which `Path` would not follow.
        let watched = |path: &Path| files.on_disk(path).map(Interest::Entries);
        self.known.keys().filter_map(path).map(watched).collect()
    }

    /// The first of what is reported that is not as it was. All of them are known as they are from now on.
    pub(super) fn changed(&mut self, now: &LocalSurroundings) -> Option<Input> {
        self.first_that_differs(now, |ledger, input| is_reported(input) && !ledger.unsteady.contains(input))
    }

    /// The same of what nobody reports; of `all` if there is no watcher.
    pub(super) fn changed_unreported(&mut self, now: &LocalSurroundings, all: bool) -> Option<Input> {
        self.first_that_differs(now, |ledger, input| {
            all && path(input).is_some() || ledger.must_be_asked(input)
        })
    }

    /// Whether there is something that nobody reports.
    pub(super) fn has_unreported(&self) -> bool {
        self.known.keys().any(|input| self.must_be_asked(input))
    }

    /// This differs whenever it is looked at, so that it is looked at less often.
    pub(super) fn distrust(&mut self, input: Input) {
        self.unsteady.insert(input);
    }

    fn must_be_asked(&self, input: &Input) -> bool {
        match input {
            Input::Fact(name) => is_live_fact(name),
            Input::Clock => true,
            input => path(input).is_some_and(|path| is_made_up(path) || self.unsteady.contains(input)),
        }
    }

    fn first_that_differs(
        &mut self,
        now: &LocalSurroundings,
        counts: impl Fn(&Self, &Input) -> bool,
    ) -> Option<Input> {
        let looked = self.known.iter().filter(|(input, _)| counts(self, input));
        let said = looked.map(|(input, known)| (input.clone(), *known, look(input, now)));
        let differ: Vec<_> = said.filter(|(_, known, said)| known != said).collect();
        let first = differ.first().map(|(input, ..)| input.clone());
        self.known.extend(differ.into_iter().map(|(input, _, said)| (input, said)));
        first
    }
}

/// Whether a watcher tells of its changes.
fn is_reported(input: &Input) -> bool {
    path(input).is_some_and(|path| !is_made_up(path))
}

/// The path of an input that lies on the disk. A name that is not UTF-8 does not lead to its file any more.
fn path(input: &Input) -> Option<&Path> {
    match input {
        Input::File(path) | Input::Names(path) | Input::Texts(path) | Input::Kinds(path) => Some(path),
        Input::Text(name) if !name.contains(char::REPLACEMENT_CHARACTER) => Some(Path::new(name)),
        Input::Text(_) | Input::Variable(_) | Input::Fact(_) | Input::Clock => None,
    }
}

fn is_made_up(path: &Path) -> bool {
    MADE_UP.iter().any(|top| path.starts_with(PathBuf::from(top)))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use uphold_host::LocalHost;

    use super::*;
    use crate::input_log::InputLog;
    use crate::watch::ConfigurationSource;
    use crate::{Configuration, Engine};

    const SITE: &str = "\
param \"name\" { default = \"x\" }
module \"m\" { source = \"./m\" }
log \"a\" { message = \"${file(\"note.txt\")} ${host.hostname} ${host.architecture} ${param.name}\" }
";

    /// A folder with a configuration, and what was read of it.
    struct Ground {
        folder: tempfile::TempDir,
        source: ConfigurationSource,
        ledger: Ledger,
    }

    impl Ground {
        fn new(files: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            fs::create_dir(folder.path().join("m")).expect("a folder");
            let params = folder.path().join("params.json");
            let engine = Engine::on(LocalHost::new()).build();
            let reader = Configuration::reader(&engine).params_file(params);
            let source = ConfigurationSource::new(reader, vec![folder.path().into()]).expect("no stream");
            let mut ground = Self { folder, source, ledger: Ledger::default() };
            files.iter().for_each(|(name, text)| ground.write(name, text));
            ground.read();
            ground
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.folder.path().join(name), text).expect("a file");
        }

        fn read(&mut self) {
            let notes = Arc::<InputLog>::default();
            let checked = self.source.check(&notes).expect("it can be read");
            assert!(checked.is_ok(), "{:?}", checked.err());
            self.ledger.replace(notes.all());
        }

        /// What changed, below the folder.
        fn changed(&mut self) -> Option<String> {
            let now = self.source.surroundings().expect("surroundings");
            let place = format!("{}/", self.folder.path().display());
            let changed = self.ledger.changed(&now)?;
            Some(format!("{changed:?}").replace(&place, "").replace(place.trim_end_matches('/'), "."))
        }
    }

    fn ground() -> Ground {
        Ground::new(&[("site.hcl", SITE), ("note.txt", "hi"), ("m/main.hcl", ""), ("params.json", "{}")])
    }

    #[test]
    fn what_was_read_is_noticed_when_it_changes() {
        let check = |change: &dyn Fn(&Ground), expected: Option<&str>| {
            let mut ground = ground();
            assert_eq!(ground.changed(), None, "nothing did yet");
            change(&ground);
            assert_eq!(ground.changed().as_deref(), expected);
            assert_eq!(ground.changed(), None, "it is told once");
            ground.read();
            assert_eq!(ground.changed(), None, "and known when it was read");
        };
        check(&|_| {}, None);
        check(&|ground| ground.write("site.hcl", SITE), None);
        check(&|ground| ground.write("site.hcl", &format!("{SITE}# more\n")), Some("Text(\"site.hcl\")"));
        check(&|ground| ground.write("note.txt", "ho"), Some("File(\"note.txt\")"));
        check(&|ground| ground.write("m/main.hcl", "# x"), Some("File(\"m/main.hcl\")"));
        check(&|ground| ground.write("params.json", "{\"name\": \"y\"}"), Some("Text(\"params.json\")"));
        check(&|ground| ground.write("more.hcl", ""), Some("Texts(\".\")"));
        check(&|ground| ground.write(".site.hcl.swp", ""), None);
        check(&|ground| ground.write("m/more.hcl", ""), Some("Names(\"m\")"));
    }

    #[test]
    fn what_nobody_reports_is_asked_for() {
        let ground = ground();
        assert!(ground.ledger.has_unreported(), "the name of the machine can change");
        let steady = Ground::new(&[
            ("site.hcl", "log \"a\" { message = host.architecture }\n"),
            ("params.json", "{}"),
        ]);
        assert!(!steady.ledger.has_unreported());
        let check = |expression: &str| {
            let text = format!("log \"a\" {{ message = \"${{{expression}}}\" }}\n");
            let mut live = Ground::new(&[("site.hcl", &text), ("params.json", "{}")]);
            std::thread::sleep(std::time::Duration::from_millis(20));
            let now = live.source.surroundings().expect("surroundings");
            assert_eq!(live.ledger.changed(&now), None, "{expression} is not reported");
            assert!(live.ledger.changed_unreported(&now, false).is_some(), "{expression}");
        };
        check("file(\"/proc/uptime\")");
        check("timestamp()");
    }
}
