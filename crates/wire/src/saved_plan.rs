//! The file of a saved plan: `docs/plans.md` is the promise.

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_json::{Map as Object, Value as Json};
use uphold_model::ResourceId;

use crate::saved_value::SavedValue;
use crate::version::Version;

/// The member that says what the file is. It comes first.
const MAGIC: &str = "uphold_plan";

/// The version that is written. Plans of 1.0 have no `kinds`.
pub const VERSION: Version = Version::new(1, 1);

/// A plan, without what proves that it is whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlan {
    /// What it was made from.
    pub configuration: Configuration,
    /// What it is for.
    pub machine: Machine,
    /// When, as RFC 3339.
    pub made_at: String,
    /// The directory that stands for the machine, if one does.
    pub root: Option<String>,
    /// What makes its digests differ from those of any other plan.
    pub salt: String,
    /// What it showed, in order.
    pub told: Vec<Record>,
    /// The version of Uphold that made it.
    pub uphold: String,
}

/// What a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// From where relative paths go.
    pub directory: String,
    /// Directories of kinds, as they were given.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Params that were given by hand.
    pub params: Vec<Param>,
    /// Files of params, as they were given.
    pub params_files: Vec<String>,
    /// The configuration, as it was given.
    pub paths: Vec<String>,
    /// Digests of everything that was read.
    pub read: Vec<Input>,
}

/// Which machine a plan is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name, if it has one.
    pub hostname: Option<String>,
    /// A digest of its id, if it has one.
    pub machine_id_digest: Option<String>,
}

/// A param that was given by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// The param.
    pub name: String,
    /// The value, or a digest of a secret.
    #[serde(flatten)]
    pub kept: Kept,
}

/// What is kept of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The value, as it was typed.
    Value(String),
    /// The digest of a secret.
    Digest(String),
}

/// One thing that a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The salted digest of its content.
    pub digest: String,
    /// Its name or path.
    pub name: String,
    /// What it is.
    pub what: InputSort,
}

/// What sort of thing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputSort {
    /// A text of the configuration itself, or of its params.
    Text,
    /// A file that the configuration names: a module, a template.
    File,
    /// A variable of the environment.
    Variable,
    /// A fact.
    Fact,
}

/// One thing that a plan showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// One action on a resource.
    Action(Box<Action>),
    /// A resource had something to say.
    Message {
        /// `debug`, `info` or `warning`.
        level: Level,
        /// The resource.
        resource: Resource,
        /// The message.
        text: String,
    },
    /// A value of the whole configuration.
    Output {
        /// Its name.
        name: String,
        /// The value.
        value: SavedValue,
    },
}

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Only with `--verbose`.
    Debug,
    /// For everybody.
    Info,
    /// Something may be wrong.
    Warning,
}

/// One action on a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// `converge`, `remove` or a verb.
    pub action: String,
    /// What was set, besides what differs.
    pub attributes: Vec<Attribute>,
    /// When it is done relative to its notifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<String>,
    /// Its place in the list of actions; none for a notified one.
    pub node: Option<u64>,
    /// Its notifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified_by: Option<Resource>,
    /// What would become of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The resource.
    pub resource: Resource,
    /// Where it was written.
    pub written_at: Option<String>,
}

/// A resource, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    name: String,
}

impl From<&ResourceId> for Resource {
    fn from(id: &ResourceId) -> Self {
        let part = |part: Option<&uphold_model::Name>| part.map(ToString::to_string);
        let (kind, name) = (id.kind.to_string(), id.name.to_string());
        Self { key: part(id.key()), kind, module: part(id.module()), name }
    }
}

impl From<Resource> for ResourceId {
    fn from(Resource { key, kind, module, name }: Resource) -> Self {
        ResourceId::new(kind, name).in_module(module.map(Into::into)).with_key(key.map(Into::into))
    }
}

/// A property that was set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// The property.
    pub name: String,
    /// Its value.
    pub value: SavedValue,
}

/// What would become of a resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Outcome {
    /// It is as declared.
    Unchanged,
    /// It would be changed so.
    WouldChange {
        /// How.
        change: Change,
    },
    /// Only the run of something else will tell.
    MayChange {
        /// What it waits for.
        waits_for: String,
        /// What is wrong as long as that is not done.
        now: Option<String>,
    },
    /// It differs, and is only audited.
    Differs {
        /// How.
        change: Change,
    },
    /// It failed, which is ignored.
    Ignored {
        /// Why it failed.
        now: String,
    },
    /// It is skipped by its configuration.
    NotWanted {
        /// Why.
        why: Unwanted,
    },
}

/// Why an action is not wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Unwanted {
    /// Its `when` is false.
    When,
    /// Nothing changed that its group subscribes to.
    NothingChanged,
    /// The run failed.
    RunFailed,
    /// Its `only_if` is false.
    OnlyIf(Guard),
    /// Its `not_if` is true.
    NotIf(Guard),
}

/// The guard that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The command, if it is one that may be shown.
    pub command: Option<String>,
    /// Whether it is the guard of a group.
    #[serde(default)]
    pub of_group: bool,
}

/// A change. Of a secret it has a digest and no more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Each property that differs.
    pub differences: Vec<Difference>,
    /// What sort of change.
    pub kind: ChangeKind,
    /// Exports that only the change will tell.
    pub unknown: Vec<String>,
}

/// What sort of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is not there.
    Create,
    /// It differs.
    Update,
    /// It is there, and should not be.
    Remove,
    /// Something runs.
    Run,
}

/// One property that differs. A side that is not there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What is there.
    pub from: Option<Side>,
    /// The property.
    pub property: String,
    /// What should be there.
    pub to: Option<Side>,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSide")]
pub struct Side {
    /// Of the whole value, if it is hidden and known.
    pub digest: Option<String>,
    /// The value, without secrets.
    #[serde(flatten)]
    pub content: SideContent,
}

/// Where a side comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideContent {
    /// It is there, or was set.
    Value(SavedValue),
    /// The default of a new one.
    Default(SavedValue),
}

impl SideContent {
    /// The value, wherever it comes from.
    pub fn value(&self) -> &crate::Value {
        match self {
            SideContent::Value(value) | SideContent::Default(value) => &value.0,
        }
    }
}

#[derive(Deserialize)]
struct UncheckedSide {
    digest: Option<String>,
    #[serde(flatten)]
    content: SideContent,
}

impl TryFrom<UncheckedSide> for Side {
    type Error = &'static str;

    /// A secret without its digest would match anything.
    fn try_from(UncheckedSide { digest, content }: UncheckedSide) -> Result<Self, Self::Error> {
        let value = content.value();
        match value.is_hidden() && !value.is_unknown() && digest.is_none() {
            true => Err("a secret has no digest"),
            false => Ok(Self { digest, content }),
        }
    }
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is something else.
    NoPlan,
    /// It is what `show --json` prints.
    ForPolicies,
    /// It ends too early.
    CutOff,
    /// It was made by a newer Uphold, in this version.
    Newer(String),
    /// Something is wrong in it.
    Damaged(String),
    /// It was changed after it was made.
    Changed,
}

impl SavedPlan {
    /// Whether these bytes begin like a plan. No word of a configuration begins with a brace.
    pub fn is_plan(content: &[u8]) -> bool {
        content.trim_ascii_start().first() == Some(&b'{')
    }

    /// The text of a file. `digest` makes its checksum.
    pub fn to_text(&self, digest: impl FnOnce(&[u8]) -> String) -> String {
        let json = serde_json::to_value(self).expect("all keys are text, and writing to memory cannot fail");
        let Json::Object(mut members) = json else { unreachable!("a struct is an object") };
        let checksum = digest(checked(&mut members).as_bytes());
        members.insert("checksum".to_owned(), checksum.into());
        members.remove(MAGIC);
        let rest = Json::Object(members).to_string();
        format!("{{\"{MAGIC}\":\"{VERSION}\",{}\n", &rest[1..])
    }

    /// The plan in a file. `digest` makes a checksum with the salt that it is given; none if there is no such salt.
    ///
    /// # Errors
    /// If it is no plan, was written by a newer version, or was damaged or changed.
    pub fn from_text(
        content: &[u8],
        digest: impl FnOnce(&str, &[u8]) -> Option<String>,
    ) -> Result<Self, Unreadable> {
        if !Self::is_plan(content) {
            return Err(Unreadable::NoPlan);
        }
        let members: Object<String, Json> =
            serde_json::from_slice(content).map_err(|error| match error.classify() {
                Category::Eof => Unreadable::CutOff,
                _ => Unreadable::Damaged(format!("line {}, column {}", error.line(), error.column())),
            })?;
        check_version(&members)?;
        check_sum(members, digest)
    }
}

fn check_version(members: &Object<String, Json>) -> Result<(), Unreadable> {
    let Some(written) = members.get(MAGIC) else {
        return Err(match members.contains_key("resource_changes") {
            true => Unreadable::ForPolicies,
            false => Unreadable::NoPlan,
        });
    };
    let text = written.as_str().unwrap_or_default();
    match text.parse::<Version>().map_err(Unreadable::Damaged)?.major {
        major if major == VERSION.major => Ok(()),
        major if major > VERSION.major => Err(Unreadable::Newer(text.to_owned())),
        _ => Err(Unreadable::Damaged(format!("there is no format `{text}`"))),
    }
}

/// Detects damage and changes by hand, but no forgery: a plan is only ever compared with the configuration.
fn check_sum(
    mut members: Object<String, Json>,
    digest: impl FnOnce(&str, &[u8]) -> Option<String>,
) -> Result<SavedPlan, Unreadable> {
    let damaged = |what: &str| Unreadable::Damaged(what.to_owned());
    let written = members.remove("checksum");
    let salt =
        members.get("salt").and_then(Json::as_str).ok_or_else(|| damaged("`salt` is missing"))?.to_owned();
    let text = serde_json::to_string(&members).expect("an object can be written to memory");
    let expected = digest(&salt, text.as_bytes()).ok_or_else(|| damaged("`salt` cannot be read"))?;
    if written != Some(Json::from(expected)) {
        return Err(Unreadable::Changed);
    }
    serde_json::from_value(Json::Object(members)).map_err(|error| Unreadable::Damaged(error.to_string()))
}

/// What a checksum is about: everything, in the order of its keys, so that the layout does not matter.
fn checked(members: &mut Object<String, Json>) -> String {
    members.insert(MAGIC.to_owned(), VERSION.to_string().into());
    serde_json::to_string(members).expect("an object can be written to memory")
}
