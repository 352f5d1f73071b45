//! Each format of each version is written and read back byte by byte. The files of a released version never change.

#[path = "golden/saved_plan.rs"]
mod saved_plan;

use serde::Serialize;
use serde::de::DeserializeOwned;
use uphold_wire::report::Report;
use uphold_wire::status::{Accepted, End, Refused, Status};
use uphold_wire::stream::{Event, Line};
use uphold_wire::test_report::{TestEvent, TestReport};
use uphold_wire::{Format, ReadError, Verdict, Version, document, line, read};

const REPORT: &str = include_str!("golden/report-1.0.json");
const TEST_REPORT: &str = include_str!("golden/test-report-1.0.json");
const STREAM: &str = include_str!("golden/stream-1.3.jsonl");
const TEST_STREAM: &str = include_str!("golden/test-stream-1.0.jsonl");
const STATUS: &str = include_str!("golden/status-1.0.jsonl");

/// A field that is not known here would be lost on the way.
#[track_caller]
fn check_line<T: Serialize + DeserializeOwned>(text: &str) -> T {
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(line(&read), text);
    read
}

#[track_caller]
fn check_document<T: Format + Serialize>(text: &str) {
    assert_eq!(document(&read::<T>(text).expect("a document")), text);
    let later = text
        .replacen("{\n", "{\n  \"new\": [1],\n", 1)
        .replace(&version(T::VERSION), &version(Version::new(1, 99)));
    read::<T>(&later).expect("a later minor version may add fields");
    let newer = text.replace(&version(T::VERSION), &version(Version::new(2, 0)));
    let error = read::<T>(&newer).err().expect("another major version is refused");
    let name = T::NAME;
    assert_eq!(
        error.to_string(),
        format!("cannot read the {name}: a newer Uphold wrote it in format 2.0, and this one reads 1.x")
    );
    let older = text.replace(&version(T::VERSION), &version(Version::new(0, 4)));
    let error = read::<T>(&older).err().expect("another major version is refused");
    assert!(error.to_string().contains("an older Uphold wrote it in format 0.4"), "{error}");
    assert!(matches!(read::<T>("{}").err(), Some(ReadError::Malformed { .. })));
}

fn version(version: Version) -> String {
    format!("\"format_version\": \"{version}\"")
}

#[test]
fn reports() {
    check_document::<Report>(REPORT);
    check_document::<TestReport>(TEST_REPORT);
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
    assert_eq!(types.len(), 19, "each type of line has an example: {types:?}");
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
    assert!(check_line::<Status>(status).resources.is_some());
    assert!(check_line::<Status>(overview).resources.is_none());
    check_line::<Accepted>(accepted);
    check_line::<End>(end);
    assert_eq!(Refused::read(refused), Some(check_line(refused)));
    assert_eq!(Refused::read(accepted), None);
    let newer = status.replace("\"format_version\":\"1.0\"", "\"format_version\":\"2.0\"");
    assert!(matches!(read::<Status>(&newer), Err(ReadError::OtherVersion { .. })));
}
