//! IDS: identities, and the reported state.

use std::cell::Cell;

use uphold_resource::{
    Act, Desired, Found, Look, Properties, Resource, Result, Role, Seen, Sensitive, Step, Want,
};
use uphold_testkit::MemoryHost;

use super::block::{Block, print};

thread_local! {
    /// Whether the thing exists: each test has its own thread.
    static THERE: Cell<bool> = const { Cell::new(false) };
}

/// Two identities, three states, a setting and an export.
#[derive(Resource)]
#[resource(kind = "thing")]
struct Thing {
    #[name]
    name: String,
    #[identity]
    #[default("i")]
    other: String,
    x: Want<String>,
    y: Want<String>,
    #[on_create("dz")]
    z: Want<String>,
    secret: Want<Sensitive<String>>,
    #[default("s")]
    setting: String,
    found: Seen<String>,
}

impl Resource for Thing {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(THERE
            .get()
            .then(|| ThingState {
                x: "x".into(),
                y: "y".into(),
                z: "z".into(),
                secret: Sensitive::new("s".into()),
                found: "found".into(),
            })
            .into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

/// Checks the reported state of a thing that does not exist.
#[track_caller]
fn check(id: &str, block: &Block, expected: &[&str]) {
    let seen = block.instance().observe(Desired::Present, &MemoryHost::new().act()).expect("load");
    assert_eq!(print(&seen.differences), expected.join("\n"), "{id}");
}

fn blah() -> Block {
    Block::new::<Thing>("blah")
}

#[test]
fn reports_the_declared_state() {
    let id = r#"other: nothing -> "i""#;
    let default = r#"z: nothing -> "dz" (default)"#;
    check("IDS-12", &blah(), &[id, default]);
    let all = blah().set("x", "1").set("y", "2").set("z", "3");
    check("IDS-13", &all, &[id, r#"x: nothing -> "1""#, r#"y: nothing -> "2""#, r#"z: nothing -> "3""#]);
    check("IDS-14", &blah().set("y", "2"), &[id, r#"y: nothing -> "2""#, default]);
    check("IDS-15", &blah().set("setting", "t"), &[id, default]);
    // A default is marked; the same value, set, is not.
    check("IDS-16", &blah().set("z", "dz"), &[id, r#"z: nothing -> "dz""#]);
    check("IDS-19", &blah().set("secret", "hunter2"), &[id, default, "secret: nothing -> (sensitive value)"]);
}

#[test]
fn ids_04_an_identity_has_several_properties_and_one_takes_the_label() {
    let role =
        |role: Role| Thing::SCHEMA.all().into_iter().filter(|p| p.role == role).map(|p| p.name).collect();
    let (names, identities): (Vec<_>, Vec<_>) = (role(Role::Name), role(Role::Identity));
    assert_eq!((names, identities), (vec!["name"], vec!["other"]));
    assert_eq!(Thing::SCHEMA.names(), 1);
}

/// Embeds a kind and adds a property to its identity.
#[derive(Resource)]
#[resource(kind = "bigger")]
struct Bigger {
    #[flatten]
    thing: Thing,
    #[identity]
    more: String,
}

#[test]
fn ids_07_an_embedded_resource_brings_its_identity() {
    let identities: Vec<_> =
        Bigger::SCHEMA.all().into_iter().filter(|p| p.role == Role::Identity).map(|p| p.name).collect();
    assert_eq!(identities, ["other", "more"]);
    assert_eq!(Bigger::SCHEMA.names(), 1, "and the label goes to the embedded name");
}

#[test]
fn ids_08_an_identity_is_checked_by_its_type() {
    let problems = blah().set("other", 3).problems();
    assert_eq!(
        problems,
        "`other` = 3 must be a string, not a number; put it in quotes; for a computed value, write `tostring(…)`"
    );
}

#[test]
fn ids_19_hides_secrets_in_values() {
    THERE.set(true);
    let instance = blah().set("secret", "hunter2").instance();
    let seen = instance.observe(Desired::Absent, &MemoryHost::new().act()).expect("load");
    let value = |seen| instance.value("secret", seen).map(|value| value.to_string());
    assert_eq!(value(Some(&seen)).as_deref(), Some("(sensitive value)"));
    assert_eq!(value(None).as_deref(), Some("(sensitive value)"));
    assert!(print(&seen.differences).contains("secret: (sensitive value) -> nothing"));
}

#[test]
fn an_export_is_known_after_loading() {
    THERE.set(true);
    let instance = blah().instance();
    assert_eq!(instance.value("found", None), None);
    let seen = instance.observe(Desired::Present, &MemoryHost::new().act()).expect("load");
    assert!(seen.converged);
    assert_eq!(instance.value("found", Some(&seen)).map(|f| f.to_string()).as_deref(), Some(r#""found""#));
}
