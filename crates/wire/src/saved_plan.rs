//! Saved plans; `docs/plans.md` specifies them.

mod record;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_json::{Map as Object, Value as Json};

use super::version::Version;

pub use record::{
    Action, Attribute, Change, Difference, Guard, Level, Outcome, Record, Setting, Side, SideContent,
    SkipReason, Unwanted,
};

// The file: one JSON object with a version and a checksum.

/// The member that identifies the file. It comes first.
const MAGIC: &str = "uphold_plan";

/// The version that is written.
pub const VERSION: Version = Version::new(3, 0);

/// A plan, without its version and its checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlan {
    /// The configuration that it was made from.
    pub configuration: Configuration,
    /// The machine that it is for.
    pub machine: Machine,
    /// The time of the plan, as RFC 3339.
    pub created_at: String,
    /// The `--root` directory, if there is one.
    pub root: Option<String>,
    /// The salt of its digests.
    pub salt: String,
    /// The planned actions, messages and outputs, in order.
    pub records: Vec<Record>,
    /// The version of Uphold that made it.
    pub uphold: String,
}

/// Why a file cannot be read as a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is no plan.
    NoPlan,
    /// It is the output of `show --json`.
    ForPolicies,
    /// It is truncated.
    CutOff,
    /// It has another major version.
    OtherVersion(Version),
    /// It is damaged: the error.
    Damaged(String),
    /// It was modified after it was written.
    Changed,
}

impl SavedPlan {
    /// Whether this begins like a plan. No configuration begins with a brace.
    pub fn is_plan(content: &[u8]) -> bool {
        content.trim_ascii_start().first() == Some(&b'{')
    }

    /// The text of the file. `digest` computes the checksum.
    pub fn to_text(&self, digest: impl FnOnce(&[u8]) -> String) -> String {
        let json =
            serde_json::to_value(self).expect("all keys are strings, and writing to memory cannot fail");
        let Json::Object(mut members) = json else { unreachable!("a struct is an object") };
        let checksum = digest(checked(&mut members).as_bytes());
        members.insert("checksum".to_owned(), checksum.into());
        members.remove(MAGIC);
        let rest = Json::Object(members).to_string();
        format!("{{\"{MAGIC}\":\"{VERSION}\",{}\n", &rest[1..])
    }

    /// Parses a file. `digest` computes the checksum with a salt; none if the salt is invalid.
    ///
    /// # Errors
    /// If it is no plan, has another major version, is damaged, or was modified.
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
        let is_document = members.contains_key("resource_changes");
        return Err(if is_document { Unreadable::ForPolicies } else { Unreadable::NoPlan });
    };
    let written: Version = written.as_str().unwrap_or_default().parse().map_err(Unreadable::Damaged)?;
    if written.major == VERSION.major { Ok(()) } else { Err(Unreadable::OtherVersion(written)) }
}

/// Detects damage and manual edits, but no forgery: a plan is only compared with the configuration.
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

/// The text of the checksum: all members, in the order of their keys, so that white space does not matter.
fn checked(members: &mut Object<String, Json>) -> String {
    members.insert(MAGIC.to_owned(), VERSION.to_string().into());
    serde_json::to_string(members).expect("an object can be written to memory")
}

// The configuration and the machine of a plan.

/// The configuration of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// The directory that relative paths start from.
    pub directory: String,
    /// The `--kinds` directories, as given.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Params from the command line and the environment.
    pub params: Vec<Param>,
    /// The params files, as given.
    pub params_files: Vec<String>,
    /// The paths of the configuration, as given.
    pub paths: Vec<String>,
    /// Digests of everything that was read.
    pub inputs: Vec<Input>,
}

/// The machine of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name, if it has one.
    pub hostname: Option<String>,
    /// A digest of its id, if it has one.
    pub machine_id_digest: Option<String>,
}

/// A param from the command line or the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// The param.
    pub name: String,
    /// The value, or a digest of a secret.
    #[serde(flatten)]
    pub kept: Kept,
}

/// The saved form of a param.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The value as typed.
    Value(String),
    /// The digest of a secret.
    Digest(String),
}

/// One input of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The salted digest of its content.
    pub digest: String,
    /// Its name or path.
    pub name: String,
    /// Its kind.
    pub kind: InputKind,
}

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A file of the configuration itself, or of its params.
    Configuration,
    /// A file that the configuration names: a module or a template.
    File,
    /// An environment variable.
    EnvironmentVariable,
    /// A fact.
    Fact,
}
