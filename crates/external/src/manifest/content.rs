//! A manifest, read and checked, with its part for Uphold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use uphold_model::parse_duration;

use crate::document::{Document, Fault, Located};

use super::method::{Method, Methods};
use super::naming::{can_be_kind, candidates};
use super::watched::Watched;

/// The manifest of one resource type.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub(crate) document: Arc<Document>,
    /// Its path in the document: not at the top in a file of several.
    pub(crate) path: Vec<String>,
    /// The path of the file.
    pub(crate) file: PathBuf,
    /// The working directory of its programs.
    pub(crate) directory: PathBuf,
    /// The manifest of the adapter that provides its programs, if there is one.
    pub(crate) origin: Option<Arc<Document>>,
    pub(crate) type_name: String,
    pub(crate) version: String,
    pub(crate) doc: String,
    pub(crate) methods: Methods,
    pub(crate) schema: Option<SchemaSource>,
    pub(crate) exit_codes: BTreeMap<i32, String>,
    pub(crate) own: Own,
    pub(crate) sort: ManifestKind,
}

/// The kind of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ManifestKind {
    /// A resource with its own programs.
    Resource,
    /// An adapter, which runs resources of other types, a single one at a time or not.
    Adapter { single: bool },
    /// A resource that an adapter runs.
    Adapted(Adapted),
}

/// The source of the schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaSource {
    /// In the manifest, as `schema.embedded`.
    Embedded(Json),
    /// In the manifest, as `schema` itself.
    Whole(Json),
    /// A program prints it.
    Command(Method),
}

impl Manifest {
    /// The possible names of its kind, the preferred one first.
    pub(crate) fn kind_candidates(&self) -> Vec<String> {
        self.own.kind.clone().map_or_else(|| candidates(&self.type_name), |kind| vec![kind])
    }

    /// The type in the manifest, such as `Example.Area/TextFile`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A fault of the whole manifest: its kind was rejected for this reason.
    pub fn refused(&self, reason: &str) -> Fault {
        self.fault(&["type"], reason, "fix the manifest")
    }

    /// The content that is passed to the adapter.
    pub(crate) fn content(&self) -> Option<&Json> {
        if let ManifestKind::Adapted(adapted) = &self.sort { adapted.content.as_ref() } else { None }
    }

    /// The path that is passed to a program.
    pub(crate) fn path_argument(&self) -> PathBuf {
        match &self.sort {
            ManifestKind::Adapted(Adapted { path: Some(path), .. }) => {
                self.file.parent().unwrap_or(Path::new("/")).join(path)
            }
            _ => self.file.clone(),
        }
    }

    /// Whether the other manifest has the same content.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.json() == other.json()
    }

    fn json(&self) -> Option<&Json> {
        self.path.iter().try_fold(&self.document.json, |json, step| member(json, step))
    }

    /// All texts that the kind is made from.
    pub(crate) fn texts(&self) -> String {
        let origin = self.origin.as_ref().map_or("", |origin| &origin.text);
        format!("{}\n{origin}", self.document.text)
    }

    /// A mistake at this path inside the manifest.
    pub(crate) fn fault(&self, path: &[&str], what: impl Into<String>, fix: impl Into<String>) -> Fault {
        let path: Vec<String> =
            self.path.iter().cloned().chain(path.iter().map(|&step| step.to_owned())).collect();
        self.document.fault(self.document.span(&path), what, fix).of_kinds(self.kind_candidates())
    }
}

/// The member that a step of a path selects.
fn member<'a>(json: &'a Json, step: &str) -> Option<&'a Json> {
    match json {
        Json::Array(items) => items.get(step.parse::<usize>().ok()?),
        json => json.get(step),
    }
}

/// Settings that DSC has no place for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Own {
    /// The name of its kind.
    pub(crate) kind: Option<String>,
    /// The property that takes the label.
    pub(crate) name: Option<String>,
    /// Further identifying properties.
    pub(crate) identity: Vec<String>,
    /// The maximum duration of each program run.
    pub(crate) timeout: Option<Duration>,
    pub(crate) watch: Vec<Watched>,
    /// Whether the program may run more than once at a time.
    pub(crate) parallel: bool,
}

const KNOWN: [&str; 6] = ["kind", "name", "identity", "timeout", "watch", "parallel"];

impl Own {
    /// From the manifest.
    pub(crate) fn read(manifest: &Located<'_>) -> Result<Self, Fault> {
        let own = manifest.get("metadata").and_then(|metadata| metadata.get("uphold"));
        let Some(own) = own else { return Ok(Self::default()) };
        own.reject_others(&KNOWN)?;
        let text = |key: &str| own.get(key).map(|located| located.text().map(str::to_owned)).transpose();
        let items = |key: &str| own.get(key).map_or_else(|| Ok(Vec::new()), |located| located.items());
        let identity = items("identity")?;
        Ok(Self {
            kind: own.get("kind").map(|kind| read_kind(&kind)).transpose()?,
            name: text("name")?,
            identity: identity
                .iter()
                .map(|located| located.text().map(str::to_owned))
                .collect::<Result<_, _>>()?,
            timeout: own.get("timeout").map(|located| read_timeout(&located)).transpose()?,
            watch: items("watch")?.iter().map(Watched::read).collect::<Result<_, _>>()?,
            parallel: own.get("parallel").map_or(Ok(false), |flag| flag.flag())?,
        })
    }
}

fn read_kind(located: &Located<'_>) -> Result<String, Fault> {
    let kind = located.text()?;
    if can_be_kind(kind) {
        Ok(kind.to_owned())
    } else {
        Err(located.fault(format!("{kind:?} cannot be a kind"), "write a word such as `text_file`"))
    }
}

fn read_timeout(located: &Located<'_>) -> Result<Duration, Fault> {
    let span = parse_duration(located.text()?).filter(|span| !span.is_zero());
    span.ok_or_else(|| located.fault("this is not a duration", "write it as in `30s` or `5m`"))
}

// Adapted resources: their manifest describes them, and that of the adapter how to run them.

/// The part of an adapted resource's manifest that is about its adapter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adapted {
    /// The type of its adapter.
    pub(crate) adapter: String,
    pub(crate) capabilities: Vec<String>,
    /// Its path, which is passed to the adapter.
    pub(crate) path: Option<String>,
    /// Further content that is passed to the adapter.
    pub(crate) content: Option<Json>,
}

impl Adapted {
    /// From the manifest; none if it needs no adapter.
    pub(super) fn read(located: &Located<'_>) -> Result<Option<Self>, Fault> {
        let Some(adapter) = located.get("requireAdapter") else { return Ok(None) };
        let capabilities = located.require("capabilities")?.items()?;
        let capabilities = capabilities.iter().map(|word| word.text().map(str::to_owned));
        Ok(Some(Self {
            adapter: adapter.text()?.to_owned(),
            capabilities: capabilities.collect::<Result<_, _>>()?,
            path: located.get("path").map(|path| path.text().map(str::to_owned)).transpose()?,
            content: located.get("content").map(|content| content.json.clone()),
        }))
    }
}

/// Whether an adapter takes one resource at a time.
pub(super) fn takes_single(adapter: &Located<'_>) -> Result<bool, Fault> {
    let kind = adapter.get("inputKind").or_else(|| adapter.get("config"));
    kind.map_or(Ok(false), |kind| kind.word(&[("single", true), ("full", false), ("sequence", false)]))
}

impl Manifest {
    /// The manifest, completed by its adapter if it needs one; none for an adapter itself, which is not a kind.
    pub(crate) fn with_adapter(&self, all: &[&Self]) -> Result<Option<Self>, Fault> {
        match &self.sort {
            ManifestKind::Resource => Ok(Some(self.clone())),
            ManifestKind::Adapter { .. } => Ok(None),
            ManifestKind::Adapted(adapted) => self.adapted(adapted, all).map(Some),
        }
    }

    fn adapted(&self, adapted: &Adapted, all: &[&Self]) -> Result<Self, Fault> {
        let Adapted { adapter: name, capabilities, .. } = adapted;
        let fault = |what: String, fix: &str| self.fault(&["requireAdapter"], what, fix).unsupported();
        let is_it = |one: &&&Self| matches!(one.sort, ManifestKind::Adapter { .. }) && one.type_name == *name;
        let adapter = all.iter().find(is_it).ok_or_else(|| {
            fault(format!("there is no manifest for the adapter `{name}`"), "put it on the kinds path, too")
        })?;
        if adapter.sort == (ManifestKind::Adapter { single: false }) {
            let what = format!("the adapter `{name}` takes whole configurations, which only `dsc` supports");
            return Err(fault(what, "use an adapter whose `inputKind` is `single`"));
        }
        let methods = adapter.methods.clone().limited_to(capabilities);
        if !methods.can_load() {
            return Err(fault(format!("`{name}` cannot `get` this"), "add `get` to the capabilities"));
        }
        let directory = adapter.directory.clone();
        let origin = Some(adapter.document.clone());
        let exit_codes = adapter.exit_codes.clone();
        Ok(Self { methods, directory, origin, exit_codes, ..self.clone() })
    }
}
