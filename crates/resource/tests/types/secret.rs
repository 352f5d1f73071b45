//! Secrets never appear in messages, whatever is wrong with them.

use std::collections::BTreeMap;

use uphold_model::Action;
use uphold_resource::{
    AbsolutePath, Act, Context, Fields, Findings, Found, Look, Mode, Port, Properties, Property, Ref,
    Resource, Result, Sensitive, Size, Step, Url, UserName, Value, Want,
};

use super::reading::{home, takes};

/// The secret, in a form that no type below accepts.
const SECRET: &str = "HUNTER 2\0";

#[derive(Clone, Debug, PartialEq, Property)]
enum Word {
    Yes,
    No,
}

#[derive(Clone, Debug, PartialEq, Property)]
struct Inner {
    #[required]
    word: Word,
    key: Option<Sensitive<Mode>>,
}

/// One property of every type. Each gets a secret that it cannot accept.
#[derive(Resource)]
#[resource(kind = "vault")]
struct Vault {
    #[name]
    name: String,
    flag: Want<bool>,
    number: Want<u8>,
    float: Want<f64>,
    mode: Want<Mode>,
    owner: Want<UserName>,
    path: Want<AbsolutePath>,
    url: Want<Url>,
    span: Want<std::time::Duration>,
    size: Want<Size>,
    port: Want<Port>,
    word: Want<Word>,
    list: Want<Vec<u8>>,
    map: Want<BTreeMap<String, u8>>,
    inner: Want<Inner>,
    nullable: Want<Option<u8>>,
    #[pattern("^[a-z]$")]
    pattern: Want<String>,
    #[one_of("a", "b")]
    choice: Want<String>,
    key: Want<Sensitive<Mode>>,
    keys: Want<Vec<Sensitive<Mode>>>,
    other: Option<Ref<Vault>>,
}

impl Resource for Vault {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::Absent)
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn decode(property: &str, value: Value) -> Findings {
    let values = vec![(property.into(), value)];
    let mut fields = Fields::new("v", values, &Action::Converge, Context { home: &home, base: None });
    let _ = Vault::decode(&mut fields);
    fields.finish("vault", Vault::SCHEMA)
}

#[track_caller]
fn check_hidden(property: &str, value: Value) {
    let findings = decode(property, value);
    assert!(!findings.problems.is_empty(), "{property} took it");
    let text = format!("{:?} {:?}", findings.problems, findings.warnings)
        + &findings.problems.iter().map(ToString::to_string).collect::<String>();
    assert!(!text.contains("HUNTER"), "{text}");
    assert!(text.contains("(sensitive value)"), "{text}");
    assert!(text.contains(property), "{text}");
}

#[test]
fn hides_a_secret_of_any_property() {
    let secret = || Value::text(SECRET).sensitive();
    let all = Vault::SCHEMA.all();
    for property in all.iter().map(|p| p.name).filter(|name| !["name", "other"].contains(name)) {
        check_hidden(property, secret());
    }
    check_hidden("list", Value::list([secret()]));
    check_hidden("map", Value::map([("a", secret())]));
    check_hidden("inner", Value::map([("word", secret())]));
}

#[test]
fn hides_a_plain_value_of_a_secret_property() {
    check_hidden("key", Value::text(SECRET));
    check_hidden("keys", Value::list([Value::text(SECRET)]));
    check_hidden("keys", Value::text(SECRET));
    check_hidden("inner", Value::map([("word", "yes".into()), ("key", Value::text(SECRET))]));
}

#[test]
fn hides_a_secret_of_an_unknown_property() {
    let findings = decode("passwrod", Value::text(SECRET).sensitive());
    assert!(!format!("{:?}", findings.problems).contains("HUNTER"));
}

#[test]
fn does_not_print_secrets() {
    let secret = Sensitive::new(SECRET.to_owned());
    assert_eq!(format!("{secret:?} {}", secret.to_value()), "(sensitive value) (sensitive value)");
    assert_eq!(secret.expose(), SECRET);
    takes::<Sensitive<String>>("x", "(sensitive value)");
    takes::<Sensitive<String>>(Value::text("x").sensitive(), "(sensitive value)");
    takes::<Vec<Sensitive<u8>>>(Value::list([1.into()]), "[(sensitive value)]");
    takes::<Option<Sensitive<u8>>>(Value::Null, "null");
}

#[test]
fn records_values_computed_from_a_secret() {
    assert_eq!(decode("pattern", Value::text("a").sensitive()).tainted, ["pattern"]);
    assert!(decode("pattern", Value::text("a")).tainted.is_empty());
}
