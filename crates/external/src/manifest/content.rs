//! A manifest, read and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;
use uphold_model::{RESERVED_BLOCKS, is_identifier};

use super::kind_name::snake_case;
use super::method::Method;
use super::own::Own;
use crate::document::{Document, Fault, Spot};

/// A manifest of one resource type.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub(crate) document: Arc<Document>,
    /// Where in the document it stands: not at the top in a file of several.
    pub(crate) path: Vec<String>,
    /// The directory that holds it, where its programs run.
    pub(crate) directory: PathBuf,
    pub(crate) type_name: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) doc: String,
    pub(crate) get: Method,
    pub(crate) set: Option<Method>,
    pub(crate) test: Option<Method>,
    pub(crate) delete: Option<Method>,
    pub(crate) validate: Option<Method>,
    pub(crate) what_if: Option<Method>,
    pub(crate) schema: SchemaSource,
    pub(crate) exit_codes: BTreeMap<i32, String>,
    pub(crate) own: Own,
}

/// Where the properties are described.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaSource {
    /// In the manifest.
    Embedded(Json),
    /// A program prints it.
    Command(Method),
}

const KNOWN: [&str; 20] = [
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
];

impl Manifest {
    /// The kind that it defines: what its blocks begin with.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The type as the manifest calls it, such as `Example.Area/TextFile`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The file.
    pub fn file(&self) -> PathBuf {
        self.directory.join(Path::new(&self.document.file).file_name().unwrap_or_default())
    }

    pub(crate) fn read(document: &Arc<Document>, spot: &Spot<'_>, directory: &Path) -> Result<Self, Fault> {
        spot.refuse_slips(&KNOWN)?;
        refuse_other_kinds(spot)?;
        let type_name = read_type(&spot.require("type")?)?;
        let own = Own::read(spot)?;
        let kind = match &own.kind {
            Some(kind) => kind.clone(),
            None => kind_of(&spot.require("type")?, type_name)?,
        };
        let method = |key: &str| spot.get(key).map(|spot| Method::read(&spot)).transpose();
        let get = method("get")?.ok_or_else(|| {
            let fix = "add a `get` that prints what is there";
            spot.fault("`get` is missing, and without it nothing can be known", fix)
        })?;
        Ok(Self {
            document: document.clone(),
            path: spot.path().to_vec(),
            directory: directory.to_owned(),
            version: spot.require("version")?.text()?.to_owned(),
            doc: read_doc(spot, type_name)?,
            type_name: type_name.to_owned(),
            kind,
            get,
            set: method("set")?,
            test: method("test")?,
            delete: method("delete")?,
            validate: method("validate")?.map(Method::told),
            what_if: method("whatIf")?,
            schema: read_schema(&spot.require("schema")?)?,
            exit_codes: spot
                .get("exitCodes")
                .map(|codes| read_exit_codes(&codes))
                .transpose()?
                .unwrap_or_default(),
            own,
        })
    }

    /// A mistake at this path below the manifest.
    pub(crate) fn fault(&self, path: &[&str], what: impl Into<String>, fix: impl Into<String>) -> Fault {
        let path: Vec<String> =
            self.path.iter().cloned().chain(path.iter().map(|&step| step.to_owned())).collect();
        self.document.fault(self.document.span(&path), what, fix)
    }
}

const ADAPTER: &str =
    "an adapter has no properties of its own, and its resources are reached through `dsc` only";

/// The kinds of manifests, with why they cannot be run.
const KINDS: [(&str, &str); 5] = [
    ("resource", ""),
    ("adapter", ADAPTER),
    ("group", "a group runs other resources through `dsc` itself"),
    ("importer", "an importer runs other resources through `dsc` itself"),
    ("exporter", "an exporter cannot be brought into a state"),
];

fn refuse_other_kinds(spot: &Spot<'_>) -> Result<(), Fault> {
    let kind = spot.get("kind").map(|at| at.word(&KINDS).map(|why| (at, why))).transpose()?;
    let adapter = spot.get("adapter").map(|at| (at, ADAPTER));
    match kind.filter(|(_, why)| !why.is_empty()).or(adapter) {
        Some((at, why)) => Err(at.fault(why, "declare the resources themselves, each of a kind of its own")),
        None => Ok(()),
    }
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

fn kind_of(spot: &Spot<'_>, type_name: &str) -> Result<String, Fault> {
    let kind = snake_case(type_name.rsplit('/').next().unwrap_or(type_name));
    match is_identifier(&kind) && !RESERVED_BLOCKS.contains(&&*kind) {
        true => Ok(kind),
        false => Err(spot.fault(
            format!("`{kind}` cannot be a kind: it is a word of the language, or no word"),
            "choose another name: \"metadata\": {\"uphold\": {\"kind\": \"…\"}}",
        )),
    }
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

fn read_schema(spot: &Spot<'_>) -> Result<SchemaSource, Fault> {
    match (spot.get("embedded"), spot.get("command")) {
        (Some(embedded), _) => Ok(SchemaSource::Embedded(embedded.json.clone())),
        (None, Some(command)) => Ok(SchemaSource::Command(Method::read(&command)?)),
        (None, None) => {
            Err(spot.fault("there is no schema in `schema`", "add `embedded` or `command` to it"))
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
