//! What is written is read back.

use std::time::Duration;

use serde_json::{Value as Json, json};
use uphold_engine::{Cause, EventKind, Unwanted, Verdict};
use uphold_model::{Action, ResourceId};
use uphold_status::Snapshot;

use crate::happened::{Story, blocked, change, failed, file, paused, reported, written};

/// Everything that can be on a board.
fn full() -> Story {
    let mut story = Story::new();
    story.converge(&["/a", "/b", "/c", "/d", "/e", "/f", "/g"]);
    story.visit("/b", reported("/b"), failed("no"));
    story.tell(EventKind::BackingOff { resource: file("/b"), failures: 2, after: Duration::from_secs(9) });
    story.visit("/c", reported("/c"), blocked("/b"));
    story.visit("/d", reported("/d"), Verdict::Differs(change(&["mode"])));
    story.visit("/g", reported("/g"), paused(change(&["mode"])));
    story.visit("/e", reported("/e"), Verdict::NotWanted(Unwanted::NothingChanged));
    story.visit("/f", reported("/f"), Verdict::Changed(change(&["mode", "content"])));
    story.tell(EventKind::Blind {
        resource: file("/a"),
        because: "no watches left".into(),
        every: Duration::from_secs(10),
    });
    story.visit("/b", Cause::Written, Verdict::Unchanged);
    story.tell(EventKind::ReportsLost);
    story.tell(EventKind::Swapped { generation: 3, kept: 1, visited: 2, left: 4 });
    story.board.reload_failed("no", story.now);
    let id =
        ResourceId::new("user", "people").in_module(Some("module.web".into())).with_key(Some("ann".into()));
    story.tell(EventKind::Started {
        resource: id,
        action: Action::Verb("run".into()),
        cause: Cause::Written,
    });
    story
}

#[test]
fn a_snapshot_survives_json() {
    let snapshot = full().board.snapshot();
    assert_eq!(Snapshot::from_line(&written(&snapshot)), Ok(snapshot));
    let empty = Story::new().board.snapshot();
    assert_eq!(Snapshot::from_line(&written(&empty)), Ok(empty));
}

#[test]
fn unknown_fields_are_ignored_and_missing_ones_are_errors() {
    let snapshot = full().board.snapshot();
    let mut json: Json = serde_json::from_str(&written(&snapshot)).expect("it is JSON");
    json["news"] = json!({ "of": "tomorrow" });
    json["events"].as_array_mut().expect("a list").push(json!({ "type": "teleported" }));
    assert_eq!(Snapshot::from_line(&json.to_string()), Ok(snapshot));
    for missing in ["phase", "totals", "started_at", "problems"] {
        let mut json = json.clone();
        json[missing] = Json::Null;
        assert!(Snapshot::from_line(&json.to_string()).is_err(), "{missing}");
    }
    assert!(Snapshot::from_line("[1]").is_err());
    json["format_version"] = "3.0".into();
    let refused = Snapshot::from_line(&json.to_string()).expect_err("another major version");
    let newer =
        "cannot read the answer of the watch: a newer Uphold wrote it in format 3.0, and this one reads 2.x";
    assert_eq!(refused.to_string(), newer);
}
