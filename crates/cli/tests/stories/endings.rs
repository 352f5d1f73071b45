//! How a watch ends: graph-exit1, graph-exit2, and what mgmt's convergence gets wrong (1.9 of the reference).

use std::time::Duration;

use crate::folder::Folder;

/// A second is what it takes; this is for machines that have a lot else to do, and far from what it would take if
/// it waited for what is under way.
const SOON: Duration = Duration::from_secs(10);

/// graph-exit1: a command that would run for a minute is asked to end.
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

/// graph-exit2: during a wait between two tries, on the first walk and later.
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
    watch.hears("resource_retrying");
    let ended = watch.stop();
    assert!(ended.code == 1 && ended.took < SOON, "{} after {:?}", ended.code, ended.took);
    folder.write("done", "");
    let watch = folder.hold();
    folder.delete("done");
    watch.hears("resource_retrying");
    let ended = watch.stop();
    assert!(ended.code == 1 && ended.took < SOON, "{} after {:?}", ended.code, ended.took);
}

/// In mgmt a dry run never converges. Here it ends, says by its exit code what it found, and has touched nothing.
#[test]
fn a_dry_run_watch_ends_too() {
    let folder = Folder::with(r#"file "DIR/f" { content = "f" }"#);
    assert_eq!(folder.converge(&["--audit"]).code, 2);
    assert!(!folder.has("f"));
    folder.write("f", "f");
    std::fs::write(folder.home("heard"), "0").expect("a file");
    assert_eq!(folder.converge(&["--audit"]).code, 0);
}

/// In mgmt whatever stands on a failure keeps the graph from converging, and a poll that is quicker than the time to
/// wait does, too.
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

/// In mgmt a broken graph is logged, and "converges" with 0. Here nothing is begun.
#[test]
fn a_broken_configuration_is_refused_before_anything_is_touched() {
    let folder = Folder::with(
        r#"
file "DIR/f" { content = "f" }
fiel "DIR/g" {}
"#,
    );
    let ended = folder.start(&[]).ends();
    assert_eq!(ended.code, 1);
    assert!(!folder.has("f"));
    let problem = ended.told.iter().find(|line| line["type"] == "diagnostic").expect("it is told");
    assert_eq!(problem["diagnostic"]["location"]["line"], 3, "{problem}");
}

/// `--max-runtime`, and the last word of the stream.
#[test]
fn it_ends_after_max_runtime() {
    let folder = Folder::with(r#"file "DIR/f" { content = "f" }"#);
    let ended = folder.start(&["--max-runtime", "300ms"]).ends();
    assert_eq!(ended.code, 0);
    let last = ended.told.last().expect("it told something");
    assert_eq!((&last["type"], &last["error"]), (&"watch_finished".into(), &false.into()));
}
