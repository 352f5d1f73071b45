//! Kinds that wait. What they wait for is reported: the next look by time is an hour away.

use std::fs;

use crate::held::Held;

#[test]
fn a_wait_for_a_file_ends_when_it_is_created() {
    let site = r#"
        wait_file "DIR/flag" { every = "1h" }
        file "DIR/after" {
          content    = "done"
          depends_on = [wait_file["DIR/flag"]]
        }"#;
    let held = Held::begin(site, &[], |_| {});
    held.await_line(r#""type":"resource_waiting""#);
    assert!(!held.exists("after"));
    held.write("flag", "");
    held.awaits("the flag has come", |held| held.exists("after"));
    // It waits again when the flag has gone, and whoever stands on it with it.
    fs::remove_file(held.at("flag")).expect("it was there");
    held.await_line(r#""type":"resource_waiting""#);
    held.write("flag", "");
    held.repairs(
        "after the wait",
        |held| fs::remove_file(held.at("after")).expect("it was there"),
        |held| held.exists("after"),
    );
}

#[test]
fn a_wait_for_a_script_ends_when_a_watched_path_changes() {
    let site = r#"
        wait_query "leader" {
          query       = "cat DIR/leader"
          every       = "1h"
          watch_paths = ["DIR/leader"]
        }
        file "DIR/after" { content = wait_query.leader.value }"#;
    let held = Held::begin(site, &[], |_| {});
    held.await_line(r#""type":"resource_waiting""#);
    held.write("leader", "node-1\n");
    held.awaits("there is a leader", |held| held.read("after").as_deref() == Some("node-1"));
    held.write("leader", "node-2\n");
    held.awaits("there is another one", |held| held.read("after").as_deref() == Some("node-2"));
}
