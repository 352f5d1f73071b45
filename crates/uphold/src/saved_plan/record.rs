//! What a plan says, piece by piece, in the order in which it was said.

use uphold_engine::{Cause, NodeIndex};
use uphold_model::{Action, Moment, Name, ResourceId, Value};
use uphold_resource::Level;
use uphold_wire::SavedValue;
use uphold_wire::saved_plan::{self as wire, Outcome};

/// One thing that a plan told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    /// What would become of a resource.
    Action(Box<PlannedAction>),
    /// A resource had something to say.
    Message { resource: ResourceId, level: Level, text: String },
    /// A value of the whole configuration, with blanks for secrets.
    Output { name: Name, value: Value },
}

/// One action of a saved plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedAction {
    /// The resource.
    pub resource: ResourceId,
    /// What would be done with it.
    pub action: Action,
    /// Why.
    pub cause: Cause,
    /// Where the resource was written, and who edited it, in words.
    pub written_at: Option<String>,
    /// What was set in the configuration, besides what differs; with blanks for secrets, and what a run alone
    /// can tell is unknown.
    pub attributes: Vec<(Name, Value)>,
    /// The place in the list of actions; none for what is done on request.
    pub(super) node: Option<NodeIndex>,
    pub(super) outcome: Outcome,
}

impl From<&Record> for wire::Record {
    fn from(record: &Record) -> Self {
        match record {
            Record::Action(action) => wire::Record::Action(Box::new((&**action).into())),
            Record::Message { resource, level, text } => wire::Record::Message {
                level: match level {
                    Level::Debug => wire::Level::Debug,
                    Level::Info => wire::Level::Info,
                    Level::Warning => wire::Level::Warning,
                },
                resource: resource.into(),
                text: text.clone(),
            },
            Record::Output { name, value } => {
                wire::Record::Output { name: name.to_string(), value: SavedValue(value.into()) }
            }
        }
    }
}

impl TryFrom<wire::Record> for Record {
    type Error = String;

    fn try_from(record: wire::Record) -> Result<Self, String> {
        Ok(match record {
            wire::Record::Action(action) => Record::Action(Box::new((*action).try_into()?)),
            wire::Record::Message { level, resource, text } => Record::Message {
                resource: resource.into(),
                level: match level {
                    wire::Level::Debug => Level::Debug,
                    wire::Level::Info => Level::Info,
                    wire::Level::Warning => Level::Warning,
                },
                text,
            },
            wire::Record::Output { name, value } => {
                Record::Output { name: name.into(), value: (&value.0).into() }
            }
        })
    }
}

impl From<&PlannedAction> for wire::Action {
    fn from(planned: &PlannedAction) -> Self {
        let (notified_by, moment) = match &planned.cause {
            Cause::Notified { by, moment } => (Some(by.into()), Some(moment.word().to_owned())),
            _ => (None, None),
        };
        let attribute = |(name, value): &(Name, Value)| wire::Attribute {
            name: name.to_string(),
            value: SavedValue(value.into()),
        };
        Self {
            action: planned.action.word().to_owned(),
            attributes: planned.attributes.iter().map(attribute).collect(),
            moment,
            node: planned.node.map(Into::into),
            notified_by,
            outcome: planned.outcome.clone(),
            resource: (&planned.resource).into(),
            written_at: planned.written_at.clone(),
        }
    }
}

impl TryFrom<wire::Action> for PlannedAction {
    type Error = String;

    fn try_from(saved: wire::Action) -> Result<Self, String> {
        let word = &saved.action;
        let attribute = |one: wire::Attribute| (one.name.into(), (&one.value.0).into());
        Ok(Self {
            action: Action::named(word).ok_or_else(|| format!("there is no action `{word}`"))?,
            cause: cause(saved.notified_by, saved.moment.as_deref())?,
            resource: saved.resource.into(),
            written_at: saved.written_at,
            attributes: saved.attributes.into_iter().map(attribute).collect(),
            node: saved.node.map(NodeIndex::try_from).transpose().map_err(|_| "`node` is too large")?,
            outcome: saved.outcome,
        })
    }
}

fn cause(by: Option<wire::Resource>, moment: Option<&str>) -> Result<Cause, String> {
    let Some(by) = by else { return Ok(Cause::Written) };
    let word = moment.unwrap_or_default();
    let moment = Moment::ALL.into_iter().find(|moment| moment.word() == word);
    let moment = moment.ok_or_else(|| format!("there is no moment `{word}`"))?;
    Ok(Cause::Notified { by: by.into(), moment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let resource = ResourceId::new("service", "nginx");
        let action = PlannedAction {
            resource: resource.clone(),
            action: Action::Verb("reload".into()),
            cause: Cause::Notified { by: ResourceId::new("file", "/x"), moment: Moment::Delayed },
            written_at: Some("site.hcl:1:1".to_owned()),
            attributes: vec![("running".into(), Value::Bool(true))],
            node: None,
            outcome: Outcome::Unchanged,
        };
        let written = PlannedAction { cause: Cause::Written, node: Some(7), ..action.clone() };
        for record in [
            Record::Action(Box::new(action)),
            Record::Action(Box::new(written)),
            Record::Message { resource, level: Level::Warning, text: "hm".to_owned() },
            Record::Output { name: "url".into(), value: Value::unknown("task.a") },
        ] {
            assert_eq!(Record::try_from(wire::Record::from(&record)), Ok(record));
        }
    }
}
