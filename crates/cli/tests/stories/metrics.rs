//! Metrics: prometheus-3 and prometheus-4, which mgmt's engine no longer has.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::folder::Folder;
use super::running_watch::RunningWatch;

/// A watch that serves metrics, and its port.
fn measured(folder: &Folder) -> (RunningWatch<'_>, u16) {
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
    (folder.watch_with(&["--metrics", &port.to_string()]), port)
}

fn scrape(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// The value of a sample.
fn sample(port: u16, name: &str) -> Option<u64> {
    let page = scrape(port)?;
    page.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// prometheus-3: three resources are applied, and one is only checked. The sentinel of the tests is one more, and is
/// applied twice.
#[test]
fn applied_resources_are_counted() {
    let folder = Folder::with(
        r#"
file "DIR/f1" {}
file "DIR/f2" {}
file "DIR/f3" {}
file "DIR/looked-at" { audit = true }
"#,
    );
    let (watch, port) = measured(&folder);
    let check = |name: &str, value: u64| {
        watch.awaits(name, || (sample(port, name)? == value).then_some(()));
    };
    check(r#"uphold_changes_total{kind="file",change="create"}"#, 4);
    check(r#"uphold_changes_total{kind="file",change="update"}"#, 1);
    check(r#"uphold_resources{state="ok"}"#, 4);
    check(r#"uphold_resources{state="differs"}"#, 1);
    check(r#"uphold_visits_total{kind="file"}"#, 6);
    folder.delete("f1");
    watch.awaits("f1", || folder.has("f1").then_some(()));
    check(r#"uphold_changes_total{kind="file",change="create"}"#, 5);
    check(r#"uphold_visits_total{kind="file"}"#, 7);
}

/// prometheus-4: a file without its parent is retried without end, and the others are fine.
#[test]
fn repeated_failures_are_counted() {
    let folder = Folder::with(
        r#"
file "DIR/none/f" {}
file "DIR/f1" {}
file "DIR/f2" {}
"#,
    );
    let (watch, port) = measured(&folder);
    let failures = r#"uphold_visit_failures_total{kind="file"}"#;
    watch.awaits("it was tried again", || (sample(port, failures)? >= 2).then_some(()));
    assert_eq!(sample(port, r#"uphold_resources{state="failed"}"#), Some(1));
    assert_eq!(sample(port, r#"uphold_resources{state="ok"}"#), Some(3));
    folder.make_dir("none");
    watch.awaits("it is made", || folder.has("none/f").then_some(()));
    watch.awaits("all is well", || (sample(port, r#"uphold_resources{state="ok"}"#)? == 4).then_some(()));
    assert_eq!(sample(port, r#"uphold_resources{state="failed"}"#), Some(0));
}
