//! Defines the kinds of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use uphold_external::{Fault, KindDefinition, Manifest, PrintedKind, read_manifests};
use uphold_host::LocalHost;
use uphold_model::{Code, Diagnostic, Diagnostics, Place, SourceId, Sources};
use uphold_resource::{DeferredKind, Registry};

use super::search::KindFile;
use crate::luau::{self, ScriptFile};

/// Adds the kinds of these files. An invalid manifest is an error only where its kind is used. Of two scripts with the same
/// name, the first wins.
///
/// Returns the errors in scripts, and the invalid manifests. With `programs`, a program that prints the schema of a kind runs at the first use of that kind; without, never.
pub(super) fn define(
    files: &[KindFile],
    programs: bool,
    kinds: &mut Registry,
    sources: &mut Sources,
) -> (Diagnostics, Vec<Fault>) {
    let ids: BTreeMap<&str, SourceId> = files
        .iter()
        .filter(|file| file.is_library || file.script_kind().is_some())
        .map(|file| (file.name.as_str(), sources.add(file.name.as_str(), file.text.as_str())))
        .collect();
    let mut definer =
        Definer { files, programs, ids, kinds, errors: Diagnostics::default(), faults: Vec::new() };
    definer.define_manifests();
    definer.define_scripts();
    definer.faults.retain(|fault| fault.is_mistake);
    (definer.errors, definer.faults)
}

/// The errors of manifests as warnings. Their texts are added to `sources`.
pub(super) fn warnings(faults: &[Fault], files: &[KindFile], sources: &mut Sources) -> Diagnostics {
    let mut ids: BTreeMap<&str, SourceId> = BTreeMap::new();
    let mut warnings = Diagnostics::default();
    for fault in faults {
        let Some(file) = files.iter().find(|file| file.name == fault.file) else { continue };
        let add = || sources.add(file.name.as_str(), file.text.as_str());
        warnings.push(fault.diagnostic(*ids.entry(&file.name).or_insert_with(add)));
    }
    warnings
}

struct Definer<'a> {
    files: &'a [KindFile],
    programs: bool,
    /// The sources of scripts.
    ids: BTreeMap<&'a str, SourceId>,
    kinds: &'a mut Registry,
    errors: Diagnostics,
    faults: Vec<Fault>,
}

impl<'a> Definer<'a> {
    fn define_manifests(&mut self) {
        let mut manifests: Vec<Manifest> = Vec::new();
        for file in self.files.iter().filter(|file| file.is_manifest()) {
            let (read, faults) = read_manifests(&file.name, &file.text, &file.directory);
            manifests.extend(read);
            self.faults.extend(faults);
        }
        let scripts: BTreeSet<&str> = self.files.iter().filter_map(KindFile::script_kind).collect();
        let is_taken = |name: &str| self.kinds.has(name) || scripts.contains(name);
        let (defined, faults) = uphold_external::define(&manifests, &is_taken);
        self.faults.extend(faults);
        for kind in defined {
            if let Err(fault) = self.add(kind.manifest, kind.definition) {
                self.faults.push(fault);
            }
        }
        for fault in &self.faults {
            fault.kinds.iter().for_each(|kind| self.kinds.note_unusable(kind, fault.reason()));
        }
    }

    fn add(&mut self, manifest: &Manifest, definition: KindDefinition) -> Result<(), Fault> {
        let file = self.file_name(manifest.file());
        let added = match definition {
            KindDefinition::Known(definition) => {
                let name = definition.schema().kind;
                self.kinds.define(definition).map(|()| self.kinds.note_file(name, file))
            }
            KindDefinition::Printed(printed) => self.kinds.defer(self.deferred(*printed, file)),
        };
        added.map_err(|error| manifest.refused(&error.to_string()))
    }

    /// Its program runs on this machine, where the configuration is, even if that is for another machine.
    fn deferred(&self, printed: PrintedKind, file: &str) -> DeferredKind {
        let kind = DeferredKind::new(printed.outline(), file);
        if !self.programs {
            return kind;
        }
        kind.defined_by(move || {
            let stamp = uphold_host::program_stamp(printed.program(), printed.directory());
            let defined = printed.define(&LocalHost::new().machine().reading(), stamp.as_deref());
            defined.map_err(|fault| fault.reason())
        })
    }

    fn file_name(&self, path: &Path) -> &'a str {
        self.files.iter().find(|file| file.path() == path).map_or("", |file| &*file.name)
    }

    /// Defines all scripts together: they may extend each other.
    fn define_scripts(&mut self) {
        let mut scripts: BTreeMap<&str, ScriptFile<'a>> = BTreeMap::new();
        for file in self.files {
            let Some(kind) = file.script_kind() else { continue };
            let known = self.kinds.has(kind).then(|| self.kinds.file_of(kind).map(str::to_owned));
            match known.or_else(|| scripts.get(kind).map(|first| Some(first.name.to_owned()))) {
                Some(before) => self.refuse_second(kind, before.as_deref(), &file.name),
                None => {
                    let source = self.ids[file.name.as_str()];
                    scripts.insert(kind, ScriptFile { name: &file.name, source, text: &file.text });
                }
            }
        }
        let files: Vec<ScriptFile<'_>> = scripts.values().copied().collect();
        let library = |file: &'a KindFile| {
            let source = self.ids[file.name.as_str()];
            ScriptFile { name: &file.name, source, text: &file.text }
        };
        let libraries: Vec<ScriptFile<'_>> =
            self.files.iter().filter(|file| file.is_library).map(library).collect();
        self.errors.extend(luau::define(&files, &libraries, self.kinds));
        for kind in scripts.keys() {
            if !self.kinds.has(kind) {
                self.kinds.note_broken(kind);
            }
        }
    }

    /// Rejects a second kind with the same name; `before` is the file of the first.
    fn refuse_second(&mut self, kind: &str, before: Option<&str>, file: &str) {
        let other = before
            .map_or("a built-in kind has that name".to_owned(), |path| format!("{path} also defines it"));
        let error =
            Diagnostic::new(Code::DuplicateKind, format!("{file} defines the kind `{kind}`, but {other}"));
        let error = error.at(self.start(file)).fix("give one of them another name");
        let first = before.and_then(|before| self.start(before));
        self.errors.push(first.into_iter().fold(error, |error, at| error.and_at(at, "first defined here")));
    }

    fn start(&self, file: &str) -> Option<Place> {
        self.ids.get(file).map(|source| Place { source: *source, start: 0, end: 0 })
    }
}
