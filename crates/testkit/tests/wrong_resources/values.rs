//! A type whose values do not round-trip.

use uphold_model::{Problem, Type, Value};
use uphold_resource::{
    AbsolutePath, Act, Context, Found, Look, Mode, Property, Resource, Result, Step, Want,
};
use uphold_testkit::{Subject, Wish};

use crate::breaks;
use crate::note::{Move, Wants, apply, load};

/// Wrong: a text that gets one more `!` each time it is read.
#[derive(Clone, Debug, PartialEq)]
struct Urgent(String);

impl Property for Urgent {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        String::from_value(value, context).map(|text| Urgent(text + "!"))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// An empty file.
#[derive(Resource, Clone)]
#[resource(kind = "bell")]
struct Bell {
    #[name]
    path: AbsolutePath,
    /// Permission bits.
    #[on_create("0644")]
    mode: Want<Mode>,
    /// What to shout.
    #[default("now")]
    call: Urgent,
}

impl Bell {
    fn wants(&self) -> Wants<'_> {
        Wants { path: &self.path, text: &Want::Unset, mode: &self.mode }
    }
}

impl Resource for Bell {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        assert!(self.call.0.ends_with('!'));
        Ok(load(&self.wants(), look)?.map(|found| BellState { mode: found.mode }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let step = match step {
            Step::Create { goal } => Move::Create { text: "", mode: goal.mode.bits() },
            Step::Update { goal, .. } => Move::Update { text: None, mode: Some(goal.mode.bits()), goal: "" },
            Step::Remove { .. } => Move::Remove,
        };
        apply(&self.wants(), &step, host)
    }
}

#[test]
fn detects_a_value_that_changes_each_time_it_is_read() {
    let subject = Subject::of::<Bell>().wish(Wish::named("/bell").set("mode", "0600").set("call", "help"));
    breaks(&subject, "values_round_trip", "`call` = \"now!!\" comes back as \"now!!!\"");
}
