//! Kinds whose changes cannot be undone by their values, and that do not say so.

use uphold_model::{Problem, Type, Value};
use uphold_resource::{
    AbsolutePath, Act, Context, Found, Look, Mode, Previous, Property, Resource, Result, Step, Want,
};
use uphold_testkit::{Subject, Wish};

use crate::note::{Wants, load, put};
use crate::{breaks, keeps_all};

/// Wrong: a text that is shown without the spaces around it.
#[derive(Clone, Debug, PartialEq)]
struct Trimmed(String);

/// Lines of a file; a declaration adds to them. Fine, if the kind says how the previous lines are declared.
#[derive(Clone, Debug, PartialEq)]
struct Lines(Vec<String>);

impl Property for Trimmed {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        String::from_value(value, context).map(Trimmed)
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.trim())
    }
}

impl Property for Lines {
    const TYPE: &'static Type = &Type::List(&Type::Text);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Vec::<String>::from_value(value, context).map(Lines)
    }

    fn to_value(&self) -> Value {
        Value::list(self.0.iter().map(|line| Value::text(line.as_str())))
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let mut lines = current.map(|current| current.0.clone()).unwrap_or_default();
        lines.extend(self.0.iter().filter(|line| !lines.contains(line)).cloned().collect::<Vec<_>>());
        Lines(lines)
    }
}

macro_rules! kind {
    ($name:ident, $state:ident, $type:ident, $read:expr, $write:expr, $previous:expr) => {
        /// A file.
        #[derive(Resource, Clone)]
        #[resource(kind = "note")]
        struct $name {
            #[name]
            path: AbsolutePath,
            /// What it contains.
            #[required]
            text: Want<$type>,
        }

        impl Resource for $name {
            fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
                let wants = Wants { path: &self.path, text: &Want::Unset, mode: &Want::<Mode>::Unset };
                Ok(load(&wants, look)?.map(|found| $state { text: $read(found.text) }).into())
            }

            fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
                match step {
                    Step::Create { goal } => put(&self.path, &$write(&goal.text), Some(0o644), host),
                    Step::Update { goal, .. } => put(&self.path, &$write(&goal.text), None, host),
                    Step::Remove { .. } => host.edits().remove_file(&self.path),
                }
            }

            fn previous(&self, _: Step<'_, Self>) -> Previous {
                $previous
            }
        }
    };
}

#[expect(clippy::needless_pass_by_value, reason = "the macro gives it a string")]
fn lines(text: String) -> Lines {
    Lines(text.lines().map(str::to_owned).collect())
}

fn text(lines: &Lines) -> String {
    lines.0.iter().map(|line| format!("{line}\n")).collect()
}

kind!(Shown, ShownState, Trimmed, Trimmed, |text: &Trimmed| text.0.clone(), Previous::VALUES);
kind!(Adding, AddingState, Lines, lines, text, Previous::VALUES);
kind!(Honest, HonestState, Lines, lines, text, Previous::none("added lines cannot be removed"));

#[test]
fn detects_a_value_that_is_shown_as_another_one() {
    let subject = Subject::of::<Shown>().wish(Wish::named("/note").set("text", " hello "));
    breaks(&subject, "a_loaded_value_can_be_declared", "`text` is loaded as \"hello\"");
}

fn added<R: Resource>() -> Subject {
    let wish = |line: &str| Wish::named("/note").set("text", Value::list([Value::text(line)]));
    Subject::of::<R>().wish(wish("a")).wish(wish("b"))
}

#[test]
fn detects_previous_values_that_do_not_bring_the_state_back() {
    breaks(&added::<Adding>(), "an_inverse_restores_the_state", "it has nothing to change");
}

#[test]
fn a_kind_may_say_that_a_change_cannot_be_undone() {
    keeps_all(&added::<Honest>());
}
