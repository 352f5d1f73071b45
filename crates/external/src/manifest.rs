//! Manifests: the program of each operation, and its input.

mod content;
mod method;
mod naming;
mod version;
mod watched;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use content::{Adapted, ManifestKind, Own, takes_single};
use method::Methods;
use naming::candidates;

use super::document::{Document, Fault, Located};

pub use content::Manifest;

pub(crate) use content::SchemaSource;
pub(crate) use method::{Argument, Input, Method, Returns, SecurityContext};
pub(crate) use naming::{kind_names, snake_case};
pub(crate) use version::newest;
pub(crate) use watched::Watched;

// Parsing a manifest.

const KNOWN: [&str; 25] = [
    "$schema",
    "type",
    "version",
    "kind",
    "description",
    "tags",
    "condition",
    "deprecationMessage",
    "get",
    "set",
    "whatIf",
    "test",
    "delete",
    "export",
    "resolve",
    "validate",
    "adapter",
    "exitCodes",
    "schema",
    "metadata",
    "requireAdapter",
    "capabilities",
    "content",
    "path",
    "author",
];

impl Manifest {
    fn read(document: &Arc<Document>, located: &Located<'_>, directory: &Path) -> Result<Self, Fault> {
        located.reject_typos(&KNOWN)?;
        let sort = read_sort(located)?;
        let type_name = read_type(&located.require("type")?)?;
        let own = Own::read(located)?;
        let methods = Methods::read(located)?;
        if sort == ManifestKind::Resource && !methods.can_load() {
            let what = "the current state cannot be read: `get` is missing";
            let fix = "add a `get` that prints the state, or a `test` that returns it";
            return Err(located.fault(what, fix).unsupported());
        }
        let codes = located.get("exitCodes").map(|codes| read_exit_codes(&codes)).transpose()?;
        Ok(Self {
            path: located.path().to_vec(),
            file: directory.join(Path::new(&document.file).file_name().unwrap_or_default()),
            directory: directory.to_owned(),
            document: document.clone(),
            origin: None,
            version: located.require("version")?.text()?.to_owned(),
            doc: read_doc(located, type_name)?,
            type_name: type_name.to_owned(),
            methods,
            schema: read_schema(located, &sort)?,
            exit_codes: codes.unwrap_or_default(),
            own,
            sort,
        })
    }
}

/// The kinds of manifests, and why they cannot be run.
const KINDS: [(&str, &str); 5] = [
    ("resource", ""),
    ("adapter", ""),
    ("group", "a group runs other resources through `dsc` itself"),
    ("importer", "an importer runs other resources through `dsc` itself"),
    ("exporter", "an exporter has no state to converge"),
];

fn read_sort(located: &Located<'_>) -> Result<ManifestKind, Fault> {
    if let Some(kind) = located.get("kind") {
        let why = kind.word(&KINDS)?;
        if !why.is_empty() {
            let fix = "declare the resources themselves, each of a kind of its own";
            return Err(kind.fault(why, fix).unsupported());
        }
    }
    if let Some(adapter) = located.get("adapter") {
        return Ok(ManifestKind::Adapter { single: takes_single(&adapter)? });
    }
    Ok(Adapted::read(located)?.map_or(ManifestKind::Resource, ManifestKind::Adapted))
}

fn read_type<'a>(located: &Located<'a>) -> Result<&'a str, Fault> {
    let text = located.text()?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let sound = match text.split_once('/') {
        Some((owner, name)) => owner.split('.').all(is_word) && is_word(name),
        None => false,
    };
    let refused = || {
        located
            .fault(format!("`type` = {text:?} is not a valid type name"), "write it as in `Owner.Area/Name`")
    };
    sound.then_some(text).ok_or_else(refused)
}

fn read_doc(located: &Located<'_>, type_name: &str) -> Result<String, Fault> {
    let text = |key: &str| located.get(key).map_or(Ok(""), |text| text.text());
    let (description, version) = (text("description")?, text("version")?);
    let mut doc = match description.trim() {
        "" => format!("Runs `{type_name}`."),
        some => some.to_owned(),
    };
    doc.push_str(&format!("\n\nA program with a DSC interface: `{type_name}`, version {version}."));
    if let Some(message) = located.get("deprecationMessage") {
        doc.push_str(&format!(" Deprecated: {}", message.text()?));
    }
    Ok(doc)
}

/// The source of the schema. An adapter has none of its own.
fn read_schema(located: &Located<'_>, sort: &ManifestKind) -> Result<Option<SchemaSource>, Fault> {
    if matches!(sort, ManifestKind::Adapter { .. }) {
        return Ok(None);
    }
    let schema = located.require("schema")?;
    match (schema.get("embedded"), schema.get("command")) {
        (Some(embedded), _) => Ok(Some(SchemaSource::Embedded(embedded.json.clone()))),
        (None, Some(command)) => Ok(Some(SchemaSource::Command(Method::read(&command)?))),
        // In an adapted resource, `schema` may be the schema itself.
        (None, None) if matches!(sort, ManifestKind::Adapted(_)) => {
            Ok(Some(SchemaSource::Whole(schema.json.clone())))
        }
        (None, None) => Err(schema.fault("`schema` contains no schema", "add `embedded` or `command` to it")),
    }
}

fn read_exit_codes(located: &Located<'_>) -> Result<BTreeMap<i32, String>, Fault> {
    let read = |(code, text): (&str, Located<'_>)| {
        let number = code
            .strip_prefix("0x")
            .map_or_else(|| code.parse().ok(), |hex| i32::from_str_radix(hex, 16).ok());
        let number = number
            .ok_or_else(|| text.fault(format!("the exit code {code:?} is not a number"), "write a number"))?;
        Ok((number, text.text()?.to_owned()))
    };
    located.members()?.into_iter().map(read).collect()
}

// Manifest files: with one manifest or several.

/// Suffixes of files with one manifest, and with several.
const SINGLE: [&str; 2] = [".dsc.resource", ".dsc.adaptedResource"];
const SEVERAL: &str = ".dsc.manifests";
const FORMATS: [&str; 3] = [".json", ".yaml", ".yml"];

/// Whether a file of this name contains manifests: `NAME.dsc.resource.json`, `NAME.dsc.adaptedResource.json` or
/// `NAME.dsc.manifests.json`, or any of them in YAML.
pub fn is_manifest(file_name: &str) -> bool {
    stem(file_name).is_some_and(|stem| {
        SINGLE.iter().chain([&SEVERAL]).any(|end| stem.strip_suffix(end).is_some_and(|name| !name.is_empty()))
    })
}

fn stem(file_name: &str) -> Option<&str> {
    FORMATS.iter().find_map(|format| file_name.strip_suffix(format))
}

/// The manifests in a file, and the first fault of each invalid one. `file` is its name in messages, and `directory`
/// the absolute path of its directory.
///
/// Extensions in a file of several manifests are ignored, as extension files are.
pub fn read_manifests(file: &str, text: &str, directory: &Path) -> (Vec<Manifest>, Vec<Fault>) {
    let (mut manifests, mut faults) = (Vec::new(), Vec::new());
    let document = match Document::read(file, text) {
        Ok(document) => Arc::new(document),
        Err(fault) => return (manifests, vec![fault.of_kinds(named_by_file(file))]),
    };
    let whole = Located::whole(&document);
    let spots =
        if stem(file).is_some_and(|stem| stem.ends_with(SEVERAL)) { listed(&whole) } else { Ok(vec![whole]) };
    let spots = spots.unwrap_or_else(|fault| {
        faults.push(fault);
        Vec::new()
    });
    for located in spots {
        match Manifest::read(&document, &located, directory) {
            Ok(manifest) => manifests.push(manifest),
            Err(fault) => faults.push(fault.of_kinds(kinds_at(&located, file))),
        }
    }
    (manifests, faults)
}

/// The possible kind names of an unusable manifest.
fn kinds_at(located: &Located<'_>, file: &str) -> Vec<String> {
    let text = |pointer: &str| located.json.pointer(pointer).and_then(|json| json.as_str());
    match (text("/metadata/uphold/kind"), text("/type")) {
        (Some(kind), _) => vec![kind.to_owned()],
        (None, Some(type_name)) => candidates(type_name),
        (None, None) => named_by_file(file),
    }
}

fn named_by_file(file: &str) -> Vec<String> {
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    name.and_then(manifest_kind).into_iter().collect()
}

/// The kind that a manifest in a file of this name probably defines, as far as the file name tells: `text_file` for
/// `TextFile.dsc.resource.json`.
pub fn manifest_kind(file_name: &str) -> Option<String> {
    let stem = stem(file_name)?;
    SINGLE.iter().find_map(|end| stem.strip_suffix(end)).map(snake_case)
}

fn listed<'a>(whole: &Located<'a>) -> Result<Vec<Located<'a>>, Fault> {
    let lists = ["resources", "adaptedResources"].into_iter().filter_map(|key| whole.get(key));
    let lists: Vec<_> = lists.map(|list| list.items()).collect::<Result<_, _>>()?;
    Ok(lists.concat())
}
