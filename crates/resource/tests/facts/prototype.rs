//! PRO: the prototype of the proposal that Uphold is based on.

use std::cell::Cell;

use uphold_model::ResourceId;
use uphold_resource::{
    AbsolutePath, Act, AnyPath, Context, Desired, ErrorKind, Found, Look, Property, Ref, Resource, Result,
    Step, Url, Value, Want,
};
use uphold_testkit::MemoryHost;

use super::block::{Block, print};
use super::property::kind;

/// `expected` is the printed value; `None` if it must be refused.
#[track_caller]
fn check<T: Property>(id: &str, value: impl Into<Value>, expected: Option<&str>) {
    let value = value.into();
    let read = T::from_value(&value, &Context::NOTHING);
    assert_eq!(read.ok().map(|read| read.to_value().to_string()).as_deref(), expected, "{id}: {value}");
}

#[test]
fn reads_booleans_and_numbers() {
    let empty = || Value::map::<&str>([]);
    check::<bool>("PRO-01", true, Some("true"));
    check::<bool>("PRO-01", false, Some("false"));
    check::<bool>("PRO-01", "true", None);
    check::<bool>("PRO-01", empty(), None);
    check::<f64>("PRO-02", 1, Some("1"));
    check::<f64>("PRO-02", "1.0", Some("1"));
    check::<f64>("PRO-02", "true", None);
    check::<f64>("PRO-02", empty(), None);
    check::<i64>("PRO-03", "1", Some("1"));
    check::<i64>("PRO-03", Value::Float(1.0), None);
    for wrong in ["", "1 ", "blargh"] {
        check::<i64>("PRO-03", wrong, None);
    }
    check::<i64>("PRO-03", empty(), None);
    // The prefix is the base.
    check::<i64>("PRO-04", "0o11", Some("9"));
    check::<i64>("PRO-04", "0o8", None);
    check::<i64>("PRO-05", "0xff", Some("255"));
    check::<i64>("PRO-05", "0xFF", Some("255"));
    check::<i64>("PRO-05", "0xg", None);
}

/// Paths and URLs that are relative to others.
#[derive(Resource)]
#[resource(kind = "relative")]
struct Relative {
    #[name]
    name: String,
    #[default("/a/b")]
    dir: AbsolutePath,
    verbatim: Want<AnyPath>,
    #[relative_to(dir)]
    below: Want<AnyPath>,
    #[relative_to(dir)]
    #[default("c/d")]
    config: AbsolutePath,
    #[default("https://h/a/b/")]
    site: Url,
    #[relative_to(site)]
    page: Want<Url>,
    #[relative_to(site)]
    #[default("index.html")]
    index: Url,
}
kind!(Relative);

#[track_caller]
fn check_relative(id: &str, property: &str, written: &str, expected: &str) {
    let value = Block::new::<Relative>("x").set(property, written).value(property);
    assert_eq!(value, Some(format!("{expected:?}")), "{id}: {written}");
}

#[test]
fn resolves_relative_paths_and_urls() {
    for path in ["x/y", "x/", "/x//y", "x/y/"] {
        check_relative("PRO-08", "verbatim", path, path);
    }
    check_relative("PRO-09", "below", "x/y", "/a/b/x/y");
    check_relative("PRO-09", "below", "x/", "/a/b/x/");
    check_relative("PRO-09", "below", "/x/y", "/x/y");
    check_relative("PRO-09", "below", "//x/y/", "//x/y/");
    check_relative("PRO-13", "page", "x/y", "https://h/a/b/x/y");
    check_relative("PRO-13", "page", "/x", "https://h/x");
    check_relative("PRO-13", "page", "//o.com/y/", "https://o.com/y/");
    check_relative("PRO-13", "page", "http://k/z", "http://k/z");
}

#[test]
fn pro_12_a_default_is_relative_too() {
    let block = || Block::new::<Relative>("x");
    assert_eq!(block().value("config").as_deref(), Some(r#""/a/b/c/d""#));
    assert_eq!(block().set("dir", "/e").value("config").as_deref(), Some(r#""/e/c/d""#));
    assert_eq!(block().value("index").as_deref(), Some(r#""https://h/a/b/index.html""#));
    // The base may be known later; then so is the default.
    let (instance, findings) = block().set("dir", Value::unknown("task.a")).decode();
    assert!(instance.is_none() && findings.problems.is_empty(), "{:?}", findings.problems);
}

thread_local! {
    /// How often a thing was loaded: each test has its own thread.
    static LOADS: Cell<usize> = const { Cell::new(0) };
}

/// A thing that counts its loads.
#[derive(Resource)]
#[resource(kind = "counted")]
struct Counted {
    #[name]
    name: String,
    #[pattern("^[a-z]*$")]
    nullable: Want<Option<String>>,
    x: Want<String>,
    y: Want<String>,
}

impl Resource for Counted {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        LOADS.set(LOADS.get() + 1);
        Ok(Found::This(CountedState { nullable: None, x: "lx".into(), y: "ly".into() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

#[test]
fn null_is_a_value_only_where_the_type_allows_it() {
    let set = |property, value| Block::new::<Counted>("n").set(property, value).problems();
    assert_eq!(set("nullable", Value::Null), "", "PRO-14: rules do not apply to null");
    assert_ne!(set("nullable", Value::text("A")), "", "PRO-14");
    let null = "`x` cannot be null; leave it out, or give it a value";
    assert_eq!(set("x", Value::Null), null, "PRO-15, PRO-17");
    assert_eq!(Block::new::<Counted>("n").value("x"), None, "PRO-17: unset is no value");
}

#[test]
fn loads_once_and_only_when_needed() {
    let instance = Block::new::<Counted>("c").set("x", "wx").instance();
    let read = |property, seen| instance.value(property, seen).map(|value| value.to_string());
    assert_eq!(read("x", None).as_deref(), Some(r#""wx""#), "PRO-23: explicit");
    assert_eq!(LOADS.get(), 0, "PRO-18");
    let seen = instance.observe(Desired::Present, &MemoryHost::new().act()).expect("load");
    assert_eq!(read("y", Some(&seen)).as_deref(), Some(r#""ly""#), "PRO-19");
    assert_eq!(read("x", Some(&seen)).as_deref(), Some(r#""lx""#), "PRO-23: all");
    assert_eq!(print(&seen.differences), r#"x: "lx" -> "wx""#, "PRO-23: changed");
    assert_eq!(LOADS.get(), 1, "PRO-19");
}

/// Identified by two properties, of which only one takes the label.
#[derive(Resource)]
#[resource(kind = "member")]
struct Member {
    #[name]
    user: String,
    #[identity]
    group: String,
    #[identity]
    #[default("local")]
    realm: String,
    since: Want<String>,
}
kind!(Member);

#[test]
fn identity_must_be_complete() {
    let block = || Block::new::<Member>("ada");
    assert_eq!(block().problems(), "`group` is required; add `group = …` (string)", "PRO-28");
    assert_eq!(
        block().action("remove").problems(),
        "`group` is required; add `group = …` (string)",
        "PRO-28"
    );
    assert_eq!(block().set("group", "wheel").problems(), "", "PRO-28");
    assert_eq!(block().set("group", "wheel").value("realm").as_deref(), Some(r#""local""#), "PRO-28");
    let error = Member::named("ada").map(drop).expect_err("half an identity");
    assert_eq!(error.kind(), ErrorKind::Invalid, "PRO-26");
    assert_eq!(error.to_string(), "`group` is required; add `group = …` (string)", "PRO-26");
}

/// Refers to another resource.
#[derive(Resource)]
#[resource(kind = "reader")]
struct Reader {
    #[name]
    name: String,
    source: Option<Ref<Counted>>,
}
kind!(Reader);

#[test]
fn pro_29_a_reference_accepts_a_name() {
    let reference = |kind: &str| Value::Reference(ResourceId::new(kind, "a").into());
    let read = |value: Value| Block::new::<Reader>("r").set("source", value);
    assert_eq!(read(Value::text("a")).value("source").as_deref(), Some("counted.a"));
    assert_eq!(read(reference("counted")).value("source").as_deref(), Some("counted.a"));
    assert_eq!(
        read(reference("member")).problems(),
        "`source` = member.a must be a `counted`, not a `member`; refer to a counted"
    );
    assert_eq!(
        read(Value::Int(3)).problems(),
        "`source` = 3 must be a counted, not a number; write counted.name, or its name"
    );
    let claims = read(Value::text("a")).instance().claims();
    assert_eq!(format!("{:?}", claims.needs), "[Resource(counted.a)]");
}

#[test]
fn pro_29_a_reference_reads_the_current_state() {
    let state = Ref::<Counted>::to("a").read(&MemoryHost::new().act()).expect("load");
    assert_eq!(state.map(|state| state.x).as_deref(), Some("lx"));
}

#[test]
fn pro_30_a_created_resource_lists_its_declared_values() {
    let block = Block::new::<Member>("ada").set("group", "wheel").set("since", "1843");
    let seen = block.instance().observe(Desired::Present, &MemoryHost::new().act()).expect("load");
    let expected =
        [r#"group: nothing -> "wheel""#, r#"realm: nothing -> "local""#, r#"since: nothing -> "1843""#];
    assert_eq!(print(&seen.differences), expected.join("\n"));
}
