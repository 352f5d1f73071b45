//! The last known state of the inputs of a configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use uphold_host::ConfigurationFiles;
use uphold_resource::{Interest, Result, is_live_fact};

use crate::input_log::{Digest, Input, current_digest};
use crate::surroundings::LocalSurroundings;

/// Virtual file systems, whose changes are not reported.
const VIRTUAL: [&str; 2] = ["/proc", "/sys"];

/// The inputs, with the digest of their last reading or check.
#[derive(Default)]
pub(super) struct InputState {
    known: BTreeMap<Input, Digest>,
    /// Inputs that differ at every check.
    unstable: BTreeSet<Input>,
}

impl InputState {
    /// Replaces all inputs.
    pub(super) fn replace(&mut self, read: BTreeMap<Input, Digest>) {
        self.unstable.retain(|input| read.contains_key(input));
        self.known = read;
    }

    /// Adds inputs, and replaces their digests.
    pub(super) fn add(&mut self, read: BTreeMap<Input, Digest>) {
        self.known.extend(read);
    }

    /// Adds the new inputs.
    pub(super) fn add_new(&mut self, read: BTreeMap<Input, Digest>) {
        for (input, digest) in read {
            self.known.entry(input).or_insert(digest);
        }
    }

    /// The interests to watch.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub(super) fn interests(&self) -> Result<Vec<Interest>> {
        let files = ConfigurationFiles::new();
        // A file is read through links, which `Interest::Path` does not follow.
        let watched = |path: &Path| files.on_disk(path).map(Interest::Entries);
        self.known.keys().filter_map(path).map(watched).collect()
    }

    /// The first watched input that changed. The digests of all changed ones are updated.
    pub(super) fn changed(&mut self, now: &LocalSurroundings) -> Option<Input> {
        self.first_changed(now, |state, input| is_reported(input) && !state.unstable.contains(input))
    }

    /// The same for polled inputs; for `all` if nothing can be watched.
    pub(super) fn changed_polled(&mut self, now: &LocalSurroundings, all: bool) -> Option<Input> {
        self.first_changed(now, |state, input| all && path(input).is_some() || state.is_polled(input))
    }

    /// Whether there are polled inputs.
    pub(super) fn has_polled(&self) -> bool {
        self.known.keys().any(|input| self.is_polled(input))
    }

    /// This input differs at every check, so it is only polled.
    pub(super) fn set_unstable(&mut self, input: Input) {
        self.unstable.insert(input);
    }

    fn is_polled(&self, input: &Input) -> bool {
        match input {
            Input::Fact(name) => is_live_fact(name),
            Input::Clock => true,
            input => path(input).is_some_and(|path| is_virtual(path) || self.unstable.contains(input)),
        }
    }

    fn first_changed(
        &mut self,
        now: &LocalSurroundings,
        counts: impl Fn(&Self, &Input) -> bool,
    ) -> Option<Input> {
        let checked = self.known.iter().filter(|(input, _)| counts(self, input));
        let current = checked.map(|(input, known)| (input.clone(), *known, current_digest(input, now)));
        let changed: Vec<_> = current.filter(|(_, known, digest)| known != digest).collect();
        let first = changed.first().map(|(input, ..)| input.clone());
        self.known.extend(changed.into_iter().map(|(input, _, digest)| (input, digest)));
        first
    }
}

/// Whether its changes are reported.
fn is_reported(input: &Input) -> bool {
    path(input).is_some_and(|path| !is_virtual(path))
}

/// The path of an input on the disk. A name that is not UTF-8 is no path any more.
fn path(input: &Input) -> Option<&Path> {
    match input {
        Input::File(path) | Input::Names(path) | Input::Texts(path) | Input::Kinds(path) => Some(path),
        Input::Text(name) if !name.contains(char::REPLACEMENT_CHARACTER) => Some(Path::new(name)),
        Input::Text(_) | Input::Variable(_) | Input::Fact(_) | Input::Clock => None,
    }
}

fn is_virtual(path: &Path) -> bool {
    VIRTUAL.iter().any(|top| path.starts_with(PathBuf::from(top)))
}

#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
#[cfg(test)]
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

    /// A folder with a configuration, and the state of its inputs.
    struct Site {
        folder: tempfile::TempDir,
        source: ConfigurationSource,
        inputs: InputState,
    }

    impl Site {
        fn new(files: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            fs::create_dir(folder.path().join("m")).expect("a folder");
            let params = folder.path().join("params.json");
            let engine = Engine::on(LocalHost::new()).build();
            let reader = Configuration::reader(&engine).params_file(params);
            let source = ConfigurationSource::new(reader, vec![folder.path().into()]).expect("no stream");
            let mut site = Self { folder, source, inputs: InputState::default() };
            files.iter().for_each(|(name, text)| site.write(name, text));
            site.read();
            site
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.folder.path().join(name), text).expect("a file");
        }

        fn read(&mut self) {
            let notes = Arc::<InputLog>::default();
            let checked = self.source.check(&notes, &crate::ReloadTrigger::Start).expect("it can be read");
            assert!(checked.is_ok(), "{:?}", checked.err());
            self.inputs.replace(notes.all());
        }

        /// The changed input, relative to the folder.
        fn changed(&mut self) -> Option<String> {
            let now = self.source.surroundings().expect("surroundings");
            let place = format!("{}/", self.folder.path().display());
            let changed = self.inputs.changed(&now)?;
            Some(format!("{changed:?}").replace(&place, "").replace(place.trim_end_matches('/'), "."))
        }
    }

    fn site() -> Site {
        Site::new(&[("site.hcl", SITE), ("note.txt", "hi"), ("m/main.hcl", ""), ("params.json", "{}")])
    }

    #[test]
    fn changed_inputs_are_found() {
        let check = |change: &dyn Fn(&Site), expected: Option<&str>| {
            let mut site = site();
            assert_eq!(site.changed(), None, "nothing changed yet");
            change(&site);
            assert_eq!(site.changed().as_deref(), expected);
            assert_eq!(site.changed(), None, "it is reported once");
            site.read();
            assert_eq!(site.changed(), None, "and not after it was read");
        };
        check(&|_| {}, None);
        check(&|site| site.write("site.hcl", SITE), None);
        check(&|site| site.write("site.hcl", &format!("{SITE}# more\n")), Some("Text(\"site.hcl\")"));
        check(&|site| site.write("note.txt", "ho"), Some("File(\"note.txt\")"));
        check(&|site| site.write("m/main.hcl", "# x"), Some("File(\"m/main.hcl\")"));
        check(&|site| site.write("params.json", "{\"name\": \"y\"}"), Some("Text(\"params.json\")"));
        check(&|site| site.write("more.hcl", ""), Some("Texts(\".\")"));
        check(&|site| site.write(".site.hcl.swp", ""), None);
        check(&|site| site.write("m/more.hcl", ""), Some("Names(\"m\")"));
    }

    #[test]
    fn virtual_files_and_facts_are_polled() {
        let site = site();
        assert!(site.inputs.has_polled(), "the name of the machine can change");
        let steady =
            Site::new(&[("site.hcl", "log \"a\" { message = host.architecture }\n"), ("params.json", "{}")]);
        assert!(!steady.inputs.has_polled());
        let check = |expression: &str| {
            let text = format!("log \"a\" {{ message = \"${{{expression}}}\" }}\n");
            let mut live = Site::new(&[("site.hcl", &text), ("params.json", "{}")]);
            std::thread::sleep(std::time::Duration::from_millis(20));
            let now = live.source.surroundings().expect("surroundings");
            assert_eq!(live.inputs.changed(&now), None, "{expression} is not reported");
            assert!(live.inputs.changed_polled(&now, false).is_some(), "{expression}");
        };
        check("file(\"/proc/uptime\")");
        check("timestamp()");
    }
}
