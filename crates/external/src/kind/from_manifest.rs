//! Kinds from manifests.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;
use uphold_resource::Definition;

use super::definition::External;
use super::kind_cache;
use super::printed_kind::PrintedKind;
use crate::document::Fault;
use crate::manifest::{Manifest, SchemaSource, kind_names, newest};
use crate::program::Runner;
use crate::schema::{Checker, Layout};

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
pub(super) fn with_schema(
    manifest: &Manifest,
    name: &str,
    schema: &Json,
    path: &[&str],
) -> Result<Arc<dyn Definition>, Fault> {
    kind_cache::definition(manifest, name, schema, || {
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
