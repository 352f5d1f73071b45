//! One property that differs, as it was planned.

use serde_json::{Value as Json, json};
use uphold_model::{Difference, Name, ResourceId, Side, Value};

use super::object::{Damaged, Fields, damaged};
use super::salt::Salt;
use super::value::{blank, from_json, to_json};
use super::words;

/// One property that differs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedDifference {
    pub(super) property: Name,
    from: PlannedSide,
    to: PlannedSide,
}

/// One side of it.
#[derive(Clone, Debug, PartialEq)]
struct PlannedSide {
    /// Without secrets.
    side: Side,
    /// Of the whole value, if it is hidden and known.
    digest: Option<String>,
}

impl PlannedDifference {
    pub(super) fn of(difference: &Difference, resource: &ResourceId, salt: &Salt) -> Self {
        let Difference { property, from, to } = difference;
        // If either side is a secret, both are: the old value may be the new one of another machine.
        let hidden = difference.is_sensitive();
        let side =
            |side: &Side, word| PlannedSide::of(side, hidden, &subject(resource, property, word), salt);
        Self { property: property.clone(), from: side(from, "from"), to: side(to, "to") }
    }

    /// Whether `now` is the same difference of a property of `resource`.
    ///
    /// # Errors
    /// Which side is another one, in plain words.
    pub(super) fn compare(&self, now: &Difference, resource: &ResourceId, salt: &Salt) -> Result<(), String> {
        let hidden = now.is_sensitive() || self.from.is_hidden() || self.to.is_hidden();
        let fits = |planned: &PlannedSide, now: &Side, word| {
            planned.fits(now, &subject(resource, &self.property, word), salt)
        };
        if !fits(&self.from, &now.from, "from") {
            return Err(words::other_origin(&self.property, &self.from.side, &now.from, hidden));
        }
        if !fits(&self.to, &now.to, "to") {
            return Err(words::other_goal(&self.property, &self.to.side, &now.to, hidden));
        }
        Ok(())
    }

    /// Whether it may turn out to be none, because what it leads to is not known.
    pub(super) fn is_open(&self) -> bool {
        self.to.is_unknown()
    }

    /// As a run tells it, with blanks for secrets.
    pub(super) fn shown(&self) -> Difference {
        let (from, to) = (self.from.side.clone(), self.to.side.clone());
        Difference { property: self.property.clone(), from, to }
    }

    pub(super) fn to_json(&self) -> Json {
        json!({ "property": &*self.property, "from": self.from.to_json(), "to": self.to.to_json() })
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        Ok(Self {
            property: fields.text("property")?.into(),
            from: PlannedSide::from_json(fields.need("from")?)?,
            to: PlannedSide::from_json(fields.need("to")?)?,
        })
    }
}

/// What a digest is about.
fn subject(resource: &ResourceId, property: &str, side: &str) -> String {
    format!("{resource}.{property} {side}")
}

impl PlannedSide {
    fn of(side: &Side, hidden: bool, subject: &str, salt: &Salt) -> Self {
        let known = side.value().filter(|value| hidden && !value.is_unknown());
        let digest = known.map(|value| salt.digest_value(subject, value));
        let side = if hidden { side.clone().sensitive() } else { side.clone() };
        let side = match side {
            Side::Absent => Side::Absent,
            Side::Value(value) => Side::Value(blank(&value)),
            Side::Default(value) => Side::Default(blank(&value)),
        };
        Self { side, digest }
    }

    fn is_hidden(&self) -> bool {
        self.side.value().is_some_and(Value::is_sensitive)
    }

    fn is_unknown(&self) -> bool {
        self.side.value().is_some_and(Value::is_unknown)
    }

    fn fits(&self, now: &Side, subject: &str, salt: &Salt) -> bool {
        match (self.side.value(), now.value()) {
            (None, None) => true,
            (Some(planned), Some(now)) => match &self.digest {
                Some(digest) => salt.digest_value(subject, now) == *digest,
                None => fits(planned, now),
            },
            _ => false,
        }
    }

    fn to_json(&self) -> Json {
        match &self.side {
            Side::Absent => Json::Null,
            Side::Value(value) => json!({ "value": to_json(value), "digest": self.digest }),
            Side::Default(value) => json!({ "default": to_json(value), "digest": self.digest }),
        }
    }

    fn from_json(json: &Json) -> Result<Self, Damaged> {
        if json.is_null() {
            return Ok(Self { side: Side::Absent, digest: None });
        }
        let fields = Fields::of(json)?;
        let side = match fields.get("default") {
            Some(default) => Side::Default(from_json(default)?),
            None => Side::Value(from_json(fields.need("value")?)?),
        };
        let digest = fields.optional_text("digest")?.map(str::to_owned);
        // A secret without its digest would match anything.
        let open = side.value().is_some_and(|value| value.is_sensitive() && !value.is_unknown());
        match open && digest.is_none() {
            true => Err(damaged("a secret has no digest")),
            false => Ok(Self { side, digest }),
        }
    }
}

/// Whether a value is what was planned: equal, apart from what was not known.
fn fits(planned: &Value, now: &Value) -> bool {
    match (planned.reveal(), now.reveal()) {
        (Value::Unknown(_), _) => true,
        (Value::List(planned), Value::List(now)) => {
            planned.len() == now.len()
                && planned.iter().zip(now.iter()).all(|(planned, now)| fits(planned, now))
        }
        (Value::Map(planned), Value::Map(now)) => {
            let same = |((key, planned), (other, now)): ((&Name, &Value), (&Name, &Value))| {
                key == other && fits(planned, now)
            };
            planned.len() == now.len() && planned.iter().zip(now.iter()).all(same)
        }
        (planned, now) => planned == now,
    }
}
