//! A change as it was planned, and whether another one is the same.

use serde_json::{Value as Json, json};
use uphold_engine::{Change, ChangeKind};
use uphold_model::{Difference, Name, ResourceId};

use super::difference::PlannedDifference;
use super::object::{Damaged, Fields, damaged};
use super::salt::Salt;
use super::words;

/// The sorts of changes by the words that stand for them.
const KINDS: [(&str, ChangeKind); 4] = [
    ("create", ChangeKind::Create),
    ("update", ChangeKind::Update),
    ("remove", ChangeKind::Remove),
    ("run", ChangeKind::Run),
];

/// What would be done. Of a secret it has a digest and no more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedChange {
    pub(super) kind: ChangeKind,
    pub(super) differences: Vec<PlannedDifference>,
    /// Exports that only the change will tell.
    pub(super) unknown: Vec<Name>,
}

impl PlannedChange {
    /// What a run found out about `resource`.
    pub(super) fn of(change: &Change, resource: &ResourceId, salt: &Salt) -> Self {
        let differences = change.differences.iter();
        Self {
            kind: change.kind,
            differences: differences.map(|one| PlannedDifference::of(one, resource, salt)).collect(),
            unknown: change.unknown.iter().map(|name| (*name).into()).collect(),
        }
    }

    /// Whether `now` is the same change of `resource`. What the plan did not know may be anything.
    ///
    /// # Errors
    /// The first thing that is different, in plain words.
    pub(super) fn compare(&self, now: &Change, resource: &ResourceId, salt: &Salt) -> Result<(), String> {
        if self.kind != now.kind {
            return Err(words::other_kind(self.kind, now));
        }
        for planned in &self.differences {
            match now.differences.iter().find(|difference| difference.property == planned.property) {
                Some(now) => planned.compare(now, resource, salt)?,
                None if planned.is_open() => {}
                None => return Err(words::settled(&planned.property)),
            }
        }
        let is_new = |now: &&Difference| self.differences.iter().all(|one| one.property != now.property);
        now.differences.iter().find(is_new).map_or(Ok(()), |new| Err(words::newly_different(new)))
    }

    /// The differences as a run tells them, with blanks for secrets.
    pub(super) fn shown(&self) -> Vec<Difference> {
        self.differences.iter().map(PlannedDifference::shown).collect()
    }

    pub(super) fn to_json(&self) -> Json {
        let kind = KINDS.iter().find(|(_, kind)| *kind == self.kind).map(|(word, _)| *word);
        let differences: Vec<Json> = self.differences.iter().map(PlannedDifference::to_json).collect();
        let unknown: Vec<&str> = self.unknown.iter().map(|name| &**name).collect();
        json!({ "kind": kind, "differences": differences, "unknown": unknown })
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        let word = fields.text("kind")?;
        let kind = KINDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
        Ok(Self {
            kind: kind.ok_or_else(|| damaged(format!("there is no change `{word}`")))?,
            differences: fields.each("differences", PlannedDifference::from_json)?,
            unknown: fields.texts("unknown")?.into_iter().map(Into::into).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_model::{Side, Value};

    fn one(kind: ChangeKind, differences: &[(&str, Side, Side)]) -> Change {
        let difference = |(property, from, to): &(&str, Side, Side)| Difference {
            property: (*property).into(),
            from: from.clone(),
            to: to.clone(),
        };
        Change { kind, differences: differences.iter().map(difference).collect(), unknown: vec!["sha256"] }
    }

    fn text(text: &str) -> Side {
        Side::Value(Value::text(text))
    }

    /// Plans one change, keeps it as text, and compares it with what would be done now.
    #[track_caller]
    fn check(planned: &Change, now: &Change, expected: Result<(), &str>) {
        let (salt, id) = (Salt::fresh(), ResourceId::new("file", "/x"));
        let text = PlannedChange::of(planned, &id, &salt).to_json().to_string();
        assert!(!text.contains("hunter2"), "{text}");
        let kept = PlannedChange::from_json(&serde_json::from_str(&text).expect("JSON")).expect("a change");
        let found = kept.compare(now, &id, &salt);
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected);
    }

    #[test]
    fn the_same_change_is_fine() {
        let update =
            one(ChangeKind::Update, &[("mode", text("0644"), text("0600")), ("a", text("1"), text("2"))]);
        check(&update, &update, Ok(()));
        let create = one(ChangeKind::Create, &[("mode", Side::Absent, Side::Default(Value::text("0644")))]);
        check(&create, &create, Ok(()));
        check(&one(ChangeKind::Run, &[]), &one(ChangeKind::Run, &[]), Ok(()));
    }

    #[test]
    fn another_change_is_not() {
        let planned = one(ChangeKind::Update, &[("mode", text("0644"), text("0600"))]);
        let now = |from: &str, to: &str| one(ChangeKind::Update, &[("mode", text(from), text(to))]);
        check(
            &planned,
            &now("0755", "0600"),
            Err("mode was \"0644\" when it was planned, and is \"0755\" now"),
        );
        check(
            &planned,
            &now("0644", "0640"),
            Err("mode was to become \"0600\", and would become \"0640\" now"),
        );
        check(
            &planned,
            &one(ChangeKind::Update, &[]),
            Err("mode was to be changed, and needs no change now"),
        );
        let more = [("mode", text("0644"), text("0600")), ("owner", text("a"), text("b"))];
        check(&planned, &one(ChangeKind::Update, &more), Err("owner was as declared, and is \"a\" now"));
        let gone = one(ChangeKind::Create, &[("mode", Side::Absent, text("0600"))]);
        check(&planned, &gone, Err("it was to be changed, but is gone"));
        check(&gone, &planned, Err("it was to be created, but is there now: mode \"0644\""));
    }

    #[test]
    fn what_was_not_known_may_be_anything() {
        let unknown = |value: Value| one(ChangeKind::Update, &[("content", text("old"), Side::Value(value))]);
        let now = one(ChangeKind::Update, &[("content", text("old"), text("new"))]);
        let planned = unknown(Value::unknown("task.a"));
        check(&planned, &now, Ok(()));
        check(&planned, &one(ChangeKind::Update, &[]), Ok(()));
        check(&unknown(Value::unknown("task.a").sensitive()), &now, Ok(()));
        let partly = unknown(Value::list([Value::Int(1), Value::unknown("task.a")]));
        check(&partly, &unknown(Value::list([Value::Int(1), Value::Int(2)])), Ok(()));
        let other = unknown(Value::list([Value::Int(3), Value::Int(2)]));
        check(
            &partly,
            &other,
            Err("content was to become [1, (known after apply)], and would become [3, 2] now"),
        );
        let drifted = one(ChangeKind::Update, &[("content", text("other"), text("new"))]);
        check(&planned, &drifted, Err("content was \"old\" when it was planned, and is \"other\" now"));
    }

    #[test]
    fn a_secret_is_compared_without_being_kept() {
        let secret = |from: &str, to: &str| {
            one(ChangeKind::Update, &[("content", text(from).sensitive(), text(to).sensitive())])
        };
        let planned = secret("hunter1", "hunter2");
        check(&planned, &planned, Ok(()));
        check(
            &planned,
            &secret("hunter3", "hunter2"),
            Err("content is a secret that is not what it was when it was planned"),
        );
        check(
            &planned,
            &secret("hunter1", "hunter3"),
            Err("content is a secret, and would become another one than planned"),
        );
        // Only one side is a secret: the other is not kept either.
        let half = one(ChangeKind::Update, &[("content", text("hunter2"), text("x").sensitive())]);
        check(&half, &half, Ok(()));
    }

    #[test]
    fn a_secret_that_lost_its_digest_is_damage() {
        let json = json!({ "kind": "update", "unknown": [], "differences": [
            { "property": "content", "from": null, "to": { "value": { "$secret": true } } }] });
        assert!(PlannedChange::from_json(&json).is_err());
    }
}
