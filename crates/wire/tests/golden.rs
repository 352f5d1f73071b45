//! Each format of each version is written and read back. The files of a released version never change.

#[path = "golden/saved_plan.rs"]
mod saved_plan;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use uphold_wire::history::{HistoryRun, PendingNotification};
use uphold_wire::plan_document::PlanDocument;
use uphold_wire::report::Report;
use uphold_wire::schema::{self, Explained, Listing, SchemaDocument};
use uphold_wire::status::{Accepted, End, Overview, Refused, Snapshot, Status};
use uphold_wire::stream::{Event, Line};
use uphold_wire::test_report::{TestEvent, TestReport};
use uphold_wire::{
    ConsoleValue, Format, Formatted, Graph, PauseList, ReadError, ReadResource, Verdict, document, line, read,
};

const REPORT: &str = include_str!("golden/report-3.1.json");
const TEST_REPORT: &str = include_str!("golden/test-report-2.1.json");
const PLAN_DOCUMENT: &str = include_str!("golden/plan-document-1.2.json");
const CONSOLE: &str = include_str!("golden/console-1.0.jsonl");
const READ_RESOURCE: &str = include_str!("golden/read-resource-1.0.json");
const HISTORY: &str = include_str!("golden/history-1.1.jsonl");
const PENDING: &str = include_str!("golden/pending-1.0.jsonl");
const STREAM: &str = include_str!("golden/stream-3.1.jsonl");
const TEST_STREAM: &str = include_str!("golden/test-stream-2.1.jsonl");
const SCHEMA: &str = include_str!("golden/schema-2.0.json");
const EXPLAINED: &str = include_str!("golden/explained-2.0.jsonl");
const GRAPH: &str = include_str!("golden/graph-1.0.json");
const FORMATTED: &str = include_str!("golden/formatted-1.0.json");
const PAUSE_LIST: &str = include_str!("golden/pause-list-1.0.json");
const STATUS: &str = include_str!("golden/status-2.1.jsonl");

/// A field that the types lack would be lost.
#[track_caller]
fn check_line<T: Serialize + DeserializeOwned>(text: &str) -> T {
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(line(&read), text);
    read
}

/// The same for any order of the fields.
#[track_caller]
fn check_content<T: Serialize + DeserializeOwned>(text: &str) -> T {
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let content: Json = serde_json::from_str(text).expect("JSON");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), content);
    read
}

#[track_caller]
fn check_document<T: Format + Serialize>(text: &str) {
    assert_eq!(document(&read::<T>(text).expect("a document")), text);
    check_versions::<T>(text);
}

/// Any minor version is read, and no other major one.
#[track_caller]
fn check_versions<T: Format>(text: &str) {
    let of = |other: &str| {
        let mut json: Json = serde_json::from_str(text).expect("JSON");
        assert_eq!(json["format_version"], T::VERSION.to_string());
        json["format_version"] = other.into();
        json["added_later"] = serde_json::json!({ "a": [1] });
        read::<T>(&json.to_string()).map(|_| ()).map_err(|error| error.to_string())
    };
    let major = T::VERSION.major;
    let (newer, older) = (format!("{}.0", major + 1), format!("{}.4", major - 1));
    assert_eq!(of(&format!("{major}.0")), Ok(()));
    assert_eq!(of(&format!("{major}.99")), Ok(()));
    assert_eq!(of(&newer), Err(refused::<T>("a newer", &newer)));
    assert_eq!(of(&older), Err(refused::<T>("an older", &older)));
    assert!(matches!(read::<T>("{}").err(), Some(ReadError::Malformed { .. })));
}

fn refused<T: Format>(age: &str, version: &str) -> String {
    let (name, major) = (T::NAME, T::VERSION.major);
    format!("cannot read the {name}: {age} Uphold wrote it in format {version}, and this one reads {major}.x")
}

#[test]
fn reports() {
    check_document::<Report>(REPORT);
    read::<Report>(include_str!("golden/report-3.0.json")).expect("an earlier minor version");
    check_document::<TestReport>(TEST_REPORT);
}

/// The names changed in 2.0: an older document is refused by its version, and never misread.
#[test]
fn older_major_versions_are_refused() {
    #[track_caller]
    fn check<T: Format>(text: &str, version: &str) {
        let error = read::<T>(text).err().map(|error| error.to_string());
        assert_eq!(error, Some(refused::<T>("an older", version)));
    }
    check::<Report>(include_str!("golden/report-1.1.json"), "1.1");
    check::<Report>(include_str!("golden/report-2.0.json"), "2.0");
    check::<TestReport>(include_str!("golden/test-report-1.1.json"), "1.1");
    check::<SchemaDocument>(include_str!("golden/schema-1.0.json"), "1.0");
    let (status, _) = include_str!("golden/status-1.0.jsonl").split_once('\n').expect("a line");
    check::<Status<Snapshot>>(status, "1.0");
}

#[test]
fn older_minor_versions_are_read() {
    let (status, _) = include_str!("golden/status-2.0.jsonl").split_once('\n').expect("a line");
    assert!(read::<Status<Snapshot>>(status).is_ok());
    assert!(read::<Report>(include_str!("golden/report-3.0.json")).is_ok());
    assert!(read::<TestReport>(include_str!("golden/test-report-2.0.json")).is_ok());
}

#[test]
fn plans_for_policy_tools_and_values_of_the_console() {
    check_line::<PlanDocument>(PLAN_DOCUMENT.trim_end());
    check_versions::<PlanDocument>(PLAN_DOCUMENT);
    check_line::<ReadResource>(READ_RESOURCE.trim_end());
    check_versions::<ReadResource>(READ_RESOURCE);
    for text in CONSOLE.lines() {
        check_line::<ConsoleValue>(text);
        check_versions::<ConsoleValue>(text);
    }
}

#[test]
fn runs_and_pending_notifications() {
    for text in include_str!("golden/history-1.0.jsonl").lines() {
        read::<HistoryRun>(text).expect("an earlier minor version");
    }
    for text in HISTORY.lines() {
        check_line::<HistoryRun>(text);
        check_versions::<HistoryRun>(text);
    }
    for text in PENDING.lines() {
        check_line::<PendingNotification>(text);
        check_versions::<PendingNotification>(text);
    }
}

#[test]
fn schemas_and_explanations() {
    check_document::<SchemaDocument>(SCHEMA);
    let [kind, property, function, fact, meta, block, root, code, facts, properties] =
        EXPLAINED.lines().collect::<Vec<_>>()[..]
    else {
        panic!("each subject has a line")
    };
    check_line::<Explained<schema::Kind>>(kind);
    check_line::<Explained<schema::Property>>(property);
    check_line::<Explained<schema::Function>>(function);
    check_line::<Explained<schema::Fact>>(fact);
    check_line::<Explained<schema::MetaArgument>>(meta);
    check_line::<Explained<schema::Block>>(block);
    check_line::<Explained<schema::Root>>(root);
    check_line::<Explained<schema::DiagnosticCode>>(code);
    assert!(
        matches!(check_line::<Explained<Listing>>(facts).subject, Listing::Facts(facts) if facts.len() == 2)
    );
    let properties = check_line::<Explained<Listing>>(properties).subject;
    assert!(matches!(properties, Listing::Properties(found) if found.len() == 1 && found[0].kind == "file"));
}

#[test]
fn graphs_formatted_files_and_pauses() {
    check_line::<Graph>(GRAPH.trim_end());
    check_versions::<Graph>(GRAPH);
    check_line::<Formatted>(FORMATTED.trim_end());
    check_versions::<Formatted>(FORMATTED);
    check_line::<PauseList>(PAUSE_LIST.trim_end());
    check_versions::<PauseList>(PAUSE_LIST);
}

#[test]
fn lines_of_a_run_and_of_a_watch() {
    for text in STREAM.lines() {
        let line: Line = check_line(text);
        assert_ne!(line.event, Event::Other, "{text}");
        let is_known =
            |event| !matches!(event, Event::ResourceFinished(one) if one.verdict == Verdict::Other);
        assert!(is_known(line.event), "{text}");
    }
    let types: std::collections::BTreeSet<&str> =
        STREAM.lines().filter_map(|line| line.split("\"type\":\"").nth(1)?.split('"').next()).collect();
    assert_eq!(types.len(), 21, "each type of line has an example: {types:?}");
}

#[test]
fn a_line_of_a_later_version_is_read() {
    let text = r#"{"@level":"info","@message":"m","@timestamp":"t","type":"teleported","to":"/x","new":1}"#;
    let line: Line = serde_json::from_str(text).expect("a line");
    assert_eq!((line.message.as_str(), line.event), ("m", Event::Other));
}

#[test]
fn lines_of_tests() {
    for text in TEST_STREAM.lines() {
        let line: Line<TestEvent> = check_line(text);
        assert_ne!(line.event, TestEvent::Other, "{text}");
    }
}

#[test]
fn answers_of_a_watch() {
    let [status, overview, accepted, refused, end] = STATUS.lines().collect::<Vec<_>>()[..] else {
        panic!("each answer has a line")
    };
    assert!(!check_content::<Status<Snapshot>>(status).known.resources.is_empty());
    check_content::<Status<Overview>>(overview);
    assert_eq!(Snapshot::from_line(overview).map(|snapshot| snapshot.resources.len()), Ok(0));
    check_line::<Accepted>(accepted);
    check_line::<End>(end);
    assert_eq!(Refused::read(refused), Some(check_line(refused)));
    assert_eq!(Refused::read(accepted), None);
    check_versions::<Status<Snapshot>>(status);
}
