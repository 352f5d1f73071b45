//! Kinds that wait. They are woken by events: the next periodic check is an hour away.

use std::fs;

use super::watched::Watched;

#[test]
fn a_wait_for_a_file_ends_when_it_is_created() {
    let site = r#"
        wait_file "DIR/flag" { every = "1h" }
        file "DIR/after" {
          content    = "done"
          depends_on = [wait_file["DIR/flag"]]
        }"#;
    let watch = Watched::begin(site, &[], |_| {});
    watch.await_line(r#""type":"resource_waiting""#);
    assert!(!watch.exists("after"));
    watch.write("flag", "");
    watch.awaits("the flag has come", |watch| watch.exists("after"));
    // It waits again when the flag is removed, and so does its dependent.
    fs::remove_file(watch.at("flag")).expect("it existed");
    watch.await_line(r#""type":"resource_waiting""#);
    watch.write("flag", "");
    watch.repairs(
        "after the wait",
        |watch| fs::remove_file(watch.at("after")).expect("it existed"),
        |watch| watch.exists("after"),
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
    let watch = Watched::begin(site, &[], |_| {});
    watch.await_line(r#""type":"resource_waiting""#);
    watch.write("leader", "node-1\n");
    watch.awaits("there is a leader", |watch| watch.read("after").as_deref() == Some("node-1"));
    watch.write("leader", "node-2\n");
    watch.awaits("there is another one", |watch| watch.read("after").as_deref() == Some("node-2"));
}
