//! The statements for the engine.

use std::num::NonZeroU32;
use std::time::Duration;

use uphold_model::{
    Action, ActionGroup, Attribute, Declaration, Guard, GuardCommand, Handling, Lock, Meta, Notification,
    Order, ResourceId, Retry, Statement, Term, ThinVec, Trigger,
};

use super::expression::{has_length, length_of, reference};
use super::scene::{Around, Condition, Group, Mark, Prop, Scene, Tell, Text, Thing};

/// A path that always exists.
pub(crate) const ALWAYS: &str = "/d/always";

impl Scene {
    /// The id of a resource.
    pub(crate) fn id(&self, thing: Thing) -> ResourceId {
        ResourceId::new(self.things[thing].kind, &*self.things[thing].path)
    }

    /// The program.
    pub(crate) fn statements(&self) -> Vec<Statement> {
        self.layout.iter().map(|mark| self.statement(*mark)).collect()
    }

    fn statement(&self, mark: Mark) -> Statement {
        match mark {
            Mark::Begin(cluster) => Statement::Begin(self.group(&self.clusters[cluster])),
            Mark::End => Statement::End,
            Mark::Declare(thing) => Statement::Declare(self.declaration(thing)),
            Mark::Do(step) => {
                let id = self.id(self.steps[step].thing);
                let action = action(self.steps[step].action);
                Statement::Trigger(Trigger {
                    id,
                    action,
                    place: None,
                    depends_on: ThinVec::default(),
                    when: None,
                })
            }
        }
    }

    fn group(&self, group: &Group) -> ActionGroup {
        let heard = |thing: &Thing| Tell { other: *thing, action: "converge", moment: Default::default() };
        let subscribes = group.subscribes.iter().map(|thing| self.notification(&heard(thing))).collect();
        let handling = Handling { subscribes, ..self.handling(&group.around) };
        ActionGroup {
            concurrency: group.concurrency.and_then(NonZeroU32::new),
            handling: Some(Box::new(handling)),
            ..ActionGroup::new(if group.sequence { Order::Sequence } else { Order::Parallel })
        }
    }

    fn declaration(&self, thing: Thing) -> Declaration {
        let prop = &self.things[thing];
        let subscribes = prop.subscribes.iter().map(|tell| self.notification(tell)).collect();
        let handling = Handling {
            subscribes,
            locks: prop.locks.iter().map(|lock| self.lock(*lock)).collect(),
            retry: prop.retry.map(Retry::times),
            timeout: prop.timeout.map(Duration::from_secs),
            ..self.handling(&prop.around)
        };
        let meta = Meta {
            depends_on: prop.depends_on.iter().map(|other| reference(self.id(*other), None)).collect(),
            when: prop.when.map(|when| Box::new(self.condition(when))),
            handling: Some(Box::new(handling)),
            ..Meta::default()
        };
        Declaration { id: self.id(thing), place: None, attributes: self.attributes(prop).into(), meta }
    }

    fn attributes(&self, prop: &Prop) -> Vec<Attribute> {
        if prop.kind == "folder" {
            return Vec::new();
        }
        let text = match &prop.text {
            Text::Fixed(text) => Attribute::known("text", text.as_str()),
            Text::LengthOf(other) => {
                Attribute { value: length_of(self.id(*other)), ..Attribute::known("text", 0) }
            }
        };
        let mut all = vec![text, Attribute::known("how", prop.how)];
        if prop.ready > 0 {
            all.push(Attribute::known("ready", prop.ready as i64));
        }
        all
    }

    fn handling(&self, around: &Around) -> Handling {
        Handling {
            notifies: around.notifies.iter().map(|tell| self.notification(tell)).collect(),
            guards: around
                .guards
                .iter()
                .map(|(expected, condition)| self.guard(*expected, *condition))
                .collect(),
            audit: around.audit,
            ignore_failure: around.ignore_failure,
            ..Handling::default()
        }
    }

    fn lock(&self, lock: usize) -> Lock {
        let most = NonZeroU32::new(self.locks[lock]).expect("a lock lets somebody in");
        Lock { name: format!("lock {lock}").into(), most }
    }

    fn notification(&self, tell: &Tell) -> Notification {
        let other = reference(self.id(tell.other), None);
        Notification { other, action: action(tell.action), moment: tell.moment }
    }

    fn guard(&self, expected: bool, condition: Condition) -> Guard {
        let condition = self.condition(condition);
        Guard { condition, expected, command: GuardCommand::default(), place: None }
    }

    fn condition(&self, condition: Condition) -> Term {
        match condition {
            Condition::Bool(holds) => Term::Known(holds.into()),
            Condition::Command(true) => Term::Known(format!("test -f {ALWAYS}").into()),
            Condition::Command(false) => Term::Known("test -f /d/never".into()),
            Condition::There(thing) => Term::Known(format!("test -e {}", self.things[thing].path).into()),
            Condition::Length(thing, length) => has_length(self.id(thing), length),
        }
    }
}

fn action(word: &str) -> Action {
    Action::named(word).expect("it is an action")
}
