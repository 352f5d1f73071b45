//! Resources behind an adapter: their manifest says what they are, and the adapter's how to run them.

use serde_json::Value as Json;

use super::content::{Manifest, Sort};
use crate::document::{Fault, Spot};

/// What a resource behind an adapter says about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adapted {
    /// The type of its adapter.
    pub(crate) adapter: String,
    pub(crate) capabilities: Vec<String>,
    /// Where it is, as the adapter is told.
    pub(crate) path: Option<String>,
    /// What the adapter is told about it besides.
    pub(crate) content: Option<Json>,
}

impl Adapted {
    /// From the manifest; none if it needs no adapter.
    pub(super) fn read(spot: &Spot<'_>) -> Result<Option<Self>, Fault> {
        let Some(adapter) = spot.get("requireAdapter") else { return Ok(None) };
        let capabilities = spot.require("capabilities")?.items()?;
        let capabilities = capabilities.iter().map(|word| word.text().map(str::to_owned));
        Ok(Some(Self {
            adapter: adapter.text()?.to_owned(),
            capabilities: capabilities.collect::<Result<_, _>>()?,
            path: spot.get("path").map(|path| path.text().map(str::to_owned)).transpose()?,
            content: spot.get("content").map(|content| content.json.clone()),
        }))
    }
}

/// Whether an adapter takes one resource at a time.
pub(super) fn takes_single(adapter: &Spot<'_>) -> Result<bool, Fault> {
    let kind = adapter.get("inputKind").or_else(|| adapter.get("config"));
    kind.map_or(Ok(false), |kind| kind.word(&[("single", true), ("full", false), ("sequence", false)]))
}

impl Manifest {
    /// The same, run by its adapter if it needs one; none for an adapter itself, which is no kind.
    pub(crate) fn with_adapter(&self, all: &[&Self]) -> Result<Option<Self>, Fault> {
        match &self.sort {
            Sort::Resource => Ok(Some(self.clone())),
            Sort::Adapter { .. } => Ok(None),
            Sort::Adapted(adapted) => self.adapted(adapted, all).map(Some),
        }
    }

    fn adapted(&self, adapted: &Adapted, all: &[&Self]) -> Result<Self, Fault> {
        let Adapted { adapter: name, capabilities, .. } = adapted;
        let fault = |what: String, fix: &str| self.fault(&["requireAdapter"], what, fix).unsupported();
        let is_it = |one: &&&Self| matches!(one.sort, Sort::Adapter { .. }) && one.type_name == *name;
        let adapter = all.iter().find(is_it).ok_or_else(|| {
            fault(format!("there is no manifest of the adapter `{name}`"), "put it on the kinds path, too")
        })?;
        if adapter.sort == (Sort::Adapter { single: false }) {
            let what = format!("the adapter `{name}` takes whole configurations, and only `dsc` has those");
            return Err(fault(what, "use one whose `inputKind` is `single`"));
        }
        let methods = adapter.methods.clone().limited_to(capabilities);
        if !methods.can_look() {
            return Err(fault(format!("`{name}` cannot `get` this"), "add `get` to the capabilities"));
        }
        let directory = adapter.directory.clone();
        let origin = Some(adapter.document.clone());
        let exit_codes = adapter.exit_codes.clone();
        Ok(Self { methods, directory, origin, exit_codes, ..self.clone() })
    }
}
