//! LCV: what `load` receives, and what it returns.

use std::path::Path;

use uphold_resource::{
    Act, Desired, Error, ErrorKind, Found, Level, Look, Properties, Resource, Result, Step, Want,
};
use uphold_testkit::MemoryHost;

use super::block::{Block, print};

/// Reports its identity and settings. It exists if `/there` does, and its `load` fails if `/broken` exists.
#[derive(Resource)]
#[resource(kind = "witness")]
struct Witness {
    /// The label.
    #[name]
    name: String,
    /// Part of the identity.
    #[identity]
    #[default("i0")]
    i: String,
    /// A setting.
    d: Option<String>,
    /// State.
    #[on_create("created")]
    x: Want<String>,
}

impl Resource for Witness {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let there = |path: &str| look.files().look(Path::new(path)).map(|entry| entry.is_some());
        if there("/broken")? {
            return Err(Error::new(ErrorKind::Denied, "cannot look"));
        }
        let Witness { name, i, d, .. } = self;
        look.report(Level::Debug, &format!("name={name} i={i} d={d:?}"));
        look.report(Level::Debug, &format!("wants {:?}", self.x));
        Ok(there("/there")?.then(|| WitnessState { x: "loaded".into() }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if let Step::Remove { .. } = step {
            host.edits().remove_file(Path::new("/there"))?;
        }
        Ok(())
    }
}

fn blah() -> Block {
    Block::new::<Witness>("blah").set("x", "desired")
}

fn there() -> MemoryHost {
    MemoryHost::new().file("/there", "", 0o644)
}

/// Checks the identity and settings that the loader received.
#[track_caller]
fn check_seen(id: &str, block: &Block, expected: &str) {
    let host = there();
    block.instance().observe(Desired::Present, &host.act()).expect("load");
    assert_eq!(host.said().first(), Some(&(Level::Debug, expected.to_owned())), "{id}");
}

#[test]
fn a_loader_gets_identity_and_settings() {
    check_seen("LCV-01", &blah(), "name=blah i=i0 d=None");
    check_seen("LCV-06", &blah().set("i", "i1").set("d", "d1"), r#"name=blah i=i1 d=Some("d1")"#);
    check_seen("LCV-07", &blah().set("name", "foo"), "name=foo i=i0 d=None");
    check_seen("LCV-17", &blah().set("d", "d1"), r#"name=blah i=i0 d=Some("d1")"#);
}

/// `load` creates a new state, of the kind's own type, without anything of the declaration.
#[test]
fn lcv_09_a_loaded_state_is_of_the_kinds_own_type() {
    let wish = Witness::named("blah").expect("a name is enough");
    let state: Option<<Witness as Properties>::State> =
        wish.load(&Look::to_read(&there().act())).expect("load").state();
    assert_eq!(state, Some(WitnessState { x: "loaded".into() }));
}

#[test]
fn lcv_12_a_loader_gets_the_declared_state() {
    let host = there();
    let seen = blah().instance().observe(Desired::Present, &host.act()).expect("load");
    let wish = r#"wants Set("desired")"#;
    assert_eq!(host.said().last(), Some(&(Level::Debug, wish.to_owned())));
    assert_eq!(print(&seen.differences), r#"x: "loaded" -> "desired""#, "and does not return it");
}

#[test]
fn lcv_13_an_observation_keeps_the_loaded_state() {
    let instance = blah().instance();
    let seen = instance.observe(Desired::Present, &there().act()).expect("load");
    assert!(seen.exists);
    assert_eq!(print(&seen.differences), r#"x: "loaded" -> "desired""#);
    assert_eq!(instance.value("x", Some(&seen)).map(|x| x.to_string()).as_deref(), Some(r#""loaded""#));
    assert_eq!(instance.value("x", None).map(|x| x.to_string()).as_deref(), Some(r#""desired""#));
}

#[test]
fn lcv_18_a_missing_resource_loads_as_none() {
    let (instance, host) = (blah().action("remove").instance(), there());
    let before = instance.observe(Desired::Absent, &host.act()).expect("load");
    assert!(before.exists && !before.converged);
    assert_eq!(print(&before.differences), r#"x: "loaded" -> nothing"#);
    instance.apply(&before, &host.act()).expect("apply");
    let after = instance.observe(Desired::Absent, &host.act()).expect("load");
    assert!(!after.exists && after.converged && after.differences.is_empty());
}

#[test]
fn lcv_19_any_other_error_fails() {
    let host = MemoryHost::new().file("/broken", "", 0o644);
    let error =
        blah().instance().observe(Desired::Present, &host.act()).map(drop).expect_err("it cannot load");
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Denied, "cannot look".to_owned()));
}

/// A kind that embeds another one, and its loader.
#[derive(Resource)]
#[resource(kind = "child")]
struct Child {
    /// The parent.
    #[flatten]
    parent: Witness,
    /// Own state.
    y: Want<String>,
}

impl Resource for Child {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Found::This(parent) = self.parent.load(look)? else { return Ok(Found::Absent) };
        let y = format!("{} too", parent.x);
        Ok(Found::This(ChildState { parent, y }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.parent.apply(step.part(), host)
    }
}

#[test]
fn lcv_11_an_embedded_loader_runs_first() {
    let block = Block::new::<Child>("blah").set("x", "desired").set("y", "mine").set("d", "d1");
    let host = there();
    let seen = block.instance().observe(Desired::Present, &host.act()).expect("load");
    assert_eq!(print(&seen.differences), "x: \"loaded\" -> \"desired\"\ny: \"loaded too\" -> \"mine\"");
    assert_eq!(host.said().len(), 2, "the parent's loader ran, once");
}

#[test]
fn lcv_11_a_step_is_passed_to_the_embedded_resource() {
    let (instance, host) = (Block::new::<Child>("blah").action("remove").instance(), there());
    let seen = instance.observe(Desired::Absent, &host.act()).expect("load");
    instance.apply(&seen, &host.act()).expect("apply");
    assert!(!instance.observe(Desired::Absent, &host.act()).expect("load").exists);
}
