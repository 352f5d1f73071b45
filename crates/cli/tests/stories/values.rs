//! Values that one resource reads from another: mgmt's send and receive.

use super::folder::Folder;

const READERS: &str = r#"
query "q" {
  query       = "cat DIR/value"
  watch_paths = ["DIR/value"]
}
file "DIR/reader" { content = query.q.value }
file "DIR/other" { content = "other" }
file "DIR/behind" {
  content    = "behind"
  depends_on = [file["DIR/reader"]]
}
"#;

fn set_value(folder: &Folder, value: &str) {
    folder.write("stranger", value);
    folder.rename("stranger", "value");
}

/// `TestSendRecvAnyChanged`: only the readers are visited, not even the dependents of a reader.
#[test]
fn a_changed_value_wakes_only_its_readers() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.watch();
    set_value(&folder, "two");
    watch.repairs("reader", "two");
    assert_eq!(watch.visits_until_idle(), ["q unchanged: change_detected", "reader changed: value_changed"]);
}

/// An equal value is no change.
#[test]
fn an_equal_value_wakes_no_reader() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.watch();
    set_value(&folder, "one");
    assert_eq!(watch.visits_until_idle(), ["q unchanged: change_detected"]);
}

/// A received change is not lost if the reader fails in between and the value does not change again.
#[test]
fn a_received_value_survives_a_failure() {
    let folder = Folder::with(
        r#"
query "q" {
  query       = "cat DIR/value"
  watch_paths = ["DIR/value"]
}
file "DIR/sub/reader" { content = query.q.value }
"#,
    );
    folder.write("value", "one");
    folder.make_dir("sub");
    let watch = folder.watch();
    folder.rename("sub", "away");
    set_value(&folder, "two");
    watch.awaits("it fails", || {
        let visits = watch.visits_until_idle();
        visits.iter().any(|visit| visit.starts_with("reader failed")).then_some(())
    });
    folder.rename("away", "sub");
    watch.repairs("sub/reader", "two");
}

/// A failing query blocks its readers, which continue when it has a value.
#[test]
fn a_failing_query_blocks_its_readers() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.watch();
    folder.rename("value", "away");
    watch.awaits("it fails", || {
        watch.visits_until_idle().contains(&"q failed: change_detected".to_owned()).then_some(())
    });
    assert_eq!(folder.read("reader").as_deref(), Some("one"));
    set_value(&folder, "three");
    watch.repairs("reader", "three");
}

/// `GroupedSenderAcrossSwap`: an unchanged query keeps its value for new readers, and is not run again.
#[test]
fn a_value_is_kept_after_a_reload() {
    let query = "query \"q\" {\n  query = \"echo asked >> DIR/asked; echo v\"\n}\n";
    let folder = Folder::with(&format!("{query}file \"DIR/a\" {{ content = query.q.value }}\n"));
    let watch = folder.watch();
    folder.declare(&format!(
        "{query}file \"DIR/a\" {{ content = query.q.value }}\nfile \"DIR/b\" {{ content = \"${{query.q.value}}!\" }}\n"
    ));
    watch.repairs("b", "v!");
    let mut visits = watch.visits_until_idle();
    visits.sort();
    // Whether a reader has changed is known only when its values are.
    assert_eq!(visits, ["a unchanged: declared", "b changed: declared"]);
    assert_eq!(folder.read("asked").as_deref(), Some("asked\n"));
}

/// `HiddenSender`, `NilSender` and unknown senders: a missing value is reported before anything is changed.
#[test]
fn a_reference_without_a_value_is_refused() {
    let file = "file \"DIR/f\" { content = query.q.value }\n";
    for sender in ["", "query \"q\" {\n  query  = \"true\"\n  action = \"nothing\"\n}\n"] {
        let folder = Folder::with(&format!("{sender}file \"DIR/g\" {{}}\n{file}"));
        assert_eq!(folder.start(&[]).ends().code, 1);
        assert!(!folder.has("f") && !folder.has("g"));
    }
}
