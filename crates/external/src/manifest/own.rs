//! Our own part of a manifest: `metadata.uphold`. The real `dsc` leaves `metadata` alone.

use std::time::Duration;

use uphold_model::read_span;

use super::naming::can_be_kind;
use super::watched::Watched;
use crate::document::{Fault, Spot};

/// What DSC cannot say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Own {
    /// What its blocks begin with.
    pub(crate) kind: Option<String>,
    /// The property that takes the label.
    pub(crate) name: Option<String>,
    /// The properties that name the thing besides.
    pub(crate) identity: Vec<String>,
    /// How long each run of the program may take.
    pub(crate) timeout: Option<Duration>,
    pub(crate) watch: Vec<Watched>,
    /// Whether the program may run more than once at a time.
    pub(crate) parallel: bool,
}

const KNOWN: [&str; 6] = ["kind", "name", "identity", "timeout", "watch", "parallel"];

impl Own {
    /// From the manifest.
    pub(crate) fn read(manifest: &Spot<'_>) -> Result<Self, Fault> {
        let own = manifest.get("metadata").and_then(|metadata| metadata.get("uphold"));
        let Some(own) = own else { return Ok(Self::default()) };
        own.refuse_others(&KNOWN)?;
        let text = |key: &str| own.get(key).map(|spot| spot.text().map(str::to_owned)).transpose();
        let items = |key: &str| own.get(key).map_or_else(|| Ok(Vec::new()), |spot| spot.items());
        let identity = items("identity")?;
        Ok(Self {
            kind: own.get("kind").map(|kind| read_kind(&kind)).transpose()?,
            name: text("name")?,
            identity: identity.iter().map(|spot| spot.text().map(str::to_owned)).collect::<Result<_, _>>()?,
            timeout: own.get("timeout").map(|spot| read_timeout(&spot)).transpose()?,
            watch: items("watch")?.iter().map(Watched::read).collect::<Result<_, _>>()?,
            parallel: own.get("parallel").map_or(Ok(false), |flag| flag.flag())?,
        })
    }
}

fn read_kind(spot: &Spot<'_>) -> Result<String, Fault> {
    let kind = spot.text()?;
    match can_be_kind(kind) {
        true => Ok(kind.to_owned()),
        false => Err(spot.fault(format!("{kind:?} cannot be a kind"), "write a word such as `text_file`")),
    }
}

fn read_timeout(spot: &Spot<'_>) -> Result<Duration, Fault> {
    let span = read_span(spot.text()?).filter(|span| !span.is_zero());
    span.ok_or_else(|| spot.fault("this is no span of time", "write it as in `30s` or `5m`"))
}
