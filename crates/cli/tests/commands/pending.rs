//! Notifications that a run did not deliver: the next one does.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::sandbox::{Ran, Sandbox};

/// A file that notifies a handler. The handler needs the file `ready`, and `slow` delays what is between both.
const SITE: &str = r#"
file "a.conf" {
  path     = "FOLDER/a.conf"
  content  = "one\n"
  notifies = [task.reload.run]
}

task "slow" {
  depends_on = [file["a.conf"]]
  check      = "test ! -e slow"
  apply      = "touch begun; sleep 60"
}

task "reload" {
  apply  = "test -e ready && echo reloaded >> log"
  action = "nothing"
}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    write_site(&sandbox, SITE);
    sandbox
}

fn write_site(sandbox: &Sandbox, text: &str) {
    sandbox
        .write("site.hcl", text.replace("FOLDER", sandbox.path("").to_string_lossy().trim_end_matches('/')));
}

fn reloads(sandbox: &Sandbox) -> usize {
    fs::read_to_string(sandbox.path("log")).map_or(0, |log| log.lines().count())
}

/// The next run delivers once and says why; the one after it has nothing to do.
#[track_caller]
fn is_delivered_once(sandbox: &Sandbox) {
    let planned = sandbox.run(&["plan"]);
    assert!(planned.stdout.contains("! task.reload   (will run, pending since "), "{}", planned.stdout);
    assert_eq!((planned.code, reloads(sandbox)), (Some(2), 0), "a plan delivers nothing");
    sandbox.write("ready", "");
    let applied = sandbox.run(&["apply"]);
    let because = "because file[\"a.conf\"] changed";
    assert!(applied.stdout.contains("! task.reload   (ran, pending since "), "{}", applied.stdout);
    assert!(applied.stdout.contains(because), "{}", applied.stdout);
    assert_eq!((applied.code, reloads(sandbox)), (Some(0), 1), "{}", applied.stderr);
    let again = sandbox.run(&["apply"]);
    assert_eq!((again.code, reloads(sandbox)), (Some(0), 1), "{}", again.stdout);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// Starts an apply, and waits until the file has changed and the slow task has begun.
fn interrupted(sandbox: &Sandbox, signal: &str) {
    sandbox.write("slow", "");
    let mut command = sandbox.command(&["apply", "--jobs", "1"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let limit = Instant::now() + Duration::from_secs(60);
    while !sandbox.path("begun").exists() {
        assert!(Instant::now() < limit, "the task has not begun");
        sleep(Duration::from_millis(10));
    }
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    child.wait().expect("it ends");
    assert_eq!(sandbox.read("a.conf"), "one\n");
    fs::remove_file(sandbox.path("slow")).expect("a file");
}

#[test]
fn a_reload_that_failed_is_repeated() {
    let sandbox = sandbox();
    let failed = sandbox.run(&["apply"]);
    assert_eq!((failed.code, reloads(&sandbox)), (Some(1), 0), "{}", failed.stdout);
    assert!(failed.stderr.contains("1 notification is pending: task.reload run"), "{}", failed.stderr);
    is_delivered_once(&sandbox);
}

#[test]
fn a_reload_is_not_lost_if_the_run_is_interrupted() {
    let sandbox = sandbox();
    interrupted(&sandbox, "-INT");
    is_delivered_once(&sandbox);
}

#[test]
fn a_reload_is_not_lost_if_the_run_is_killed() {
    let sandbox = sandbox();
    interrupted(&sandbox, "-KILL");
    is_delivered_once(&sandbox);
}

/// Without the journal, the next run is only less informed.
#[test]
fn a_deleted_state_directory_loses_the_notification_and_nothing_else() {
    let sandbox = sandbox();
    drop(sandbox.run(&["apply"]));
    fs::remove_dir_all(sandbox.path(".state")).expect("a state directory");
    let ran = sandbox.run(&["apply"]);
    assert_eq!((ran.code, reloads(&sandbox)), (Some(0), 0), "{}", ran.stderr);
}

#[test]
fn a_watch_delivers_what_an_apply_left() {
    let sandbox = sandbox();
    drop(sandbox.run(&["apply"]));
    sandbox.write("ready", "");
    let ran = sandbox.run(&["watch", "--socket", "none", "--plain", "--until-converged", "100ms"]);
    assert_eq!((ran.code, reloads(&sandbox)), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

#[test]
fn a_notification_is_listed_and_can_be_forgotten() {
    let sandbox = sandbox();
    drop(sandbox.run(&["apply"]));
    let listed = sandbox.run(&["pending"]);
    let expected = [
        "1 notification is pending:\n  task.reload run, since ",
        "(run 1), because file[\"a.conf\"] changed\n",
    ];
    assert!(expected.iter().all(|part| listed.stdout.contains(part)), "{}", listed.stdout);
    assert!(listed.stdout.contains("    delivery failed: `apply` exited with status 1"), "{}", listed.stdout);
    let end =
        "The next apply of the configuration delivers it. To forget it: uphold pending --drop task.reload\n";
    assert!(listed.code == Some(2) && listed.stdout.ends_with(end), "{}", listed.stdout);
    let json = sandbox.run(&["pending", "--json"]);
    assert!(
        json.code == Some(2)
            && json.stdout.starts_with("{\"format_version\":\"1.0\",\"address\":\"task.reload\""),
        "{}",
        json.stdout
    );

    let unknown = sandbox.run(&["pending", "--drop", "task.other"]);
    unknown.check(
        1,
        "",
        "error: no notification of task.other is pending\n  hint: `uphold pending` lists them\n",
    );
    sandbox.run(&["pending", "--drop", "task.reload"]).check(0, "Forgot task.reload run.\n", "");
    sandbox.write("ready", "");
    let ran = sandbox.run(&["apply"]);
    assert_eq!((ran.code, reloads(&sandbox)), (Some(0), 0), "{}", ran.stdout);
}

#[test]
fn a_target_that_is_not_declared_any_more_is_reported_until_it_is_forgotten() {
    let sandbox = sandbox();
    drop(sandbox.run(&["apply"]));
    write_site(&sandbox, "file \"a.conf\" {\n  path    = \"FOLDER/a.conf\"\n  content = \"one\\n\"\n}\n");
    let reported = |ran: Ran| {
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr.contains(
            "task.reload was to be notified (run), but is not declared any more\n  \
             hint: to forget this notification: uphold pending --drop task.reload\n",
        )
    };
    assert!(reported(sandbox.run(&["apply"])) && reported(sandbox.run(&["apply"])));
    drop(sandbox.run(&["pending", "--drop", "task.reload"]));
    assert!(!reported(sandbox.run(&["apply"])));
}

/// A directory and one of several files in it are two configurations: neither delivers what the other left.
#[test]
fn another_configuration_does_not_deliver_it() {
    let sandbox = sandbox();
    sandbox.write("more.hcl", "log \"more\" {}\n");
    drop(sandbox.run(&["apply", "."]));
    sandbox.write("ready", "");
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).code, Some(0));
    assert_eq!(reloads(&sandbox), 0);
    assert_eq!(sandbox.run(&["apply"]).code, Some(0));
    assert_eq!(reloads(&sandbox), 1);
}

#[test]
fn a_run_without_journal_leaves_nothing() {
    let sandbox = sandbox();
    drop(sandbox.run(&["apply", "--no-journal"]));
    assert!(!sandbox.path(".state").exists());
    let ran = sandbox.run(&["apply"]);
    assert_eq!((ran.code, reloads(&sandbox)), (Some(0), 0), "{}", ran.stdout);
}

/// Nothing changed on the machine, so nothing has to be notified.
#[test]
fn a_rejected_file_leaves_nothing_pending() {
    let site = r#"
file "a.conf" {
  path     = "FOLDER/a.conf"
  content  = "one\n"
  verify   = "test -e FOLDER/valid && test -e {}"
  notifies = [task.reload.run]
}

ini "b" {
  file     = "FOLDER/b.conf"
  key      = "port"
  value    = "1"
  verify   = "test -e FOLDER/valid && test -e {}"
  notifies = { immediately = [task.reload.run] }
}

task "reload" {
  apply  = "echo reloaded >> log"
  action = "nothing"
}
"#;
    let sandbox = Sandbox::new();
    write_site(&sandbox, site);
    sandbox.write("b.conf", "");
    let failed = sandbox.run(&["apply"]);
    assert_eq!((failed.code, reloads(&sandbox)), (Some(1), 0), "{}", failed.stderr);
    assert!(failed.stdout.contains("2 failed") && !failed.stderr.contains("pending"), "{}", failed.stderr);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
    sandbox.write("valid", "");
    assert_eq!((sandbox.run(&["apply"]).code, reloads(&sandbox)), (Some(0), 2));
}

/// The file is in place before a later step of the same visit fails.
#[test]
fn a_change_that_was_visible_stays_pending() {
    let sandbox = Sandbox::new();
    write_site(
        &sandbox,
        "task \"a\" {\n  check = \"false\"\n  apply = \"touch FOLDER/changed; exit 1\"\n  notifies = [task.reload.run]\n}\n\
         task \"reload\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n",
    );
    assert_eq!(sandbox.run(&["apply"]).code, Some(1));
    assert_eq!(sandbox.run(&["pending"]).code, Some(2));
}
