//! PRP: values, defaults and aliases.

use uphold_resource::{
    AbsolutePath, Act, Claim, Found, KindError, Look, Mode, Properties, Property, Registry, Resource, Result,
    Step, UserName, Value, Want,
};

use super::block::Block;

/// A kind that never exists: these facts are about declarations.
macro_rules! kind {
    ($name:ident) => {
        impl Resource for $name {
            fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
                Ok(Found::Absent)
            }

            fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
                Ok(())
            }
        }
    };
}
pub(crate) use kind;

/// Properties of all roles.
#[derive(Resource)]
#[resource(kind = "sample")]
struct Sample {
    #[name]
    name: String,
    x: Want<i64>,
    nullable: Want<Option<String>>,
    #[on_create(10)]
    created: Want<i64>,
    #[default(10)]
    tries: i64,
    #[default("0644")]
    mode: Mode,
    #[range(1..=10)]
    #[default("3")]
    small: u8,
    größe: Want<String>,
    #[replaced_by("x", "one letter is enough")]
    old: Option<i64>,
    #[alias("color")]
    colour: Want<String>,
}
kind!(Sample);

fn blah() -> Block {
    Block::new::<Sample>("blah")
}

#[track_caller]
fn check(id: &str, block: &Block, property: &str, value: &str) {
    assert_eq!(block.value(property).as_deref(), Some(value), "{id}");
}

#[track_caller]
fn refuse(id: &str, block: &Block, problem: &str) {
    assert_eq!(block.problems(), problem, "{id}");
    assert!(block.decode().0.is_none(), "{id}: a refused value leaves no resource behind");
}

#[test]
fn returns_values_as_declared() {
    check("PRP-01", &blah().set("x", 10), "x", "10");
    check("PRP-02", &blah().set("nullable", Value::Null), "nullable", "null");
    check("PRP-05", &blah().set("größe", "xl"), "größe", r#""xl""#);
    check("PRP-22", &blah(), "name", r#""blah""#);
    check("PRP-26", &blah(), "tries", "10");
    check("PRP-36", &blah(), "mode", r#""0644""#);
    check("PRP-37", &blah(), "small", "3");
}

#[test]
fn unset_is_not_a_value() {
    assert_eq!(blah().value("x"), None, "PRP-18");
    assert_eq!(blah().value("created"), None, "PRP-26: a create default is no value that was set");
    let mut sample = Sample::named("blah").expect("a name is enough");
    assert!(!sample.x.is_set() && !sample.created.is_set(), "PRP-24");
    let goal = Properties::goal(&sample, None);
    assert_eq!((goal.x, goal.created), (None, 10), "PRP-20: unset falls back to the default");
    assert!(!sample.created.is_set(), "PRP-24: reading a default does not set it");
    (sample.x, sample.created) = (Want::of(20), Want::of(20));
    assert!(sample.x.is_set() && sample.created.is_set(), "PRP-24");
    (sample.x, sample.created) = (Want::Unset, Want::Unset);
    let goal = Properties::goal(&sample, None);
    assert_eq!((goal.x, goal.created), (None, 10), "PRP-19, PRP-20: a reset leaves nothing behind");
}

#[test]
fn prp_06_a_deprecated_property_warns_and_is_used() {
    assert_eq!(blah().warnings(), "");
    let block = blah().set("old", 3);
    assert_eq!(block.warnings(), "`old` is deprecated: one letter is enough; use `x`");
    check("PRP-06", &block, "old", "3");
}

#[test]
fn prp_53_an_alias_warns_and_sets_the_property() {
    let block = blah().set("color", "red");
    assert_eq!(block.warnings(), "`color` is an old name of `colour`; write `colour`");
    check("PRP-53", &block, "colour", r#""red""#);
}

#[test]
fn refuses_invalid_values() {
    let fix = "did you mean `tries`?";
    refuse("PRP-23", &blah().set("tires", 3), &format!("`tires` = 3 is not a property of `sample`; {fix}"));
    refuse("PRP-45", &blah().set("x", Value::Null), "`x` cannot be null; leave it out, or give it a value");
    refuse(
        "PRP-46",
        &blah().set("mode", "rw"),
        "`mode` = \"rw\" is not a mode; write it as an octal string such as \"0644\", or symbolic such as \"u=rw,go=r\"",
    );
    // Read first, then checked against the rule.
    refuse(
        "PRP-43",
        &blah().set("small", "11"),
        "`small` = 11 must be from 1 to 10; choose a number in that range",
    );
    refuse(
        "PRP-47",
        &blah().set("small", 0),
        "`small` = 0 must be from 1 to 10; choose a number in that range",
    );
}

#[test]
fn prp_42_an_unknown_value_is_checked_when_it_is_known() {
    let (instance, findings) = blah().set("x", Value::unknown("task.a.out")).decode();
    assert!(instance.is_some() && findings.problems.is_empty());
    assert_eq!(findings.unknown, [("x", "task.a.out".into())]);
    // A setting decides how to load, so nothing can be loaded before.
    let (instance, findings) = blah().set("small", Value::unknown("task.a.out")).decode();
    assert!(instance.is_none() && findings.problems.is_empty(), "PRP-41");
    assert!(!blah().set("small", "many").problems().is_empty());
}

/// Embeds another kind, which embeds nothing.
#[derive(Resource)]
#[resource(kind = "outer")]
struct Outer {
    #[flatten]
    sample: Sample,
    own: Want<String>,
}
kind!(Outer);

/// Embeds one that embeds one.
#[derive(Resource)]
#[resource(kind = "outermost")]
struct Outermost {
    #[flatten]
    outer: Outer,
    z: Want<String>,
}
kind!(Outermost);

#[test]
fn an_embedded_resource_adds_its_properties() {
    check("PRP-27", &Block::new::<Outer>("blah"), "tries", "10");
    let block = Block::new::<Outermost>("blah").set("x", 3).set("own", "o").set("z", "z");
    for (property, value) in [("name", r#""blah""#), ("x", "3"), ("own", r#""o""#), ("z", r#""z""#)] {
        check("PRP-61", &block, property, value);
    }
    refuse(
        "PRP-61",
        &block.set("small", 11),
        "`small` = 11 must be from 1 to 10; choose a number in that range",
    );
}

/// Settings that several kinds share, and that are no kind themselves.
#[derive(Clone, Debug, PartialEq, Property)]
struct Shared {
    #[default("/bin/sh")]
    interpreter: String,
    #[range(1..=10)]
    #[default(3)]
    tries: u8,
    #[alias("directory")]
    dir: Option<AbsolutePath>,
    owner: Option<UserName>,
}

#[derive(Resource)]
#[resource(kind = "sharing", exclusive(dir, own))]
struct Sharing {
    #[name]
    name: String,
    #[flatten(settings)]
    shared: Shared,
    own: Want<String>,
}
kind!(Sharing);

#[test]
fn embedded_settings_are_properties_of_the_block() {
    let block = Block::new::<Sharing>("blah").set("tries", 4).set("dir", "/srv").set("owner", "app");
    let values = [
        ("name", r#""blah""#),
        ("interpreter", r#""/bin/sh""#),
        ("tries", "4"),
        ("dir", r#""/srv""#),
        ("owner", r#""app""#),
    ];
    for (property, value) in values {
        check("settings", &block, property, value);
    }
    check("settings", &Block::new::<Sharing>("blah"), "dir", "null");
    let (instance, findings) = block.decode();
    let claims = instance.expect("it is sound").claims();
    assert_eq!(claims.needs, [Claim::Path("/srv".into()), Claim::User("app".into())]);
    assert!(claims.provides.is_empty() && findings.warnings.is_empty());
    let names: Vec<_> = Sharing::SCHEMA.all().iter().map(|property| property.name).collect();
    assert_eq!(names, ["name", "interpreter", "tries", "dir", "owner", "own"]);
}

#[test]
fn embedded_settings_are_checked() {
    let block = || Block::new::<Sharing>("blah");
    refuse(
        "settings",
        &block().set("tries", 11),
        "`tries` = 11 must be from 1 to 10; choose a number in that range",
    );
    refuse("settings", &block().set("own", "o").set("dir", "/srv"), "`dir` excludes `own`; keep one of them");
    refuse(
        "settings",
        &block().set("shared", 1),
        "`shared` = 1 is not a property of `sharing`; `uphold explain sharing` lists its properties",
    );
    let (instance, findings) = block().set("directory", "/srv").decode();
    assert!(instance.is_some() && findings.warnings.len() == 1, "the alias works, with a warning");
    let (instance, findings) = block().set("tries", Value::unknown("task.a.out")).decode();
    assert!(instance.is_none() && findings.problems.is_empty(), "an unknown setting defers the resource");
    let secret = Value::text("/secret").sensitive();
    let (instance, _) = block().set("dir", secret).decode();
    assert!(instance.expect("it is sound").value("dir", None).is_some_and(|value| value.is_sensitive()));
}

/// An own type: one of two words.
#[derive(Clone, Debug, PartialEq, Property)]
#[one_of("a", "b")]
struct Letter(String);

#[derive(Resource)]
#[resource(kind = "lettered")]
struct Lettered {
    #[name]
    name: String,
    #[default("b")]
    letter: Letter,
}
kind!(Lettered);

#[derive(Resource)]
#[resource(kind = "relettered")]
struct Relettered {
    #[name]
    name: String,
    #[default("a")]
    letter: Letter,
}
kind!(Relettered);

#[derive(Resource)]
#[resource(kind = "misspelt")]
struct Misspelt {
    #[name]
    name: String,
    #[default("c")]
    letter: Letter,
}
kind!(Misspelt);

#[derive(Resource)]
#[resource(kind = "ill_typed")]
struct IllTyped {
    #[name]
    name: String,
    #[on_create("rw")]
    mode: Want<Mode>,
}
kind!(IllTyped);

#[derive(Resource)]
#[resource(kind = "out_of_range")]
struct OutOfRange {
    #[name]
    name: String,
    #[range(1..=10)]
    #[default(0)]
    tries: u8,
}
kind!(OutOfRange);

#[derive(Resource)]
#[resource(kind = "bad_pattern")]
struct BadPattern {
    #[name]
    name: String,
    #[pattern("(")]
    text: Want<String>,
}
kind!(BadPattern);

#[derive(Resource)]
#[resource(kind = "twofold")]
struct Twofold {
    #[flatten]
    sample: Sample,
    x: Want<String>,
}
kind!(Twofold);

#[derive(Resource)]
#[resource(kind = "misgrouped", exclusive(x, why))]
struct Misgrouped {
    #[flatten]
    sample: Sample,
}
kind!(Misgrouped);

fn register<R: Resource>() -> String {
    Registry::default().add::<R>().map_or_else(|error| error.to_string(), |()| "fine".to_owned())
}

#[test]
fn a_default_is_checked_by_its_rules() {
    let check = |id: &str, found: String, expected: &str| assert_eq!(found, expected, "{id}");
    check("PRP-51", register::<Lettered>(), "fine");
    check(
        "PRP-51",
        register::<Misspelt>(),
        "kind `misspelt`: `letter` = \"c\" must be one of a, b; choose one of them",
    );
    check(
        "PRP-32",
        register::<IllTyped>(),
        "kind `ill_typed`: `mode` = \"rw\" is not a mode; write it as an octal string such as \"0644\", or symbolic such as \"u=rw,go=r\"",
    );
    check(
        "PRP-32",
        register::<OutOfRange>(),
        "kind `out_of_range`: `tries` = 0 must be from 1 to 10; choose a number in that range",
    );
}

#[test]
fn prp_55_a_type_is_reused_with_another_default() {
    check("PRP-55", &Block::new::<Lettered>("l"), "letter", r#""b""#);
    check("PRP-55", &Block::new::<Relettered>("l"), "letter", r#""a""#);
    refuse(
        "PRP-55",
        &Block::new::<Relettered>("l").set("letter", "c"),
        "`letter` = \"c\" must be one of a, b; choose one of them",
    );
}

#[test]
fn refuses_an_unsound_kind() {
    let pattern = register::<BadPattern>();
    assert!(pattern.starts_with("kind `bad_pattern`: `text` has an invalid pattern"), "{pattern}");
    assert_eq!(
        register::<Twofold>(),
        "kind `twofold`: `x` names two properties; rename one of them; an embedded resource brings its own properties"
    );
    assert_eq!(
        register::<Misgrouped>(),
        "kind `misgrouped`: `why` is in a group, but is not a property; fix the name"
    );
    let mut registry = Registry::default();
    registry.add::<Sample>().expect("the first");
    assert_eq!(registry.add::<Sample>(), Err(KindError::Duplicate("sample")));
}
