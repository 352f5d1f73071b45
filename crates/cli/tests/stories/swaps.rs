//! Reloads of a changed configuration: yaml-change1, graph1a and graph1b, and the pauses of mgmt's engine.

use super::folder::Folder;

fn swapped(watch: &crate::stories::running_watch::RunningWatch<'_>) -> [Option<u64>; 3] {
    let line = watch.await_type("configuration_reloaded");
    ["unchanged", "visited", "no_longer_declared"].map(|field| line[field].as_u64())
}

/// yaml-change1.
#[test]
fn a_saved_configuration_is_applied() {
    let folder = Folder::with(r#"file "DIR/f" { content = "a" }"#);
    let watch = folder.watch();
    folder.declare(r#"file "DIR/f" { content = "b" }"#);
    watch.repairs("f", "b");
    assert_eq!(watch.visits_until_idle(), ["f changed: declared"]);
    folder.delete("f");
    watch.repairs("f", "b");
    assert_eq!(watch.visits_until_idle(), ["f changed: change_detected"]);
}

/// graph1a, graph1b: common resources are not touched and still watched; removed ones stay in place and are no longer
/// managed.
#[test]
fn common_resources_are_untouched_and_removed_blocks_are_no_longer_managed() {
    let folder = Folder::with(
        r#"
file "DIR/f1" { content = "i am f1\n" }
file "DIR/f2" {
  content    = "i am f2\n"
  depends_on = [file["DIR/f1"]]
}
"#,
    );
    let watch = folder.watch();
    let (f1, f2) = (folder.traces("f1"), folder.traces("f2"));
    folder.declare(
        r#"
file "DIR/f2" { content = "i am f2\n" }
file "DIR/f3" {
  content    = "i am f3\n"
  depends_on = [file["DIR/f2"]]
}
"#,
    );
    watch.repairs("f3", "i am f3\n");
    assert_eq!(watch.visits_until_idle(), ["f3 changed: declared"]);
    assert_eq!((folder.traces("f1"), folder.traces("f2")), (f1, f2));
    assert_eq!(swapped(&watch), [Some(2), Some(1), Some(1)]);
    folder.write("f1", "mine now\n");
    folder.delete("f2");
    watch.repairs("f2", "i am f2\n");
    assert_eq!(watch.visits_until_idle(), ["f2 changed: change_detected"]);
    assert_eq!(folder.read("f1").as_deref(), Some("mine now\n"));
}

/// `TestPauseDuringRetryLoop`: a reload does not wait for endless retries.
#[test]
fn a_reload_does_not_wait_for_retries() {
    let stuck = |times: u32, delay: &str| {
        format!(
            r#"
task "stuck" {{
  creates = "DIR/done"
  apply   = "echo tried >> DIR/tries; exit 1"
  retry   = {{ times = {times}, delay = "{delay}" }}
}}
"#
        )
    };
    for (times, delay) in [(1000, "1ms"), (10, "60s")] {
        let folder = Folder::with(&stuck(times, delay));
        let watch = folder.start(&[]);
        watch.await_type("resource_retrying");
        folder.declare(&format!("{}file \"DIR/new\" {{ content = \"new\" }}", stuck(times, delay)));
        watch.repairs("new", "new");
        folder.declare(r#"file "DIR/new" { content = "newer" }"#);
        watch.repairs("new", "newer");
        let tries = folder.read("tries");
        watch.visits_until_idle();
        assert_eq!(folder.read("tries"), tries, "what left is not tried any more");
        assert_eq!(watch.stop().code, 0);
    }
}

/// `TestStatePauseClosed`: a failed resource and its blocked dependents can be removed from the configuration, and the
/// watch ends gracefully.
#[test]
fn a_failed_resource_can_be_removed_from_the_configuration() {
    let folder = Folder::with(
        r#"
file "DIR/none/f" {}
file "DIR/after" { depends_on = [file["DIR/none/f"]] }
file "DIR/kept" {}
"#,
    );
    let watch = folder.watch();
    folder.declare(r#"file "DIR/kept" {}"#);
    assert_eq!(swapped(&watch), [Some(2), Some(0), Some(2)]);
    watch.visits_until_idle();
    folder.make_dir("none");
    assert_eq!(watch.visits_until_idle(), [""; 0]);
    assert_eq!(watch.stop().code, 0);
}

/// A reload while a command runs waits for that command only, and never starts it twice.
#[test]
fn a_reload_during_a_visit_waits_for_it() {
    let slow = r#"
task "slow" {
  creates = "DIR/done"
  apply   = "echo +slow >> DIR/log; until test -e DIR/go; do sleep 0.01; done; touch DIR/done; echo -slow >> DIR/log"
}
"#;
    let folder = Folder::with(slow);
    let watch = folder.start(&[]);
    watch.awaits("the command", || folder.has("log").then_some(()));
    folder.declare(&format!("{slow}file \"DIR/new\" {{ content = \"new\" }}"));
    folder.write("go", "");
    watch.repairs("new", "new");
    watch.visits_until_idle();
    assert_eq!(folder.read("log").as_deref(), Some("+slow\n-slow\n"));
}
