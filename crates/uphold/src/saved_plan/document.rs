//! The file of a saved plan: one JSON object.

use std::path::Path;

use serde_json::error::Category;
use serde_json::{Map as Object, Value as Json};
use uphold_resource::{Error, ErrorKind};

use super::object::{Damaged, Fields, damaged};
use super::origin::SavedOrigin;
use super::plan::SavedPlan;
use super::record::Record;
use super::salt::Salt;

/// The member that says what the file is. It comes first.
const MAGIC: &str = "uphold_plan";

/// The version of the file: the minor number grows when something is added that an older Uphold may leave out of
/// account, the major number otherwise.
const VERSION: &str = "1.1";

/// The major number of [`VERSION`].
const MAJOR: u64 = 1;

/// What the checksum of a file is about.
const CHECKED: &str = "the whole plan";

/// Why a file cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
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
    /// Somebody changed it.
    Changed,
}

impl Unreadable {
    pub(super) fn error(&self, path: &Path) -> Error {
        let (why, fix) = match self {
            Unreadable::NoPlan => {
                ("it is no saved plan".to_owned(), "name a file that `uphold plan --out` wrote")
            }
            Unreadable::ForPolicies => (
                "it is what `uphold show --json` prints".to_owned(),
                "name the file that `uphold plan --out` wrote",
            ),
            Unreadable::CutOff => ("it is cut off".to_owned(), "make a new plan"),
            Unreadable::Newer(version) => (
                format!("it was made by a newer Uphold, in format {version}"),
                "apply it with that version, or make a new plan",
            ),
            Unreadable::Damaged(what) => (format!("it is damaged: {what}"), "make a new plan"),
            Unreadable::Changed => ("somebody changed it after it was made".to_owned(), "make a new plan"),
        };
        let what = format!("cannot use the plan {}: {why}", path.display());
        Error::new(ErrorKind::Invalid, what).hint(fix)
    }
}

impl From<Damaged> for Unreadable {
    fn from(Damaged(what): Damaged) -> Self {
        Unreadable::Damaged(what)
    }
}

/// Whether these bytes begin like a plan.
pub(super) fn is_plan(content: &[u8]) -> bool {
    let start = content.trim_ascii_start();
    // No word of a configuration begins with a brace, so that any JSON is meant as a plan.
    start.first() == Some(&b'{')
}

/// The text of a file. The magic word comes first, for people and for `file`.
pub(super) fn write(plan: &SavedPlan) -> String {
    let mut members = Object::new();
    plan.origin.write(&mut members);
    members.insert("salt".to_owned(), plan.salt.hex().into());
    members.insert("told".to_owned(), plan.records.iter().map(Record::to_json).collect());
    members.insert(MAGIC.to_owned(), VERSION.into());
    let checksum = checksum(&members, &plan.salt);
    members.insert("checksum".to_owned(), checksum.into());
    members.remove(MAGIC);
    let rest = Json::Object(members).to_string();
    format!("{{\"{MAGIC}\":\"{VERSION}\",{}\n", &rest[1..])
}

/// The plan in a file.
pub(super) fn read(content: &[u8]) -> Result<SavedPlan, Unreadable> {
    if !is_plan(content) {
        return Err(Unreadable::NoPlan);
    }
    let mut json: Json = serde_json::from_slice(content).map_err(|error| match error.classify() {
        Category::Eof => Unreadable::CutOff,
        _ => Unreadable::Damaged(format!("line {}, column {}", error.line(), error.column())),
    })?;
    check_version(Fields::of(&json)?)?;
    let checked = json.as_object_mut().and_then(|members| members.remove("checksum"));
    let fields = Fields::of(&json)?;
    let salt = Salt::from_hex(fields.text("salt")?).ok_or_else(|| damaged("`salt` cannot be read"))?;
    let sound = json.as_object().map(|members| Json::from(checksum(members, &salt)));
    if checked != sound {
        return Err(Unreadable::Changed);
    }
    let records = fields.each("told", Record::from_json)?;
    Ok(SavedPlan { origin: SavedOrigin::read(fields)?, records, salt })
}

fn check_version(fields: Fields<'_>) -> Result<(), Unreadable> {
    let Some(version) = fields.get(MAGIC) else {
        return Err(match fields.get("resource_changes") {
            Some(_) => Unreadable::ForPolicies,
            None => Unreadable::NoPlan,
        });
    };
    let version = version.as_str().unwrap_or_default();
    match version.split('.').next().and_then(|major| major.parse::<u64>().ok()) {
        Some(MAJOR) => Ok(()),
        Some(major) if major > MAJOR => Err(Unreadable::Newer(version.to_owned())),
        _ => Err(Unreadable::Damaged(format!("there is no format `{version}`"))),
    }
}

/// Tells damage, and changes by hand. Who wants to deceive can make a new one; but a plan is only ever compared with
/// what the configuration says.
fn checksum(members: &Object<String, Json>, salt: &Salt) -> String {
    let text = serde_json::to_string(members).expect("an object with text keys can be written");
    salt.digest(CHECKED, text.as_bytes())
}
