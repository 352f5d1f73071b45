//! Uphold's own part of a manifest: `metadata.uphold`. `dsc` itself ignores `metadata`.

use std::time::Duration;

use uphold_model::parse_duration;

use super::naming::can_be_kind;
use super::watched::Watched;
use crate::document::{Fault, Located};

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
