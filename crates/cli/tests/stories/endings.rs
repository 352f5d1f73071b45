//! How a watch ends: graph-exit1, graph-exit2, and the defects of mgmt's convergence (1.9 of the reference).

use std::time::Duration;

use super::folder::Folder;

/// It takes a second. This allows for busy machines, and is far less than waiting for the running work would take.
const SOON: Duration = Duration::from_secs(10);

/// graph-exit1: a command that would run for a minute is ended.
#[test]
fn a_signal_ends_it_while_a_command_runs() {
    let folder = Folder::with(
        r#"
task "long" {
  creates = "DIR/done"
  apply   = "touch DIR/begun; sleep 60"
}
"#,
    );
    for name in ["-INT", "-TERM"] {
        let watch = folder.start(&[]);
        watch.awaits("the command", || folder.has("begun").then_some(()));
        folder.delete("begun");
        watch.signal(name);
        let ended = watch.ends();
        assert!(ended.code == 1 && ended.took < SOON, "{name}: {} after {:?}", ended.code, ended.took);
    }
}

/// graph-exit2: during the backoff between two attempts, in the first visit and later.
#[test]
fn a_signal_ends_it_during_a_backoff() {
    let folder = Folder::with(
        r#"
task "again" {
  creates = "DIR/done"
  apply   = "exit 1"
  retry   = { times = 10, delay = "60s" }
}
"#,
    );
    let watch = folder.start(&[]);
    watch.await_type("resource_retrying");
    let ended = watch.stop();
    assert!(ended.code == 1 && ended.took < SOON, "{} after {:?}", ended.code, ended.took);
    folder.write("done", "");
    let watch = folder.watch();
    folder.delete("done");
    watch.await_type("resource_retrying");
    let ended = watch.stop();
    assert!(ended.code == 1 && ended.took < SOON, "{} after {:?}", ended.code, ended.took);
}

/// In mgmt a dry run never converges. Here it ends, its exit code shows the differences, and nothing is changed.
#[test]
fn a_dry_run_watch_ends_too() {
    let folder = Folder::with(r#"file "DIR/f" { content = "f" }"#);
    assert_eq!(folder.converge(&["--audit"]).code, 2);
    assert!(!folder.has("f"));
    folder.write("f", "f");
    std::fs::write(folder.home("heard"), "0").expect("a file");
    assert_eq!(folder.converge(&["--audit"]).code, 0);
}

/// In mgmt the dependents of a failure prevent convergence, and so does a poll that is shorter than the timeout.
#[test]
fn neither_failures_nor_polls_prevent_convergence() {
    let folder = Folder::with(
        r#"
task "polled" {
  check = "true"
  apply = "true"
  poll  = "20ms"
}
file "DIR/none/f" {}
file "DIR/after" { depends_on = [file["DIR/none/f"]] }
"#,
    );
    assert_eq!(folder.converge(&[]).code, 1);
}

/// In mgmt a broken graph is logged, and "converges" with 0. Here nothing is started.
#[test]
fn an_invalid_configuration_is_refused_before_any_change() {
    let folder = Folder::with(
        r#"
file "DIR/f" { content = "f" }
fiel "DIR/g" {}
"#,
    );
    let ended = folder.start(&[]).ends();
    assert_eq!(ended.code, 1);
    assert!(!folder.has("f"));
    let problem = ended.lines.iter().find(|line| line["type"] == "diagnostic").expect("it is reported");
    assert_eq!(problem["diagnostic"]["location"]["line"], 3, "{problem}");
}

/// `--max-runtime`, and the last line of the stream.
#[test]
fn it_ends_after_max_runtime() {
    let folder = Folder::with(r#"file "DIR/f" { content = "f" }"#);
    let ended = folder.start(&["--max-runtime", "300ms"]).ends();
    assert_eq!(ended.code, 0);
    let last = ended.lines.last().expect("it printed something");
    assert_eq!((&last["type"], &last["error"]), (&"watch_finished".into(), &false.into()));
}
