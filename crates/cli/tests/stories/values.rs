//! Values that one resource reads of another: mgmt's send and receive.

use crate::folder::Folder;

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

fn say(folder: &Folder, value: &str) {
    folder.write("stranger", value);
    folder.rename("stranger", "value");
}

/// `TestSendRecvAnyChanged`: who reads it is visited, and nobody else; not even what stands on the reader.
#[test]
fn a_changed_value_wakes_only_its_readers() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.hold();
    say(&folder, "two");
    watch.repairs("reader", "two");
    assert_eq!(watch.settled(), ["q unchanged: reported", "reader changed: received"]);
}

/// The same value again is none.
#[test]
fn an_equal_value_wakes_no_reader() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.hold();
    say(&folder, "one");
    assert_eq!(watch.settled(), ["q unchanged: reported"]);
}

/// A change that was received is never forgotten, though the reader fails in between, and the value stays the same
/// from then on.
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
    let watch = folder.hold();
    folder.rename("sub", "away");
    say(&folder, "two");
    watch.awaits("it fails", || {
        let visits = watch.settled();
        visits.iter().any(|visit| visit.starts_with("reader failed")).then_some(())
    });
    folder.rename("away", "sub");
    watch.repairs("sub/reader", "two");
}

/// A query that fails keeps its readers back, who go on with the new value when it has one.
#[test]
fn a_failing_query_blocks_its_readers() {
    let folder = Folder::with(READERS);
    folder.write("value", "one");
    let watch = folder.hold();
    folder.rename("value", "away");
    watch.awaits("it fails", || watch.settled().contains(&"q failed: reported".to_owned()).then_some(()));
    assert_eq!(folder.read("reader").as_deref(), Some("one"));
    say(&folder, "three");
    watch.repairs("reader", "three");
}

/// `GroupedSenderAcrossSwap`: what is kept has its value still, for readers that are new. It is not asked again.
#[test]
fn a_value_is_kept_after_a_reload() {
    let query = "query \"q\" {\n  query = \"echo asked >> DIR/asked; echo v\"\n}\n";
    let folder = Folder::with(&format!("{query}file \"DIR/a\" {{ content = query.q.value }}\n"));
    let watch = folder.hold();
    folder.declare(&format!(
        "{query}file \"DIR/a\" {{ content = query.q.value }}\nfile \"DIR/b\" {{ content = \"${{query.q.value}}!\" }}\n"
    ));
    watch.repairs("b", "v!");
    let mut visits = watch.settled();
    visits.sort();
    // Whether a reader is as before is known when its values are.
    assert_eq!(visits, ["a unchanged: written", "b changed: written"]);
    assert_eq!(folder.read("asked").as_deref(), Some("asked\n"));
}

/// `HiddenSender`, `NilSender` and unknown ones: that there is no value is known before anything is touched.
#[test]
fn a_reference_without_a_value_is_refused() {
    let file = "file \"DIR/f\" { content = query.q.value }\n";
    for sender in ["", "query \"q\" {\n  query  = \"true\"\n  action = \"nothing\"\n}\n"] {
        let folder = Folder::with(&format!("{sender}file \"DIR/g\" {{}}\n{file}"));
        assert_eq!(folder.start(&[]).ends().code, 1);
        assert!(!folder.has("f") && !folder.has("g"));
    }
}
