//! What a plan says, piece by piece, in the order in which it was said.

use serde_json::{Value as Json, json};
use uphold_engine::{Cause, NodeIndex};
use uphold_model::{Action, Moment, Name, ResourceId, Value};
use uphold_resource::Level;

use super::object::{Damaged, Fields, damaged};
use super::outcome::Outcome;
use super::value::{from_json, id_from_json, id_to_json, to_json};

const LEVELS: [(&str, Level); 3] =
    [("debug", Level::Debug), ("info", Level::Info), ("warning", Level::Warning)];

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

impl Record {
    pub(super) fn to_json(&self) -> Json {
        match self {
            Record::Action(action) => action.to_json(),
            Record::Message { resource, level, text } => {
                let word = LEVELS.iter().find(|(_, known)| known == level).map(|(word, _)| *word);
                json!({ "type": "message", "resource": id_to_json(resource), "level": word, "text": text })
            }
            Record::Output { name, value } => {
                json!({ "type": "output", "name": &**name, "value": to_json(value) })
            }
        }
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        Ok(match fields.text("type")? {
            "action" => Record::Action(Box::new(PlannedAction::from_json(fields, json)?)),
            "message" => {
                let word = fields.text("level")?;
                let level = LEVELS.iter().find(|(known, _)| *known == word).map(|(_, level)| *level);
                Record::Message {
                    resource: id_from_json(fields.need("resource")?)?,
                    level: level.ok_or_else(|| damaged(format!("there is no level `{word}`")))?,
                    text: fields.text("text")?.to_owned(),
                }
            }
            "output" => {
                Record::Output { name: fields.text("name")?.into(), value: from_json(fields.need("value")?)? }
            }
            other => return Err(damaged(format!("there is no record `{other}`"))),
        })
    }
}

impl PlannedAction {
    fn to_json(&self) -> Json {
        let mut json = self.outcome.to_json();
        json["type"] = "action".into();
        json["resource"] = id_to_json(&self.resource);
        json["action"] = self.action.word().into();
        json["node"] = self.node.into();
        json["written_at"] = self.written_at.clone().into();
        let attribute = |(name, value): &(Name, Value)| json!({ "name": &**name, "value": to_json(value) });
        json["attributes"] = self.attributes.iter().map(attribute).collect();
        if let Cause::Notified { by, moment } = &self.cause {
            json["notified_by"] = id_to_json(by);
            json["moment"] = moment.word().into();
        }
        json
    }

    fn from_json(fields: Fields<'_>, json: &Json) -> Result<Self, Damaged> {
        let word = fields.text("action")?;
        let node = fields.get("node").and_then(Json::as_u64).map(NodeIndex::try_from).transpose();
        let attribute = |json| {
            let fields = Fields::of(json)?;
            Ok((fields.text("name")?.into(), from_json(fields.need("value")?)?))
        };
        Ok(Self {
            resource: id_from_json(fields.need("resource")?)?,
            action: Action::named(word).ok_or_else(|| damaged(format!("there is no action `{word}`")))?,
            cause: cause(fields)?,
            written_at: fields.optional_text("written_at")?.map(str::to_owned),
            attributes: fields.each("attributes", attribute)?,
            node: node.map_err(|_| damaged("`node` is too large"))?,
            outcome: Outcome::from_json(json)?,
        })
    }
}

fn cause(fields: Fields<'_>) -> Result<Cause, Damaged> {
    let Some(by) = fields.get("notified_by") else { return Ok(Cause::Written) };
    let word = fields.text("moment")?;
    let moment = Moment::ALL.into_iter().find(|moment| moment.word() == word);
    let moment = moment.ok_or_else(|| damaged(format!("there is no moment `{word}`")))?;
    Ok(Cause::Notified { by: id_from_json(by)?, moment })
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
            assert_eq!(Record::from_json(&record.to_json()), Ok(record));
        }
    }
}
