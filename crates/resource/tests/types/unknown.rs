//! Values that are known after apply.

use std::cell::RefCell;

use uphold_model::{Action, Difference};
use uphold_resource::{
    AbsolutePath, Act, Context, Desired, Fields, Found, Instance, Look, Mode, Registry, Resource, Result,
    Step, Value, Want,
};
use uphold_testkit::MemoryHost;

use super::reading::home;

thread_local! {
    /// The current state: each test has its own thread.
    static THERE: RefCell<Option<PlanState>> = const { RefCell::new(None) };
}

#[derive(Resource)]
#[resource(kind = "plan")]
struct Plan {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    #[on_create("0644")]
    mode: Want<Mode>,
    how: Option<String>,
    dir: Option<AbsolutePath>,
    #[relative_to(dir)]
    #[default("x")]
    below: AbsolutePath,
}

impl Resource for Plan {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(THERE.with_borrow(Clone::clone).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn unknown() -> Value {
    Value::unknown("task.a.out")
}

fn decode(values: &[(&str, Value)]) -> (Option<Box<dyn Instance>>, uphold_resource::Findings) {
    let mut registry = Registry::default();
    registry.add::<Plan>().unwrap_or_else(|error| panic!("{error}"));
    let mut values: Vec<_> = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    if !values.iter().any(|(name, _): &(std::sync::Arc<str>, _)| **name == *"dir") {
        values.push(("dir".into(), "/d".into()));
    }
    let context = Context { home: &home, base: None };
    let fields = Fields::new("/p", values, &Action::Converge, context);
    registry.get("plan").expect("it was just added").decode(fields)
}

fn differences(values: &[(&str, Value)]) -> (bool, Vec<Difference>) {
    let (instance, findings) = decode(values);
    let instance = instance.unwrap_or_else(|| panic!("{:?}", findings.problems));
    let seen = instance.observe(Desired::Present, &MemoryHost::new().act()).expect("load");
    (seen.converged, seen.differences)
}

fn names(differences: &[Difference]) -> Vec<String> {
    let to = |d: &Difference| d.to.value().map(ToString::to_string).unwrap_or_default();
    differences.iter().map(|d| format!("{} -> {}", d.property, to(d))).collect()
}

#[test]
fn plans_with_unknown_required_state() {
    let (converged, found) = differences(&[("text", unknown()), ("mode", "0600".into())]);
    assert!(!converged);
    assert_eq!(names(&found), [r#"mode -> "0600""#, "text -> (known after apply)"]);
}

#[test]
fn unknown_state_counts_as_different() {
    THERE.set(Some(PlanState { text: "old".into(), mode: Mode::new(0o644) }));
    let (converged, found) = differences(&[("text", unknown())]);
    assert!(!converged);
    assert_eq!(names(&found), ["text -> (known after apply)"]);
    let (converged, _) = differences(&[("text", "old".into())]);
    assert!(converged);
}

/// Identity and settings decide how to load, so nothing can be loaded while they are unknown.
#[test]
fn waits_for_unknown_identity_and_settings() {
    for property in ["path", "how", "dir", "below"] {
        let (instance, findings) = decode(&[("text", "t".into()), (property, unknown())]);
        assert!(instance.is_none(), "{property}");
        assert!(findings.problems.is_empty(), "{property}: {:?}", findings.problems);
        assert!(findings.unknown.iter().any(|(name, _)| *name == property), "{property}");
    }
}

#[test]
fn reports_other_problems_of_a_deferred_resource() {
    let (instance, findings) = decode(&[("text", unknown()), ("mode", "rw".into()), ("quux", 1.into())]);
    assert!(instance.is_none());
    assert_eq!(findings.problems.len(), 2, "{:?}", findings.problems);
}
