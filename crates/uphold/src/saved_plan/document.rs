//! The file of a saved plan.

use std::path::Path;

use jiff::Timestamp;
use uphold_resource::{Error, ErrorKind};
use uphold_wire::saved_plan::{SavedPlan as Document, Unreadable};

use super::origin::SavedOrigin;
use super::plan::SavedPlan;
use super::record::Record;
use super::salt::Salt;

/// What the checksum of a file is about.
const CHECKED: &str = "the whole plan";

/// The text of a file.
pub(super) fn write(plan: &SavedPlan) -> String {
    let origin = &plan.origin;
    let document = Document {
        configuration: origin.configuration.clone(),
        machine: origin.machine.clone(),
        made_at: Timestamp::try_from(origin.made_at).unwrap_or(Timestamp::UNIX_EPOCH).to_string(),
        root: origin.root.as_ref().map(|root| root.display().to_string()),
        salt: plan.salt.hex(),
        told: plan.records.iter().map(Into::into).collect(),
        uphold: origin.uphold.clone(),
    };
    document.to_text(|text| plan.salt.digest(CHECKED, text))
}

/// The plan in a file.
pub(super) fn read(content: &[u8]) -> Result<SavedPlan, Unreadable> {
    let digest = |salt: &str, text: &[u8]| Some(Salt::from_hex(salt)?.digest(CHECKED, text));
    let document = Document::from_text(content, digest)?;
    let damaged = |what: &str| Unreadable::Damaged(what.to_owned());
    let made_at: Timestamp = document.made_at.parse().map_err(|_| damaged("`made_at` is not a time"))?;
    let all = |paths: &[String]| paths.iter().map(Into::into).collect();
    let records = document.told.into_iter().map(Record::try_from);
    Ok(SavedPlan {
        salt: Salt::from_hex(&document.salt).ok_or_else(|| damaged("`salt` cannot be read"))?,
        records: records.collect::<Result<_, _>>().map_err(Unreadable::Damaged)?,
        origin: SavedOrigin {
            made_at: made_at.into(),
            uphold: document.uphold,
            machine: document.machine,
            root: document.root.map(Into::into),
            paths: all(&document.configuration.paths),
            kinds: all(&document.configuration.kinds),
            configuration: document.configuration,
        },
    })
}

/// What to tell the user about a file that cannot be used.
pub(super) fn error(unreadable: &Unreadable, path: &Path) -> Error {
    let (why, fix) = match unreadable {
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
