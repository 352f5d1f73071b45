//! Commands: exec-fail, the timers, retry1, watchcmd, and the values that mgmt's exec sends.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;

use super::folder::Folder;
use super::running_watch::{RunningWatch, visits};
use super::work_log::WorkLog;

/// exec-fail: it must not hang. In mgmt it ends with 0, here with a failure.
#[test]
fn a_failing_command_does_not_hang_and_is_reported() {
    let folder = Folder::with(
        r#"
task "fails" {
  creates = "DIR/never"
  apply   = "exit 3"
}
file "DIR/after" { depends_on = [task.fails] }
file "DIR/free" {}
"#,
    );
    let ended = folder.converge(&[]);
    assert_eq!(ended.code, 1);
    let visits = visits(&ended.lines);
    assert!(visits.contains(&"fails failed: declared".to_owned()), "{visits:?}");
    assert!(visits.contains(&"after skipped: declared".to_owned()), "{visits:?}");
    assert!(folder.has("free") && !folder.has("after"));
}

/// timer1, timer2: in mgmt a tick never reaches the command again. Here each tick checks whether the work is done, and
/// finished work is not repeated.
#[test]
fn each_tick_checks_and_the_work_is_done_once() {
    let folder = Folder::with(
        r#"
task "ticks" {
  check = "echo asked >> DIR/asked; test -e DIR/done"
  apply = "echo +work >> DIR/log; touch DIR/done; echo -work >> DIR/log"
  poll  = "50ms"
}
"#,
    );
    let watch = folder.watch();
    let asked = || folder.read("asked").map_or(0, |text| text.lines().count());
    watch.awaits("several ticks", || (asked() >= 6).then_some(()));
    assert!(WorkLog::of(folder.read("log")).is_done(1));
    folder.delete("done");
    watch.awaits("it is done again", || folder.has("done").then_some(()));
    let before = asked();
    watch.awaits("more ticks", || (asked() >= before + 3).then_some(()));
    assert!(WorkLog::of(folder.read("log")).is_done(2));
}

/// exec1c, exec1d: each line of a watch command wakes the task. A command that ends is started again; in mgmt that ends
/// the watch.
#[test]
fn each_line_of_a_watch_command_wakes_the_task_also_after_a_restart() {
    let folder = Folder::with(
        r#"
query "seen" {
  query         = "cat DIR/value"
  watch_command = "echo $$ > DIR/pid; exec tail -n 0 -F DIR/lines"
}
file "DIR/copy" { content = query.seen.value }
"#,
    );
    folder.write("lines", "");
    folder.write("value", "one");
    let watch = folder.watch();
    let set_value = |value: &str| {
        folder.write("value", value);
        // A line that is written before the watch listens would be lost.
        watch.awaits(value, || {
            let lines = folder.read("lines").unwrap_or_default();
            folder.write("lines", &format!("{lines}a line\n"));
            (folder.read("copy").as_deref() == Some(value)).then_some(())
        });
    };
    set_value("two");
    let listener = folder.read("pid").expect("it was started");
    let kill = std::process::Command::new("kill").arg(listener.trim()).status();
    assert!(kill.expect("kill runs").success());
    watch.awaits("it is started again", || (folder.read("pid")? != listener).then_some(()));
    set_value("three");
}

/// retry1, as a user without write permission: three more attempts, then a failure; other resources are not affected.
#[test]
fn a_user_without_permission_gives_up_after_the_last_attempt() {
    let folder = Folder::with(
        r#"
file "DIR/closed/f" {
  content = "f"
  retry   = { times = 3, delay = "20ms" }
}
file "DIR/open/f" { content = "f" }
"#,
    );
    for (name, mode) in [("closed", 0o555), ("open", 0o777)] {
        folder.make_dir(name);
        fs::set_permissions(folder.at(name), Permissions::from_mode(mode)).expect("it is ours");
    }
    let mut command = folder.command(&["--until-converged", "100ms"]);
    if fs::metadata(folder.home("")).expect("it exists").uid() == 0 {
        // The directory of the configuration may belong to the user or to root, and must not be writable by others.
        chown(folder.home(""), Some(65_534), Some(65_534)).expect("we are root");
        command.uid(65_534).gid(65_534);
    }
    let ended = RunningWatch::start(&folder, command).ends();
    assert_eq!(ended.code, 1);
    assert_eq!(ended.lines.iter().filter(|line| line["type"] == "resource_retrying").count(), 3);
    let failed =
        visits(&ended.lines).into_iter().filter(|visit| visit.contains("failed")).collect::<Vec<_>>();
    assert_eq!(failed.first().map(String::as_str), Some("f failed: declared"));
    assert_eq!(folder.read("open/f").as_deref(), Some("f"));
    assert!(!folder.has("closed/f"));
}

/// Exec: SendRecv1 to 3, and `EnvEmpty`. In mgmt the environment is empty unless it is set; here `env -i` does that.
#[test]
fn the_output_of_a_command_can_be_read() {
    let folder = Folder::with(
        r#"
task "speaks" {
  creates = "DIR/spoken"
  apply   = "echo out; echo err >&2; touch DIR/spoken"
}
query "environment" {
  query = "env -i /usr/bin/env | wc -l"
}
file "DIR/both" {
  content = "${task.speaks.status.stdout}${task.speaks.status.stderr}${trimspace(query.environment.value)}"
}
"#,
    );
    assert_eq!(folder.converge(&[]).code, 0);
    assert_eq!(folder.read("both").as_deref(), Some("out\nerr\n0"));
}

/// Exec: `LeakedDescendant`. A background child that keeps the output open does not block the run.
#[test]
fn a_background_child_does_not_block_the_run() {
    let folder = Folder::with(
        r#"
task "leaks" {
  creates = "DIR/done"
  apply   = "sleep 61 & touch DIR/done"
}
file "DIR/after" {
  content    = "after"
  depends_on = [task.leaks]
}
"#,
    );
    let watch = folder.watch();
    folder.delete("done");
    watch.awaits("it is done again", || folder.has("done").then_some(()));
    assert_eq!(watch.visits_until_idle(), ["leaks changed: change_detected"]);
    assert_eq!(watch.stop().code, 0);
}
