//! The lines of a run.

use std::borrow::Cow;
use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use super::difference::Difference;
use super::recovery::{After, Recovery};
use crate::applied::AppliedResource;
use crate::json::{Number, Object, Serialized};
use crate::line::USUAL;
use crate::process_id::ProcessId;
use crate::resource_key::ResourceKey;
use crate::time::Time;

/// The length of the usual end of an action, at most.
const USUAL_END: usize = 128;

/// A longer error is cut off.
const MOST_ERROR: usize = 512;

/// A line of a run file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RunLine {
    Begin(RunBegin),
    Action(ActionBegin),
    Ended(ActionsEnd),
    End(RunEnd),
}

/// The user or unit that started a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Who {
    /// The user: under `sudo`, the caller.
    pub user: String,
    /// Whether the user became root by `sudo`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sudo: bool,
    /// The terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// The systemd unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The remote host of the user's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

/// The first line of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunBegin {
    /// Its number.
    pub run: u64,
    /// The format of its lines.
    pub format: u32,
    /// The last sum of the previous run: the link of the chain.
    pub previous: Option<String>,
    /// The mode: `apply`, `watch`, `undo`.
    pub mode: String,
    /// The start.
    #[serde(rename = "t")]
    pub time: Time,
    /// The process.
    pub process: ProcessId,
    /// The user or unit.
    pub who: Who,
    /// The root of the machine that it changed: `/`, or the directory of `--root`. None in runs of older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The paths of the configuration.
    pub paths: Vec<String>,
    /// The digest of the configuration.
    pub digest: String,
    /// The commit of the configuration, if it is in a git repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The names of the params. Their values may be secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<String>,
    /// The digest of the saved plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The version of Uphold.
    pub version: String,
    /// The run that this one undoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// The run whose watch this one continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continues: Option<u64>,
}

/// Stored bytes: inline, or in an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Text.
    Text(String),
    /// Bytes that are not UTF-8.
    Base64(String),
    /// An object.
    Object {
        /// Its BLAKE3 digest, which is its name.
        blake3: String,
        /// Its size in bytes.
        size: u64,
    },
}

impl Content {
    /// The content, inline.
    pub(crate) fn inline(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(BASE64.encode(bytes)),
        }
    }

    /// The bytes that are inline; `None` for an object.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Base64(text) => BASE64.decode(text.as_bytes()).ok(),
            Self::Object { .. } => None,
        }
    }
}

/// The state before an action, for `undo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Previous {
    /// There was nothing.
    Missing,
    /// The values of the properties, as JSON.
    Values(Content),
    /// The content of the file.
    File(Content),
    /// It is not kept, for this reason: a secret, too large, the kind cannot.
    NotKept(String),
}

/// An action that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAction {
    /// The resource.
    pub key: ResourceKey,
    /// Its address.
    pub address: String,
    /// The action: `create`, `update`, `remove` or a verb.
    pub action: String,
    /// The differences.
    pub differences: Vec<Difference>,
    /// The state before.
    pub previous: Previous,
    /// How to bring it back; none if that is not possible.
    pub recovery: Option<Recovery>,
    /// The last applied values, if they end with the action: the resource is no longer declared.
    pub applied: Option<Box<AppliedResource>>,
    /// The number of the action that this one is nested in.
    pub parent: Option<u64>,
    /// The time.
    pub time: Time,
}

/// The line before the first effect of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionBegin {
    /// The number of the action within its run.
    pub n: u64,
    /// The resource.
    pub key: ResourceKey,
    /// Its address.
    #[serde(rename = "a")]
    pub address: String,
    /// The action.
    pub action: String,
    /// The differences.
    #[serde(rename = "diff", default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// The state before.
    #[serde(rename = "prev")]
    pub previous: Previous,
    /// How to bring it back; none if that is not possible.
    #[serde(rename = "undo", default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    /// The last applied values, if they end with the action: the resource is no longer declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<Box<AppliedResource>>,
    /// The number of the action that this one is nested in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// The time.
    #[serde(rename = "t")]
    pub time: Time,
}

impl NewAction {
    /// The JSON of its line from the number on, which is known only under the lock that orders the lines.
    pub(super) fn json(&self) -> String {
        let mut json = String::with_capacity(USUAL);
        let mut object = Object::after_first(&mut json);
        object.add("key", &self.key);
        object.add("a", &self.address);
        object.add("action", &self.action);
        if !self.differences.is_empty() {
            object.add("diff", self.differences.as_slice());
        }
        match &self.previous {
            Previous::Missing => object.add("prev", "missing"),
            other => object.add("prev", &Serialized(other)),
        }
        object.add_some("undo", self.recovery.as_ref().map(Serialized).as_ref());
        object.add_some("applied", self.applied.as_ref().map(Serialized).as_ref());
        object.add_some("parent", self.parent.map(Number).as_ref());
        object.add("t", &Number(self.time.0));
        object.end();
        json.push('}');
        json
    }
}

/// The parts of the JSON of an action with this number, made of [`NewAction::json`].
pub(super) fn numbered<'j>(json: &'j str, number: &'j str) -> [&'j str; 3] {
    ["{\"action\":{\"n\":", number, json]
}

/// The line after an action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionEnd {
    /// The number of the action.
    pub n: u64,
    /// The verdict, such as `changed` or `failed`.
    pub verdict: Cow<'static, str>,
    /// The duration in milliseconds.
    pub ms: u64,
    /// Why it was done, after `because`. None if the resource differed, and nothing else was the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The error, at most 512 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The state after it, if it can be undone and was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
    /// Whether the state after it is what all its differences declare: then that is not stored again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_declared: bool,
}

impl ActionEnd {
    /// The end of action `n`.
    pub fn new(n: u64, verdict: &'static str, ms: u64) -> Self {
        Self { n, verdict: verdict.into(), ms, ..Self::default() }
    }

    /// The same with the state after it, if that is what the differences of `begin` declare.
    pub(super) fn after(mut self, begin: &ActionBegin) -> Self {
        if self.as_declared {
            let values = begin.differences.iter().map(|one| (one.property.clone(), one.to.clone()));
            self.after = Some(After { exists: true, values: values.collect(), file: None });
        }
        self
    }

    pub(super) fn bounded(mut self) -> Self {
        for text in [&mut self.why, &mut self.error].into_iter().flatten() {
            text.truncate(text.floor_char_boundary(MOST_ERROR));
        }
        self
    }

    /// Whether the line of one action can serve for both.
    fn is_same(&self, other: &Self) -> bool {
        let Self { n: _, verdict, ms, why, error, after, as_declared } = self;
        (verdict, ms, as_declared) == (&other.verdict, &other.ms, &other.as_declared)
            && (why, error, after) == (&other.why, &other.error, &other.after)
    }
}

/// The line after an action, or after several that ended in the same way, such as files that were put in place together.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ActionsEnd {
    #[serde(flatten)]
    pub(super) end: ActionEnd,
    /// The numbers of the other actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<u64>,
}

impl ActionsEnd {
    /// The lines of actions that ended in this order.
    pub(super) fn of(ended: Vec<ActionEnd>) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        for end in ended {
            match lines.last_mut() {
                Some(last) if last.end.is_same(&end) => last.also.push(end.n),
                _ => lines.push(Self { end: end.bounded(), also: Vec::new() }),
            }
        }
        lines
    }

    /// The numbers of all its actions.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.end.n).chain(self.also.iter().copied())
    }

    /// The JSON of the line.
    pub(super) fn json(&self) -> String {
        let Self { end, also } = self;
        let mut json = String::with_capacity(if end.after.is_some() { USUAL } else { USUAL_END });
        json.push_str("{\"ended\":");
        let mut object = Object::begin(&mut json);
        object.add("n", &Number(end.n));
        object.add("verdict", &*end.verdict);
        object.add("ms", &Number(end.ms));
        object.add_some("why", end.why.as_ref());
        object.add_some("error", end.error.as_ref());
        object.add_some("after", end.after.as_ref());
        object.add_some("as_declared", end.as_declared.then_some(&true));
        if !also.is_empty() {
            object.add("also", also.as_slice());
        }
        object.end();
        json.push('}');
        json
    }
}

/// The last line of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunEnd {
    /// The end.
    #[serde(rename = "t")]
    pub time: Time,
    /// The number of resources by verdict.
    pub counts: BTreeMap<String, u64>,
    /// The number of notifications that stay due.
    pub due: u64,
    /// Whether nothing in the repository of the configuration was uncommitted. Only a run that did something knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clean: Option<bool>,
    /// Whether the watch continues in the next file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
}

impl RunEnd {
    /// The end of a run at this time.
    pub fn at(time: Time) -> Self {
        Self { time, ..Self::default() }
    }
}
