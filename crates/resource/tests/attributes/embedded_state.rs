//! State that several kinds share: `#[flatten(state)]`.

use uphold_resource::{
    Act, Found, Look, Mode, Properties, Property, Registry, Resource, Result, Seen, Step, UserName, Want,
};
use uphold_testkit::MemoryHost;

/// Permissions and owner.
#[derive(Clone, Debug, Properties)]
pub(crate) struct Permissions {
    /// Its mode.
    #[also("perms")]
    pub mode: Want<Mode>,
    /// Its owner.
    pub owner: Want<UserName>,
    /// Its inode.
    pub inode: Seen<u64>,
}

/// A box, whose mode has a create default and whose owner is enforced.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "box")]
struct Crate {
    #[name]
    name: String,
    /// Permissions of the box.
    #[flatten(state, on_create(mode = "0750"), enforce(owner = UserName::named("root")), doc(mode = "Mode of the box."))]
    permissions: Permissions,
    color: Want<String>,
}

impl Resource for Crate {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::Absent)
    }
    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn state(mode: u32, owner: &str) -> CrateState {
    let permissions = PermissionsState { mode: Mode::new(mode), owner: UserName::named(owner), inode: 7 };
    CrateState { permissions, color: "red".to_owned() }
}

#[test]
fn the_properties_stand_at_the_place_of_the_field() {
    let listed: Vec<_> =
        Crate::SCHEMA.all().iter().map(|p| format!("{}: {} ({})", p.name, p.role.word(), p.doc)).collect();
    let expected = [
        "name: name ()",
        "mode: state (Mode of the box.)",
        "owner: state, enforced (Its owner.)",
        "inode: export (Its inode.)",
        "color: state ()",
    ];
    assert_eq!(listed, expected);
    let default = |name| {
        Crate::SCHEMA.property(name).and_then(|p| p.default).map(uphold_resource::private::DefaultValue::make)
    };
    assert_eq!(default("mode"), Some(Ok(Mode::new(0o750).to_value())));
    assert_eq!(default("owner"), Some(Ok("root".into())));
    assert!(Permissions::SCHEMA.property("mode").is_some_and(|mode| mode.default.is_none()));
    Registry::default().add::<Crate>().expect("its defaults are valid");
}

#[test]
fn defaults_of_the_place_of_use_make_the_goal() {
    let declared = Crate::named("a").expect("a name is enough");
    let new = declared.goal(None);
    assert_eq!(new.permissions.mode, Some(Mode::new(0o750)));
    assert_eq!(new.permissions.owner, Some(UserName::named("root")));
    // A create default does not change what exists; an enforced one does.
    let current = state(0o600, "ada");
    let goal = declared.goal(Some(&current));
    assert_eq!(goal.permissions.mode, Some(Mode::new(0o600)));
    let change = declared.change(&goal, &current);
    assert!(change.permissions.mode.is_none());
    assert_eq!(change.permissions.owner.map(|delta| delta.to), Some(UserName::named("root")));
    let set = Permissions { mode: Want::of(Mode::new(0o700)), ..declared.permissions.clone() };
    let declared = Crate { permissions: set, ..declared };
    assert_eq!(declared.goal(None).permissions.mode, Some(Mode::new(0o700)));
    assert_eq!(declared.goal(Some(&current)).permissions.mode, Some(Mode::new(0o700)));
}

#[test]
fn differences_name_the_embedded_properties() {
    let declared = Crate::named("a").expect("a name is enough");
    let shown = |current: Option<&CrateState>| {
        let mut found = Vec::new();
        declared.differences(&declared.goal(current), current, &mut found);
        found.iter().map(|difference| format!("{difference:?}")).collect::<Vec<_>>().join("\n")
    };
    let created = shown(None);
    assert!(created.contains("mode") && created.contains("Default"), "{created}");
    let changed = shown(Some(&state(0o600, "ada")));
    assert!(changed.contains("owner") && !changed.contains("mode"), "{changed}");
    assert_eq!(shown(Some(&state(0o600, "root"))), "");
    assert!(declared.wants("owner") && !declared.wants("mode"));
}

#[test]
fn values_of_embedded_properties_can_be_read() {
    let declared = Crate::named("a").expect("a name is enough");
    let current = state(0o600, "ada");
    let value = |name: &str| declared.value(name, Some(&current));
    assert_eq!(value("owner"), Some("ada".into()));
    assert_eq!(value("inode"), Some(7_u64.to_value()));
    let mut lost = Vec::new();
    Crate::losses(&current, &mut lost);
    assert_eq!(lost.iter().map(|loss| &*loss.property).collect::<Vec<_>>(), ["mode", "owner", "color"]);
}

#[test]
fn a_create_default_is_restricted_for_a_secret() {
    let mut declared = Crate::named("a").expect("a name is enough");
    declared.restrict();
    assert_eq!(declared.goal(None).permissions.mode, Some(Mode::new(0o710)));
    assert_eq!(declared.goal(Some(&state(0o644, "root"))).permissions.mode, Some(Mode::new(0o644)));
}

#[test]
fn claims_follow_from_the_embedded_types() {
    let declared = Crate::named("a").expect("a name is enough");
    let owner = Permissions { owner: Want::of(UserName::named("ada")), ..declared.permissions.clone() };
    let declared = Crate { permissions: owner, ..declared };
    let mut claims = uphold_resource::Claims::default();
    declared.claims(&mut claims);
    assert_eq!(claims.needs, [uphold_resource::Claim::User("ada".into())]);
    let host = MemoryHost::new();
    let mut interests = Vec::new();
    declared.interests(&host.act(), &mut interests);
    assert_eq!(interests, [uphold_resource::Interest::Accounts]);
}
