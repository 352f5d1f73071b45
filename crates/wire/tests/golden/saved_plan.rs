//! Saved plans.

use serde_json::Value as Json;
use uphold_model::{Action as Verb, ChangeKind, Moment, ResourceId, Shape, Value as Model};
use uphold_wire::saved_plan::*;
use uphold_wire::{SavedValue, Value, Version};

const CURRENT: &str = include_str!("saved-plan-3.0.json");

/// Replaces the digest of the real writer, which needs a library.
fn digest(text: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

fn value(value: &Model) -> SavedValue {
    SavedValue(Value::from(value))
}

fn side(model: &Model) -> Option<Side> {
    let digest = model.is_sensitive().then(|| "d1".to_owned());
    Some(Side { digest, content: SideContent::Value(value(model)) })
}

fn action(name: &str, outcome: Outcome) -> Action {
    Action {
        action: Verb::Converge,
        attributes: vec![Attribute { name: "mode".to_owned(), value: value(&Model::text("0644")) }],
        declared_at: Some("site.hcl:1:1".to_owned()),
        node: Some(0),
        notified_by: None,
        also_notified_by: vec![],
        more_notifiers: 0,
        outcome,
        resource: ResourceId::new("file", name),
        timing: None,
    }
}

fn changes() -> Change {
    let secret = Model::text("hunter2").sensitive();
    let default = Side { digest: None, content: SideContent::Default(value(&Model::Float(0.1))) };
    let unknown = Model::unknown_of("task.a.status", Some(Shape::Text));
    let difference = |property: &str, from, to| Difference { from, property: property.to_owned(), to };
    Change {
        differences: vec![
            difference("content", None, side(&secret)),
            difference("owner", side(&Model::Bytes(vec![0, 255].into())), side(&unknown)),
            difference("size", None, Some(default)),
        ],
        kind: ChangeKind::Create,
        settings: vec![],
        unknown: vec!["sha256".to_owned()],
    }
}

fn records() -> Vec<Record> {
    let skipped = |condition| Outcome::Skipped { condition, skip_reason: SkipReason::Condition };
    let guard = |of_group| Guard { command: Some("test -f /x".to_owned()), of_group };
    let id = ResourceId::new("file", "/b").in_module(Some("module.m".into())).with_key(Some("k".into()));
    let notified = Action {
        action: Verb::Verb("reload".into()),
        declared_at: None,
        node: None,
        notified_by: Some(id.clone()),
        also_notified_by: vec![ResourceId::new("file", "/a")],
        more_notifiers: 4,
        timing: Some(Moment::Delayed),
        ..action("/c", Outcome::Unchanged)
    };
    let mut records: Vec<Record> = [
        action("/a", Outcome::WouldChange { change: changes() }),
        action("/d", Outcome::Differs { change: changes() }),
        action("/e", Outcome::MayChange { waits_for: "task.a".to_owned(), error: None, settings: vec![] }),
        action("/f", Outcome::Ignored { error: "cannot".to_owned() }),
        action("/g", skipped(Unwanted::When)),
        action("/h", skipped(Unwanted::OnlyIf(guard(false)))),
        action("/i", skipped(Unwanted::NotIf(guard(true)))),
        notified,
    ]
    .map(|action| Record::Action(Box::new(action)))
    .into();
    records.push(Record::Message { level: Level::Warning, resource: id.clone(), text: "hm".to_owned() });
    let map = Model::map([("$x", Model::Null), ("a", Model::Reference(id.into()))]);
    records
        .push(Record::Output { name: "url".to_owned(), value: value(&Model::list([map, Model::Int(-1)])) });
    records
}

fn plan(kinds: Vec<String>) -> SavedPlan {
    SavedPlan {
        configuration: Configuration {
            directory: "/srv".to_owned(),
            kinds,
            params: vec![
                Param { name: "open".to_owned(), kept: Kept::Value("1".to_owned()) },
                Param { name: "token".to_owned(), kept: Kept::Digest("d2".to_owned()) },
            ],
            params_files: vec![],
            paths: vec!["site.hcl".to_owned()],
            inputs: vec![Input {
                digest: "d3".to_owned(),
                name: "site.hcl".to_owned(),
                kind: InputKind::Configuration,
            }],
        },
        machine: Machine { hostname: Some("web1".to_owned()), machine_id_digest: None },
        created_at: "2026-11-16T03:38:42Z".to_owned(),
        records: records(),
        root: None,
        salt: "5a17".to_owned(),
        uphold: "0.1.0".to_owned(),
    }
}

fn read(text: &str) -> Result<SavedPlan, Unreadable> {
    SavedPlan::from_text(text.as_bytes(), |salt, text| (salt == "5a17").then(|| digest(text)))
}

/// The text with something else in it, and the checksum that belongs to that.
fn changed(text: &str, from: &str, to: &str) -> String {
    let mut json: Json = serde_json::from_str(&text.replace(from, to)).expect("JSON");
    let members = json.as_object_mut().expect("an object");
    members.remove("checksum");
    let sum = digest(serde_json::to_string(members).expect("JSON").as_bytes());
    members.insert("checksum".to_owned(), sum.into());
    json.to_string()
}

fn of_version(version: &str) -> String {
    let to = format!("\"uphold_plan\":\"{version}\"");
    changed(&plan(vec![]).to_text(digest), "\"uphold_plan\":\"3.0\"", &to)
}

#[test]
fn a_plan_is_written_and_read_back() {
    let mut plan = plan(vec!["kinds".to_owned()]);
    plan.records.push(Record::Action(Box::new(action("/j", with_settings()))));
    let text = plan.to_text(digest);
    assert!(!text.contains("hunter2"));
    assert_eq!(text, CURRENT);
    assert_eq!(read(CURRENT), Ok(plan));
}

fn with_settings() -> Outcome {
    let secret = Model::text("hunter2").sensitive();
    let setting = |name: &str, value: &Model| Setting {
        name: name.to_owned(),
        value: side(value).expect("it is there"),
    };
    let settings =
        vec![setting("path", &Model::text("/x")), setting("env", &secret), setting("user", &Model::Null)];
    Outcome::WouldChange { change: Change { settings, ..changes() } }
}

#[test]
fn a_later_minor_version_may_add_fields() {
    let later = changed(&of_version("3.9"), "\"created_at\"", "\"new\":[1],\"created_at\"");
    assert_eq!(read(&later), Ok(plan(vec![])));
}

#[test]
fn another_major_version_is_refused_by_its_number() {
    let refused = |major, minor| Err(Unreadable::OtherVersion(Version::new(major, minor)));
    assert_eq!(read(&of_version("4.0")), refused(4, 0));
    assert_eq!(read(include_str!("saved-plan-2.0.json")), refused(2, 0));
    assert_eq!(read(include_str!("saved-plan-1.2.json")), refused(1, 2));
    let damaged = Unreadable::Damaged("invalid format version `x`".to_owned());
    assert_eq!(read(&of_version("x")), Err(damaged));
}

#[test]
fn damage_is_found() {
    let text = plan(vec![]).to_text(digest);
    assert_eq!(read(&text.replace("web1", "web2")), Err(Unreadable::Changed));
    assert_eq!(read(&text[..text.len() / 2]), Err(Unreadable::CutOff));
    assert_eq!(read("file \"/a\" {}"), Err(Unreadable::NoPlan));
    assert_eq!(read("{\"resource_changes\":[]}"), Err(Unreadable::ForPolicies));
    let layout: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read(&format!("{layout:#}")), Ok(plan(vec![])), "the layout does not matter");
}

#[test]
fn a_secret_that_lost_its_digest_is_damage() {
    let error = read(&changed(&of_version("3.1"), "\"digest\":\"d1\"", "\"digest\":null"))
        .expect_err("it would match anything");
    assert!(
        matches!(&error, Unreadable::Damaged(what) if what.contains("a secret has no digest")),
        "{error:?}"
    );
}
