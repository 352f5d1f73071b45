//! How a planned visit went.

use serde_json::{Value as Json, json};
use uphold_engine::{Unwanted, Verdict};
use uphold_model::{Name, ResourceId};

use super::change::PlannedChange;
use super::object::{Damaged, Fields, damaged};
use super::salt::Salt;

/// What the plan says about one action.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It is as declared.
    Unchanged,
    /// It would be changed so.
    WouldChange(PlannedChange),
    /// It cannot be told before something else was applied.
    MayChange {
        /// What it waits for.
        waits_for: Name,
        /// What is wrong as long as that is not done.
        now: Option<String>,
    },
    /// It differs, and is only audited.
    Differs(PlannedChange),
    /// It went wrong, which is ignored.
    Ignored(String),
    /// It is left alone.
    NotWanted(Unwanted),
}

impl Outcome {
    /// What becomes of a verdict; none if a plan with it is worth nothing.
    pub(super) fn of(verdict: &Verdict, resource: &ResourceId, salt: &Salt) -> Option<Self> {
        Some(match verdict {
            Verdict::Unchanged => Outcome::Unchanged,
            Verdict::Changed(change) | Verdict::WouldChange(change) => {
                Outcome::WouldChange(PlannedChange::of(change, resource, salt))
            }
            Verdict::MayChange { waits_for, because } => Outcome::MayChange {
                waits_for: waits_for.clone(),
                now: because.as_ref().map(|failure| failure.message.clone()),
            },
            Verdict::Differs(change) => Outcome::Differs(PlannedChange::of(change, resource, salt)),
            Verdict::Ignored(failure) => Outcome::Ignored(failure.message.clone()),
            Verdict::NotWanted(why) => Outcome::NotWanted(why.clone()),
            Verdict::Failed(_) | Verdict::Skipped(_) => return None,
        })
    }

    pub(super) fn to_json(&self) -> Json {
        match self {
            Outcome::Unchanged => json!({ "verdict": "unchanged" }),
            Outcome::WouldChange(change) => json!({ "verdict": "would_change", "change": change.to_json() }),
            Outcome::MayChange { waits_for, now } => {
                json!({ "verdict": "may_change", "waits_for": &**waits_for, "now": now })
            }
            Outcome::Differs(change) => json!({ "verdict": "differs", "change": change.to_json() }),
            Outcome::Ignored(message) => json!({ "verdict": "ignored", "now": message }),
            Outcome::NotWanted(why) => json!({ "verdict": "not_wanted", "why": unwanted_to_json(why) }),
        }
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        let change = || PlannedChange::from_json(fields.need("change")?);
        Ok(match fields.text("verdict")? {
            "unchanged" => Outcome::Unchanged,
            "would_change" => Outcome::WouldChange(change()?),
            "may_change" => Outcome::MayChange {
                waits_for: fields.text("waits_for")?.into(),
                now: fields.optional_text("now")?.map(str::to_owned),
            },
            "differs" => Outcome::Differs(change()?),
            "ignored" => Outcome::Ignored(fields.text("now")?.to_owned()),
            "not_wanted" => Outcome::NotWanted(unwanted_from_json(fields.need("why")?)?),
            other => return Err(damaged(format!("there is no verdict `{other}`"))),
        })
    }
}

fn unwanted_to_json(why: &Unwanted) -> Json {
    match why {
        Unwanted::When => json!({ "because": "when" }),
        Unwanted::Guard { word, command, of_group } => {
            json!({ "because": word, "command": command, "of_group": of_group })
        }
        Unwanted::NothingChanged => json!({ "because": "nothing_changed" }),
        Unwanted::RunFailed => json!({ "because": "run_failed" }),
    }
}

fn unwanted_from_json(json: &Json) -> Result<Unwanted, Damaged> {
    let fields = Fields::of(json)?;
    let word = match fields.text("because")? {
        "when" => return Ok(Unwanted::When),
        "nothing_changed" => return Ok(Unwanted::NothingChanged),
        "run_failed" => return Ok(Unwanted::RunFailed),
        "only_if" => "only_if",
        "not_if" => "not_if",
        other => return Err(damaged(format!("there is no reason `{other}`"))),
    };
    let command = fields.optional_text("command")?.map(str::to_owned);
    let of_group = fields.get("of_group").and_then(Json::as_bool).unwrap_or(false);
    Ok(Unwanted::Guard { word, command, of_group })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_as_they_were_written() {
        let guard = |word| Unwanted::Guard { word, command: Some("test -f /x".to_owned()), of_group: true };
        for outcome in [
            Outcome::Unchanged,
            Outcome::MayChange { waits_for: "task.a".into(), now: None },
            Outcome::MayChange { waits_for: "task.a".into(), now: Some("no".to_owned()) },
            Outcome::Ignored("cannot".to_owned()),
            Outcome::NotWanted(Unwanted::When),
            Outcome::NotWanted(Unwanted::NothingChanged),
            Outcome::NotWanted(Unwanted::RunFailed),
            Outcome::NotWanted(guard("only_if")),
            Outcome::NotWanted(guard("not_if")),
        ] {
            assert_eq!(Outcome::from_json(&outcome.to_json()), Ok(outcome));
        }
    }

    #[test]
    fn an_unknown_word_is_damage() {
        assert!(Outcome::from_json(&json!({ "verdict": "changed" })).is_err());
        let why = json!({ "verdict": "not_wanted", "why": { "because": "x" } });
        assert!(Outcome::from_json(&why).is_err());
    }
}
