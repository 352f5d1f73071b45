//! Adapted resources: their manifest describes them, and that of the adapter how to run them.

use serde_json::Value as Json;

use super::content::{Manifest, ManifestKind};
use crate::document::{Fault, Located};

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
