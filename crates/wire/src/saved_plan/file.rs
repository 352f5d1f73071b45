//! The file: one JSON object with a version and a checksum.

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_json::{Map as Object, Value as Json};

use super::origin::{Configuration, Machine};
use super::record::Record;
use crate::version::Version;

/// The member that says what the file is. It comes first.
const MAGIC: &str = "uphold_plan";

/// The version that is written. Plans of 1.0 have no `kinds`, those before 1.2 no `settings`.
pub const VERSION: Version = Version::new(1, 2);

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
    /// The version of the format that these bytes were written in, if they are a plan.
    pub fn version(content: &[u8]) -> Option<Version> {
        let members: Object<String, Json> = serde_json::from_slice(content).ok()?;
        members.get(MAGIC)?.as_str()?.parse().ok()
    }

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
