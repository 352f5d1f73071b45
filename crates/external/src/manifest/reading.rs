//! From text to a manifest.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::adapting::{Adapted, takes_single};
use super::content::{Manifest, SchemaSource, Sort};
use super::method::Method;
use super::methods::Methods;
use super::own::Own;
use crate::document::{Document, Fault, Spot};

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
    pub(super) fn read(document: &Arc<Document>, spot: &Spot<'_>, directory: &Path) -> Result<Self, Fault> {
        spot.refuse_slips(&KNOWN)?;
        let sort = read_sort(spot)?;
        let type_name = read_type(&spot.require("type")?)?;
        let own = Own::read(spot)?;
        let methods = Methods::read(spot)?;
        if sort == Sort::Resource && !methods.can_look() {
            let what = "nothing tells what is there: `get` is missing";
            let fix = "add a `get` that prints it, or a `test` that returns the state";
            return Err(spot.fault(what, fix).unsupported());
        }
        let codes = spot.get("exitCodes").map(|codes| read_exit_codes(&codes)).transpose()?;
        Ok(Self {
            path: spot.path().to_vec(),
            file: directory.join(Path::new(&document.file).file_name().unwrap_or_default()),
            directory: directory.to_owned(),
            document: document.clone(),
            origin: None,
            version: spot.require("version")?.text()?.to_owned(),
            doc: read_doc(spot, type_name)?,
            type_name: type_name.to_owned(),
            methods,
            schema: read_schema(spot, &sort)?,
            exit_codes: codes.unwrap_or_default(),
            own,
            sort,
        })
    }
}

/// The kinds of manifests, with why they cannot be run.
const KINDS: [(&str, &str); 5] = [
    ("resource", ""),
    ("adapter", ""),
    ("group", "a group runs other resources through `dsc` itself"),
    ("importer", "an importer runs other resources through `dsc` itself"),
    ("exporter", "an exporter cannot be brought into a state"),
];

fn read_sort(spot: &Spot<'_>) -> Result<Sort, Fault> {
    if let Some(kind) = spot.get("kind") {
        let why = kind.word(&KINDS)?;
        if !why.is_empty() {
            let fix = "declare the resources themselves, each of a kind of its own";
            return Err(kind.fault(why, fix).unsupported());
        }
    }
    if let Some(adapter) = spot.get("adapter") {
        return Ok(Sort::Adapter { single: takes_single(&adapter)? });
    }
    Ok(Adapted::read(spot)?.map_or(Sort::Resource, Sort::Adapted))
}

fn read_type<'a>(spot: &Spot<'a>) -> Result<&'a str, Fault> {
    let text = spot.text()?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let sound = match text.split_once('/') {
        Some((owner, name)) => owner.split('.').all(is_word) && is_word(name),
        None => false,
    };
    let refused =
        || spot.fault(format!("`type` = {text:?} is no name of a type"), "write it as in `Owner.Area/Name`");
    sound.then_some(text).ok_or_else(refused)
}

fn read_doc(spot: &Spot<'_>, type_name: &str) -> Result<String, Fault> {
    let text = |key: &str| spot.get(key).map_or(Ok(""), |text| text.text());
    let (description, version) = (text("description")?, text("version")?);
    let mut doc = match description.trim() {
        "" => format!("What `{type_name}` does."),
        some => some.to_owned(),
    };
    doc.push_str(&format!("\n\nA program that speaks DSC: `{type_name}`, version {version}."));
    if let Some(message) = spot.get("deprecationMessage") {
        doc.push_str(&format!(" Deprecated: {}", message.text()?));
    }
    Ok(doc)
}

/// Where the properties are described. An adapter has none of its own.
fn read_schema(spot: &Spot<'_>, sort: &Sort) -> Result<Option<SchemaSource>, Fault> {
    if matches!(sort, Sort::Adapter { .. }) {
        return Ok(None);
    }
    let schema = spot.require("schema")?;
    match (schema.get("embedded"), schema.get("command")) {
        (Some(embedded), _) => Ok(Some(SchemaSource::Embedded(embedded.json.clone()))),
        (None, Some(command)) => Ok(Some(SchemaSource::Command(Method::read(&command)?))),
        // Of a resource behind an adapter, `schema` may be the schema itself.
        (None, None) if matches!(sort, Sort::Adapted(_)) => {
            Ok(Some(SchemaSource::Whole(schema.json.clone())))
        }
        (None, None) => {
            Err(schema.fault("there is no schema in `schema`", "add `embedded` or `command` to it"))
        }
    }
}

fn read_exit_codes(spot: &Spot<'_>) -> Result<BTreeMap<i32, String>, Fault> {
    let read = |(code, text): (&str, Spot<'_>)| {
        let number = code
            .strip_prefix("0x")
            .map_or_else(|| code.parse().ok(), |hex| i32::from_str_radix(hex, 16).ok());
        let number = number
            .ok_or_else(|| text.fault(format!("the exit code {code:?} is no number"), "write a number"))?;
        Ok((number, text.text()?.to_owned()))
    };
    spot.members()?.into_iter().map(read).collect()
}
