//! From files to kinds.

use std::collections::BTreeMap;

use uphold_external::{Fault, Manifest, read_manifests};
use uphold_host::LocalHost;
use uphold_model::{Diagnostic, Diagnostics, Place, SourceId, Sources};
use uphold_resource::{Kind, KindError, Registry};
use uphold_script::ScriptFile;

use super::kind_file::KindFile;

/// Adds the kinds of these files. What is wrong is told; of two kinds of one name the first is there.
pub(super) fn define(files: &[KindFile], kinds: &mut Registry, sources: &mut Sources) -> Diagnostics {
    let ids: BTreeMap<&str, SourceId> = files
        .iter()
        .map(|file| (file.name.as_str(), sources.add(file.name.as_str(), file.text.as_str())))
        .collect();
    let mut definer = Definer { files, ids, kinds, diagnostics: Diagnostics::default() };
    definer.define_manifests();
    definer.define_scripts();
    definer.diagnostics
}

struct Definer<'a> {
    files: &'a [KindFile],
    /// The numbers of their texts.
    ids: BTreeMap<&'a str, SourceId>,
    kinds: &'a mut Registry,
    diagnostics: Diagnostics,
}

impl<'a> Definer<'a> {
    /// Programs are asked on this machine, where the configuration is, whatever machine it is for.
    fn define_manifests(&mut self) {
        let manifests = self.manifests();
        let (made, faults) = uphold_external::define(&manifests, &LocalHost::new());
        faults.iter().for_each(|fault| self.blame(fault));
        for one in made {
            let kind = one.definition.schema().kind;
            let is_it = |file: &&KindFile| file.place() == one.manifest.file();
            let Some(file) = self.files.iter().find(is_it).map(|file| &*file.name) else { continue };
            let before = self.kinds.get(kind).map(Kind::defined_in).map(|file| file.map(str::to_owned));
            match (before, self.kinds.define(one.definition)) {
                (Some(before), _) => self.refuse_second(kind, before.as_deref(), file),
                (None, Err(error)) => self.refuse(&error, file),
                (None, Ok(())) => self.kinds.note_file(kind, file),
            }
        }
    }

    fn manifests(&mut self) -> Vec<Manifest> {
        let mut manifests = Vec::new();
        for file in self.files.iter().filter(|file| file.is_manifest()) {
            match read_manifests(&file.name, &file.text, &file.directory) {
                Ok(read) => manifests.extend(read),
                Err(faults) => faults.iter().for_each(|fault| self.blame(fault)),
            }
        }
        manifests
    }

    /// All at once: they may extend each other.
    fn define_scripts(&mut self) {
        let mut scripts: BTreeMap<&str, ScriptFile<'a>> = BTreeMap::new();
        for file in self.files {
            let Some(kind) = file.script_kind() else { continue };
            let known = self.kinds.get(kind).map(|kind| kind.defined_in().map(str::to_owned));
            match known.or_else(|| scripts.get(kind).map(|first| Some(first.name.to_owned()))) {
                Some(before) => self.refuse_second(kind, before.as_deref(), &file.name),
                None => {
                    let source = self.ids[file.name.as_str()];
                    scripts.insert(kind, ScriptFile { name: &file.name, source, text: &file.text });
                }
            }
        }
        let files: Vec<ScriptFile<'_>> = scripts.values().copied().collect();
        self.diagnostics.extend(uphold_script::define(&files, self.kinds));
        for kind in scripts.keys() {
            if self.kinds.get(kind).is_none() {
                self.kinds.note_broken(kind);
            }
        }
    }

    fn blame(&mut self, fault: &Fault) {
        if let Some(source) = self.ids.get(fault.file.as_str()) {
            self.diagnostics.push(fault.diagnostic(*source));
        }
    }

    /// Two kinds cannot have one name; `before` says where the other one is.
    fn refuse_second(&mut self, kind: &str, before: Option<&str>, file: &str) {
        let other =
            before.map_or("one of that name ships".to_owned(), |path| format!("{path} defines it, too"));
        let error =
            Diagnostic::error("duplicate kind", format!("{file} defines the kind `{kind}`, but {other}"));
        let error = error.at(self.start(file)).fix("give one of them another name");
        let first = before.and_then(|before| self.start(before));
        self.diagnostics.push(first.into_iter().fold(error, |error, at| error.and_at(at, "the first one")));
    }

    fn refuse(&mut self, error: &KindError, file: &str) {
        let error = Diagnostic::error("unsound kind", format!("{file}: {error}"));
        self.diagnostics.push(error.at(self.start(file)).fix("mend the file"));
    }

    fn start(&self, file: &str) -> Option<Place> {
        self.ids.get(file).map(|source| Place { source: *source, start: 0, end: 0 })
    }
}
