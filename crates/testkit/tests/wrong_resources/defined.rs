//! The same small file kind, defined at run time: the laws detect the same mistakes in it.

use std::sync::Arc;

use uphold_model::{DefaultValue, Map, Need, PropertySchema, Role, Schema, Type, Value};
use uphold_resource::{
    AbsolutePath, Act, Context, Definition, Look, Mode, Property, Reading, Resource, Result, ValueType, Want,
    Wishes,
};
use uphold_testkit::Subject;

use crate::note::{FoundNote, Move, Wants, apply, load, tried};
use crate::{breaks, keeps_all};

pub(crate) type Load = fn(&Wants<'_>, &Reading<'_>) -> Result<Option<FoundNote>>;
pub(crate) type Apply = fn(&Wants<'_>, &Move<'_>, &Act<'_>) -> Result<()>;

/// Asserts that the compiled kind breaks exactly `law`, and that one defined with the same functions does, too.
#[track_caller]
pub(crate) fn both_break<R: Resource>(load: Load, apply: Apply, law: &str, words: &str) {
    breaks(&tried(Subject::of::<R>()), law, words);
    breaks(&tried(defined(load, apply)), law, words);
}

pub(crate) fn defined(load: Load, apply: Apply) -> Subject {
    Subject::defined(definition(load, apply))
}

fn definition(load: Load, apply: Apply) -> Arc<dyn Definition> {
    let types = ["path", "text", "mode", "int"].map(|name| ValueType::named(name).expect("it is plain"));
    Arc::new(DefinedNote { types, load, apply })
}

struct DefinedNote {
    types: [ValueType; 4],
    load: Load,
    apply: Apply,
}

const NAMES: [&str; 4] = ["path", "text", "mode", "size"];

static SCHEMA: Schema = Schema {
    kind: "note",
    doc: "A file with a text and a mode.",
    properties: &[
        property(NAMES[0], Role::Name, AbsolutePath::TYPE, None),
        property(NAMES[1], Role::State, &Type::Text, Some(|| Ok(Value::text("")))),
        property(NAMES[2], Role::State, Mode::TYPE, Some(|| Ok(Value::text("0644")))),
        property(NAMES[3], Role::Export, &Type::Int(i64::MIN, i64::MAX), None),
    ],
    groups: &[],
    verbs: &[],
    removable: true,
    also: &[],
};

type Make = fn() -> std::result::Result<Value, uphold_model::Problem>;

const fn property(name: &'static str, role: Role, ty: &'static Type, make: Option<Make>) -> PropertySchema {
    let default = match make {
        Some(make) => Some(DefaultValue::Made(make)),
        None => None,
    };
    PropertySchema {
        name,
        doc: "",
        role,
        ty,
        need: Need::Optional,
        default,
        rules: &[],
        aliases: &[],
        also: &[],
        replaced_by: None,
        flatten: None,
    }
}

fn want<T: Property>(wishes: &Wishes, property: &str) -> Want<T> {
    match wishes.get(property).map(|value| T::from_value(value, &Context::NOTHING)) {
        Some(Ok(value)) => Want::Set(value),
        _ => Want::Unset,
    }
}

fn with<T>(wishes: &Wishes, act: impl FnOnce(&Wants<'_>) -> T) -> T {
    let Want::Set(path) = want::<AbsolutePath>(wishes, "path") else { panic!("a note has a path") };
    act(&Wants { path: &path, text: &want(wishes, "text"), mode: &want(wishes, "mode") })
}

impl DefinedNote {
    fn goal<T: Property>(&self, name: &str, wishes: &Wishes, current: Option<&Map>) -> T {
        let goal = SCHEMA.property(name).and_then(|property| wishes.goal(self, property, current));
        let goal = goal.expect("there is a default");
        T::from_value(&goal, &Context::NOTHING).expect("it was read before")
    }
}

impl Definition for DefinedNote {
    fn schema(&self) -> &'static Schema {
        &SCHEMA
    }

    fn value_type(&self, property: &str) -> &ValueType {
        let at = NAMES.iter().position(|name| *name == property).expect("it is in the schema");
        &self.types[at]
    }

    fn load(&self, wishes: &Wishes, look: &Look<'_>) -> Result<Option<Map>> {
        let found = with(wishes, |wants| (self.load)(wants, look))?;
        Ok(found.map(|found| {
            let size = i64::try_from(found.size).expect("it is small");
            let values =
                [("text", found.text.to_value()), ("mode", found.mode.to_value()), ("size", size.to_value())];
            values.into_iter().map(|(name, value)| (name.into(), value)).collect()
        }))
    }

    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()> {
        let text: String = self.goal("text", wishes, current);
        let mode = self.goal::<Mode>("mode", wishes, current);
        let differs = |name: &str, goal: &Value| current.and_then(|current| current.get(name)) != Some(goal);
        let step = match current {
            None => Move::Create { text: &text, mode: mode.bits() },
            Some(_) => Move::Update {
                text: differs("text", &text.to_value()).then_some(&*text),
                mode: differs("mode", &mode.to_value()).then(|| mode.bits()),
                goal: &text,
            },
        };
        with(wishes, |wants| (self.apply)(wants, &step, host))
    }

    fn remove(&self, wishes: &Wishes, _: &Map, host: &Act<'_>) -> Result<()> {
        with(wishes, |wants| (self.apply)(wants, &Move::Remove, host))
    }
}

#[test]
fn a_correct_defined_kind_keeps_all_laws() {
    keeps_all(&tried(defined(load, apply)));
}

mod by_macro {
    use super::*;

    uphold_testkit::laws! {
        defined: definition(load, apply),
        world: |host| host.directory("/srv", 0o755),
        wishes: [{ "/srv/motd", text = "hello", mode = "0640" }, { "/srv/motd", text = "other" }],
        drift: [|host| host.tamper("/srv/motd", "x")],
    }
}
