//! Parsing a manifest.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::adapting::{Adapted, takes_single};
use super::content::{Manifest, ManifestKind, Own, SchemaSource};
use super::method::{Method, Methods};
use crate::document::{Document, Fault, Located};

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
    pub(super) fn read(
        document: &Arc<Document>,
        located: &Located<'_>,
        directory: &Path,
    ) -> Result<Self, Fault> {
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
