//! The JSON stream of a watch conforms to `docs/json.md`.

use serde_json::{Value, json};

use super::session::{Sandbox, Session};

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\n";

/// The next line of a type.
#[track_caller]
fn line(session: &mut Session, kind: &str) -> Value {
    let text = session.await_line(&format!("\"type\":\"{kind}\""));
    serde_json::from_str(&text).expect("each line is JSON")
}

#[test]
fn a_watch_is_a_stream_of_events() {
    let sandbox = Sandbox::with(SITE);
    let mut session = sandbox.watch(&["--json"]);
    assert_eq!(line(&mut session, "version")["format_version"], "3.1");
    assert_eq!(line(&mut session, "run_finished")["error"], false);
    assert_eq!(line(&mut session, "watching")["resources"], 1);
    sandbox.write("root/a", "drift");
    let woken = json!({ "reason": "change_detected", "subject": "/a" });
    assert_eq!(line(&mut session, "resource_started")["cause"], woken);
    let repaired = line(&mut session, "resource_finished");
    assert_eq!((&repaired["verdict"], &repaired["cause"]), (&json!("changed"), &woken));
    assert_eq!(repaired["location"]["line"], 1);
    sandbox.save("site.hcl", "file \"/a\" {\n");
    let problem = line(&mut session, "diagnostic");
    assert_eq!(problem["diagnostic"]["location"]["line"], 1);
    let refused = line(&mut session, "reload_failed");
    assert_eq!(refused["trigger"], json!({ "reason": "file_changed", "subject": "./site.hcl" }));
    sandbox.save("site.hcl", &format!("\n\n{}", SITE.replace("one", "two")));
    let swapped = line(&mut session, "configuration_reloaded");
    assert_eq!(
        (&swapped["unchanged"], &swapped["visited"], &swapped["no_longer_declared"]),
        (&json!(0), &json!(1), &json!(0))
    );
    let changed = line(&mut session, "resource_finished");
    assert_eq!(changed["location"]["line"], 3, "places are those of the new text");
    line(&mut session, "watching");
    let (code, printed) = session.end();
    assert_eq!(code, Some(0));
    let last: Value = serde_json::from_str(printed.last().expect("a line")).expect("JSON");
    assert_eq!((&last["type"], &last["error"]), (&json!("watch_finished"), &json!(false)));
    for text in &printed {
        let line: Value = serde_json::from_str(text).expect("nothing else is printed");
        for field in ["@level", "@message", "@timestamp", "type"] {
            assert!(line[field].is_string(), "{field} in {line}");
        }
    }
}

#[test]
fn a_failure_shows_the_time_of_the_next_attempt() {
    let sandbox = Sandbox::with("file \"/none/x\" {}\n");
    let mut session = sandbox.watch(&["--json"]);
    assert_eq!(line(&mut session, "run_finished")["error"], true);
    let later = line(&mut session, "resource_backing_off");
    assert_eq!(later["resource"]["name"], "/none/x");
    assert!(later["after_ms"].as_u64().is_some_and(|after| after > 0), "{later}");
    let (code, printed) = session.end();
    assert_eq!(code, Some(1));
    assert!(printed.last().expect("a line").contains("\"error\":true"));
}

#[test]
fn a_refused_watch_ends_like_other_commands() {
    let sandbox = Sandbox::with("file \"/a\" {\n");
    let mut session = sandbox.watch(&["--json"]);
    assert_eq!(session.ended(), Some(1));
    let last: Value = serde_json::from_str(session.printed.last().expect("a line")).expect("JSON");
    assert_eq!((&last["type"], &last["error"]), (&json!("run_finished"), &json!(true)));
}
