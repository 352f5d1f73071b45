//! From files to kinds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use uphold_external::{Fault, KindDefinition, Manifest, PrintedKind, read_manifests};
use uphold_host::LocalHost;
use uphold_model::{Code, Diagnostic, Diagnostics, Place, SourceId, Sources};
use uphold_resource::{DeferredKind, Registry};

use super::kind_file::KindFile;
use crate::luau::{self, ScriptFile};

/// What files came to, besides the kinds.
pub(super) struct DefinerOutcome {
    /// What forbids to go on: mistakes in scripts.
    pub(super) errors: Diagnostics,
    /// Manifests that define no kind because of a mistake.
    pub(super) faults: Vec<Fault>,
}

/// Adds the kinds of these files. A manifest that cannot be a kind stops nobody: whoever uses the kind gets the reason.
/// Of two scripts of one name the first counts.
///
/// With `programs`, a program that prints the properties of a kind is run at the first use of that kind; without, never.
pub(super) fn define(
    files: &[KindFile],
    programs: bool,
    kinds: &mut Registry,
    sources: &mut Sources,
) -> DefinerOutcome {
    let ids: BTreeMap<&str, SourceId> = files
        .iter()
        .filter(|file| file.script_kind().is_some())
        .map(|file| (file.name.as_str(), sources.add(file.name.as_str(), file.text.as_str())))
        .collect();
    let outcome = DefinerOutcome { errors: Diagnostics::default(), faults: Vec::new() };
    let mut definer = Definer { files, programs, ids, kinds, outcome };
    definer.define_manifests();
    definer.define_scripts();
    definer.outcome.faults.retain(|fault| fault.is_mistake);
    definer.outcome
}

/// The mistakes in manifests as warnings. The texts that they are in are added to `sources`.
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
    /// The numbers of the texts of scripts.
    ids: BTreeMap<&'a str, SourceId>,
    kinds: &'a mut Registry,
    outcome: DefinerOutcome,
}

impl<'a> Definer<'a> {
    fn define_manifests(&mut self) {
        let mut manifests: Vec<Manifest> = Vec::new();
        for file in self.files.iter().filter(|file| file.is_manifest()) {
            let (read, faults) = read_manifests(&file.name, &file.text, &file.directory);
            manifests.extend(read);
            self.outcome.faults.extend(faults);
        }
        let scripts: BTreeSet<&str> = self.files.iter().filter_map(KindFile::script_kind).collect();
        let is_taken = |name: &str| self.kinds.has(name) || scripts.contains(name);
        let (defined, faults) = uphold_external::define(&manifests, &is_taken);
        self.outcome.faults.extend(faults);
        for kind in defined {
            if let Err(fault) = self.add(kind.manifest, kind.definition) {
                self.outcome.faults.push(fault);
            }
        }
        for fault in &self.outcome.faults {
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

    /// Its program is run on this machine, where the configuration is, whatever machine that is for.
    fn deferred(&self, printed: PrintedKind, file: &str) -> DeferredKind {
        let kind = DeferredKind::new(printed.outline(), file);
        match self.programs {
            true => kind.defined_by(move || {
                let stamp = uphold_host::program_stamp(printed.program(), printed.directory());
                let defined = printed.define(&LocalHost::new().machine().reading(), stamp.as_deref());
                defined.map_err(|fault| fault.reason())
            }),
            false => kind,
        }
    }

    fn file_name(&self, path: &Path) -> &'a str {
        self.files.iter().find(|file| file.place() == path).map_or("", |file| &*file.name)
    }

    /// All at once: they may extend each other.
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
        self.outcome.errors.extend(luau::define(&files, self.kinds));
        for kind in scripts.keys() {
            if !self.kinds.has(kind) {
                self.kinds.note_broken(kind);
            }
        }
    }

    /// Two kinds cannot have one name; `before` says where the other one is.
    fn refuse_second(&mut self, kind: &str, before: Option<&str>, file: &str) {
        let other =
            before.map_or("one of that name ships".to_owned(), |path| format!("{path} defines it, too"));
        let error =
            Diagnostic::new(Code::DuplicateKind, format!("{file} defines the kind `{kind}`, but {other}"));
        let error = error.at(self.start(file)).fix("give one of them another name");
        let first = before.and_then(|before| self.start(before));
        self.outcome
            .errors
            .push(first.into_iter().fold(error, |error, at| error.and_at(at, "the first one")));
    }

    fn start(&self, file: &str) -> Option<Place> {
        self.ids.get(file).map(|source| Place { source: *source, start: 0, end: 0 })
    }
}
