//! Kinds whose resources an external program loads and changes.

mod changing;
mod definition;
mod looking;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use definition::External;
use serde_json::Value as Json;
use uphold_model::Schema;
use uphold_resource::{Definition, Reading, Result, Result as Outcome};

use super::document::Fault;
use super::manifest::{Manifest, Method, SchemaSource, kind_names, newest};
use super::program::{Call, Operation, Printed, Runner};
use super::schema::{Checker, Layout};

// Kinds from manifests.

/// A kind, and the manifest that defines it.
pub struct DefinedKind<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The kind, for a registry.
    pub definition: KindDefinition,
}

/// The definition of a kind.
pub enum KindDefinition {
    /// The manifest describes its properties.
    Known(Arc<dyn Definition>),
    /// A program prints its properties.
    Printed(Box<PrintedKind>),
}

/// The kinds that these manifests define, and the mistakes in the others. Runs no program.
///
/// A kind has the name of its type without the namespace; with as much of it as is needed if `is_taken` returns true
/// for the name, or if another type would have it, too. Of several versions of a type, the newest counts.
///
/// An adapter is not a kind, but it must be among the manifests if another one needs it. The same manifest at the same
/// place gives the same kind again, so that reading it repeatedly leaks no memory.
pub fn define<'a>(
    manifests: &'a [Manifest],
    is_taken: &dyn Fn(&str) -> bool,
) -> (Vec<DefinedKind<'a>>, Vec<Fault>) {
    let (manifests, mut faults) = newest(manifests);
    let (mut origins, mut runnable) = (Vec::new(), Vec::new());
    for manifest in &manifests {
        match manifest.with_adapter(&manifests) {
            Ok(Some(whole)) => {
                origins.push(*manifest);
                runnable.push(whole);
            }
            Ok(None) => {}
            Err(fault) => faults.push(fault),
        }
    }
    let names = kind_names(&runnable, is_taken);
    faults.extend(ambiguous(&runnable, &names, is_taken));
    let mut kinds = Vec::new();
    for ((manifest, whole), name) in origins.into_iter().zip(runnable).zip(names) {
        match name.ok_or_else(|| taken(manifest)).and_then(|name| make(whole, name)) {
            Ok(definition) => kinds.push(DefinedKind { manifest, definition }),
            Err(fault) => faults.push(fault),
        }
    }
    (kinds, faults)
}

fn make(manifest: Manifest, name: String) -> Result<KindDefinition, Fault> {
    let (schema, path): (_, &[&str]) = match &manifest.schema {
        Some(SchemaSource::Command(method)) => {
            let method = method.clone();
            return Ok(KindDefinition::Printed(Box::new(PrintedKind::new(manifest, name, method))));
        }
        Some(SchemaSource::Embedded(schema)) => (schema, &["schema", "embedded"]),
        Some(SchemaSource::Whole(schema)) => (schema, &["schema"]),
        None => (&Json::Null, &["schema"]),
    };
    with_schema(&manifest, &name, schema, path).map(KindDefinition::Known)
}

/// The kind of a manifest whose schema is known. `path` leads to the schema in the manifest.
fn with_schema(
    manifest: &Manifest,
    name: &str,
    schema: &Json,
    path: &[&str],
) -> Result<Arc<dyn Definition>, Fault> {
    definition(manifest, name, schema, || {
        let layout = Layout::read(manifest, name, schema).map_err(|schema_fault| {
            let inside = schema_fault.path.iter().map(String::as_str);
            let full: Vec<&str> = path.iter().copied().chain(inside).collect();
            let fault = manifest.fault(
                &full,
                format!("{}: {}", manifest.type_name, schema_fault.what),
                schema_fault.fix.as_str(),
            );
            if schema_fault.is_unsupported { fault.unsupported() } else { fault }
        })?;
        let checker = Checker::new(schema);
        Ok(Arc::new(External { manifest: manifest.clone(), layout, checker, runner: Runner::default() }))
    })
}

/// The reasons why a short name that several types share is the name of none.
fn ambiguous(
    manifests: &[Manifest],
    names: &[Option<String>],
    is_taken: &dyn Fn(&str) -> bool,
) -> Vec<Fault> {
    let mut wanting: BTreeMap<String, Vec<(&Manifest, &str)>> = BTreeMap::new();
    for (manifest, name) in manifests.iter().zip(names) {
        let (Some(name), Some(short)) = (name, manifest.kind_candidates().into_iter().next()) else {
            continue;
        };
        if short != *name && !is_taken(&short) {
            wanting.entry(short).or_default().push((manifest, name));
        }
    }
    let fault = |(short, all): (String, Vec<(&Manifest, &str)>)| {
        let each = all.iter().map(|(manifest, name)| format!("`{name}` is {}", manifest.type_name));
        let what = format!("`{short}` could be several types: {}", each.collect::<Vec<_>>().join(", "));
        let fault = all[0].0.fault(&["type"], what, "use one of these kinds");
        fault.of_kinds(vec![short]).unsupported()
    };
    wanting.into_iter().filter(|(_, all)| all.len() > 1).map(fault).collect()
}

fn taken(manifest: &Manifest) -> Fault {
    let names = manifest.kind_candidates();
    let what = format!(
        "{} cannot be a kind: `{}` is already used, or not a valid \
                 name",
        manifest.type_name,
        names.join("`, `")
    );
    let fix = "choose another name: \"metadata\": {\"uphold\": {\"kind\": \"…\"}}";
    let path: &[&str] = if manifest.own.kind.is_some() { &["metadata", "uphold", "kind"] } else { &["type"] };
    manifest.fault(path, what, fix)
}

// A kind whose properties a program prints.

/// A kind whose manifest has a `schema.command`. The program runs only when [`PrintedKind::define`] is called.
pub struct PrintedKind {
    manifest: Manifest,
    name: String,
    method: Method,
    outline: &'static Schema,
}

impl PrintedKind {
    fn new(manifest: Manifest, name: String, method: Method) -> Self {
        let outline = outline(&manifest, &name, || Layout::outline(&manifest, &name));
        Self { manifest, name, method, outline }
    }

    /// The kind without its properties.
    pub fn outline(&self) -> &'static Schema {
        self.outline
    }

    /// The directory of the manifest, where the program runs.
    pub fn directory(&self) -> &Path {
        &self.manifest.directory
    }

    /// The program that prints the properties, as the manifest names it.
    pub fn program(&self) -> &str {
        &self.method.executable
    }

    /// Runs the program, and creates the kind from its output. A program file with the same stamp is run once for each
    /// manifest in the life of the process.
    ///
    /// # Errors
    /// If the program cannot be run, or does not print a valid schema.
    pub fn define(
        &self,
        host: &Reading<'_>,
        program_stamp: Option<&str>,
    ) -> std::result::Result<Arc<dyn Definition>, Fault> {
        let path = ["schema", "command"];
        let schema = printed_schema(&self.manifest, program_stamp, || self.print(host));
        let schema = schema.map_err(|error| {
            let fix = error.advice().unwrap_or("run it manually to see why").to_owned();
            self.manifest.fault(&path, error.chain(), fix)
        })?;
        with_schema(&self.manifest, &self.name, &schema, &path)
    }

    fn print(&self, host: &Reading<'_>) -> Result<Json> {
        let (method, input) = (&self.method, Default::default());
        let call = Call { operation: Operation::Schema, method, input, secret: false };
        let start = |command: &uphold_resource::Command| host.probe(command);
        let output = Runner::default().run(&self.manifest, &call, host, &start)?;
        Printed::of(&call, &output, &self.manifest.type_name).object().map(Json::Object)
    }
}

// A cache of kinds: each is created once, because its schema lives as long as the process.

/// The inputs of a kind: its file, its type, the texts, and its name and schema.
type Key = (PathBuf, String, String, String);

static DEFINITIONS: Mutex<BTreeMap<Key, Arc<External>>> = Mutex::new(BTreeMap::new());
static OUTLINES: Mutex<BTreeMap<Key, &'static Schema>> = Mutex::new(BTreeMap::new());
/// Schemas that programs printed, by the state of the program's file: another program may print another schema.
static PRINTED: Mutex<BTreeMap<Key, Json>> = Mutex::new(BTreeMap::new());

fn key(manifest: &Manifest, more: String) -> Key {
    (manifest.file.clone(), manifest.type_name.clone(), manifest.texts(), more)
}

/// The kind of this manifest, name and schema, created unless it is cached.
///
/// A watch reads its configuration repeatedly. Unchanged kinds are reused: nothing is leaked, and one program still
/// runs once at a time while the old configuration is replaced.
fn definition(
    manifest: &Manifest,
    name: &str,
    schema: &Json,
    make: impl FnOnce() -> Result<Arc<External>, Fault>,
) -> Result<Arc<dyn Definition>, Fault> {
    let key = key(manifest, format!("{name}\n{schema}"));
    let mut made = DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kind) = made.get(&key) {
        return Ok(kind.clone());
    }
    let kind = make()?;
    made.insert(key, kind.clone());
    Ok(kind)
}

/// The outline of this manifest's kind, created unless it is cached.
fn outline(manifest: &Manifest, name: &str, make: impl FnOnce() -> &'static Schema) -> &'static Schema {
    let mut made = OUTLINES.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(key(manifest, name.to_owned())).or_insert_with(make)
}

/// The schema that the program of this manifest prints, requested unless it is cached for the same program file. A
/// program without a stamp is run each time.
fn printed_schema(
    manifest: &Manifest,
    program_stamp: Option<&str>,
    print: impl FnOnce() -> Outcome<Json>,
) -> Outcome<Json> {
    let Some(stamp) = program_stamp else { return print() };
    let key = key(manifest, stamp.to_owned());
    let known = PRINTED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(schema) = known {
        return Ok(schema);
    }
    let schema = print()?;
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, schema.clone());
    Ok(schema)
}
