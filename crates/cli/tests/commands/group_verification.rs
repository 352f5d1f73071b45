//! `verify` of a group: its changed members get their previous values back if the command fails.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::sandbox::Sandbox;

/// A site of several files that `verify` accepts if `a.conf` is good.
fn site(a: &str, verify: &str, more: &str) -> Sandbox {
    let sandbox = Sandbox::with(format!(
        r#"
task "reload" {{
  apply  = "echo reload >> ${{path.cwd}}/reloaded"
  action = "nothing"
}}

sequence {{
sequence "site" {{
  verify = "{verify}"

  file "a" {{
    path     = "${{path.cwd}}/a.conf"
    content  = "{a}\n"
    mode     = "0600"
    notifies = [task.reload.run]
  }}
  line "b" {{
    file  = "${{path.cwd}}/b.conf"
    line  = "port 2"
    match = "^port"
  }}
  ini "c" {{
    file  = "${{path.cwd}}/b.conf"
    key   = "color"
    value = "red"
  }}
  directory "d" {{ path = "${{path.cwd}}/d" }}
  link "e" {{
    path = "${{path.cwd}}/e"
    to   = "d"
  }}
{more}}}
log "after" {{}}
}}
"#
    ));
    sandbox.write("a.conf", "old\n");
    fs::set_permissions(sandbox.path("a.conf"), fs::Permissions::from_mode(0o640)).expect("ours");
    sandbox.write("b.conf", "# first\nport 1\nlast = 1\n");
    sandbox
}

const CHECK: &str = "echo checking; grep -q good ${path.cwd}/a.conf";

#[track_caller]
fn is_as_before(sandbox: &Sandbox) {
    assert_eq!(sandbox.read("a.conf"), "old\n");
    let mode = fs::metadata(sandbox.path("a.conf")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o640);
    assert_eq!(sandbox.read("b.conf"), "# first\nport 1\nlast = 1\n");
    assert!(!sandbox.path("d").exists() && fs::symlink_metadata(sandbox.path("e")).is_err());
    assert!(!sandbox.path("reloaded").exists());
}

#[test]
fn a_failed_verification_puts_everything_back() {
    let sandbox = site("bad", CHECK, "");
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    is_as_before(&sandbox);
    for words in [
        "task[\"verify site\"]",
        "checking",
        "verification of \"site\" failed; put back: link.e, directory.d, ini.c, line.b, file.a",
        "a.conf` exited with status 1",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}\n{}", ran.stdout, ran.stderr);
    }
    let shown = sandbox.run(&["history", "1"]).stdout;
    let (_, reason) =
        shown.split_once("put back: link.e, directory.d, ini.c, line.b, file.a: `echo").expect(&shown);
    assert!(reason.contains("a.conf` exited with status 1, not 0: checking\n"), "{shown}");
    assert!(!ran.stdout.contains("log.after: after"), "{}", ran.stdout);
    let summary = "Applied: 0 added, 0 changed, 0 removed, 0 run; 0 ok, 1 failed, 1 skipped, 5 put back in";
    assert!(ran.stdout.contains(summary), "{}", ran.stdout);
    assert!(!ran.stderr.contains("changed again"), "no other resource changed it: {}", ran.stderr);
}

/// Neither the output nor the history says that a member was changed.
#[test]
fn a_member_that_was_put_back_is_reported_once() {
    let sandbox = site("bad", CHECK, "");
    let ran = sandbox.run(&["apply"]);
    assert!(
        ran.stdout.contains("  . file.a ") && ran.stdout.contains("(updated, then put back; "),
        "{}",
        ran.stdout
    );
    let says_made = |line: &str| line.contains(" (created") || line.contains(" (updated");
    let is_made = |text: &str| text.lines().any(|line| says_made(line) && !line.contains(", then put back"));
    assert!(!is_made(&ran.stdout), "{}", ran.stdout);
    let shown = sandbox.run(&["history", "1"]).stdout;
    assert!(shown.contains("  . link.e   (created, then put back)\n") && !is_made(&shown), "{shown}");
    let json = sandbox.run(&["apply", "--json"]).stdout;
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_file = |line: &&serde_json::Value| {
        line["type"] == "resource_finished" && line["resource"]["address"] == "file.a"
    };
    let verdicts: Vec<_> = lines.iter().filter(of_file).map(|line| &line["verdict"]).collect();
    assert_eq!(verdicts, ["put_back"], "{json}");
    let history = sandbox.run(&["history", "--json", "2"]).stdout;
    let run: serde_json::Value = serde_json::from_str(&history).expect("JSON");
    let verdicts: Vec<_> =
        run["actions"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "put_back").count(), 5, "{history}");
    assert!(!history.contains("\"changed\""), "{history}");
    assert_eq!(sandbox.run(&["undo", "--yes"]).stderr, "There is no run to undo.\n");
}

#[test]
fn a_verified_group_delivers_its_notifications() {
    let sandbox = site("good", CHECK, "");
    let planned = sandbox.run(&["plan"]);
    assert!(planned.stdout.contains("! task[\"verify site\"]"), "{}\n{}", planned.stdout, planned.stderr);
    is_as_before(&sandbox);
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("reloaded"), "reload\n");
    assert!(ran.stdout.contains("log.after: after"), "{}", ran.stdout);
    let again = sandbox.run(&["apply"]);
    assert!(!again.stdout.contains("verify"), "nothing changed, so nothing is verified: {}", again.stdout);
    assert_eq!(sandbox.read("reloaded"), "reload\n");
}

#[test]
fn the_changes_of_others_are_verified_if_a_member_fails() {
    let failing = "  task \"fails\" {\n    apply  = \"false\"\n    action = \"run\"\n  }\n";
    let bad = site("bad", CHECK, failing);
    assert_eq!(bad.run(&["apply"]).code, Some(1));
    is_as_before(&bad);
    let good = site("good", CHECK, failing);
    assert_eq!(good.run(&["apply"]).code, Some(1));
    assert_eq!((good.read("a.conf"), good.read("reloaded")), ("good\n".into(), "reload\n".into()));
}

#[test]
fn a_change_that_cannot_be_undone_is_reported() {
    let more = "  task \"once\" {\n    apply  = \"true\"\n    action = \"run\"\n  }\n";
    let sandbox = site("bad", CHECK, more);
    let ran = sandbox.run(&["apply"]);
    is_as_before(&sandbox);
    let reason = "not put back: task.once (the action `run` cannot be undone)";
    assert!(ran.stderr.contains(reason), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(" 1 run; 0 ok, 1 failed, 1 skipped, 5 put back in"), "{}", ran.stdout);
}

#[test]
fn a_secret_is_put_back_and_not_shown() {
    let secret =
        "  file \"s\" {\n    path    = \"${path.cwd}/s\"\n    content = sensitive(\"hidden-new\")\n  }\n";
    let sandbox = site("bad", "cat ${path.cwd}/s; false", secret);
    sandbox.write("s", "hidden-old");
    let ran = sandbox.run(&["apply"]);
    assert_eq!(sandbox.read("s"), "hidden-old");
    is_as_before(&sandbox);
    let shown = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!shown.contains("hidden-"), "{shown}");
    assert!(shown.contains("put back: file.s, "), "{shown}");
}

/// Its changes are undone, and the run goes on.
#[test]
fn an_ignored_failure_is_undone_as_well() {
    let sandbox = site("bad", CHECK, "  ignore_failure = true\n");
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    is_as_before(&sandbox);
    assert!(ran.stdout.contains("log.after: after"), "{}", ran.stdout);
}

/// Removed, updated and replaced things come back as they were.
#[test]
fn removed_and_updated_members_are_put_back() {
    let more = r#"
  file "gone" {
    path   = "${path.cwd}/gone"
    action = "remove"
  }
  link "moved" {
    path = "${path.cwd}/moved"
    to   = "elsewhere"
  }
  directory "closed" {
    path = "${path.cwd}/closed"
    mode = "0700"
  }
  line "added" {
    file   = "${path.cwd}/new.conf"
    line   = "x"
    create = true
  }
"#;
    let sandbox = site("bad", CHECK, more);
    sandbox.write("gone", [0xff, 0, b'x']);
    fs::set_permissions(sandbox.path("gone"), fs::Permissions::from_mode(0o604)).expect("ours");
    std::os::unix::fs::symlink("here", sandbox.path("moved")).expect("a link");
    fs::create_dir(sandbox.path("closed")).expect("a directory");
    fs::set_permissions(sandbox.path("closed"), fs::Permissions::from_mode(0o751)).expect("ours");
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    is_as_before(&sandbox);
    let mode = |name: &str| fs::metadata(sandbox.path(name)).expect("there").permissions().mode() & 0o7777;
    assert_eq!(fs::read(sandbox.path("gone")).expect("it is back"), [0xff, 0, b'x']);
    assert_eq!((mode("gone"), mode("closed")), (0o604, 0o751), "{}", ran.stderr);
    assert_eq!(fs::read_link(sandbox.path("moved")).expect("a link"), std::path::Path::new("here"));
    assert!(!sandbox.path("new.conf").exists(), "{}", ran.stderr);
}

/// An inner group that passes is undone with the outer one, and notifies only after both.
#[test]
fn nested_groups_are_verified_from_inside() {
    let inner = r#"
  sequence "inner" {
    verify = "echo inner >> ${path.cwd}/order"

    file "n" {
      path     = "${path.cwd}/n"
      content  = "n"
      notifies = { immediately = [task.reload.run] }
    }
  }
"#;
    let sandbox = site("bad", CHECK, inner);
    assert_eq!(sandbox.run(&["apply"]).code, Some(1));
    is_as_before(&sandbox);
    assert!(!sandbox.path("n").exists());
    assert_eq!(sandbox.read("order"), "inner\n");
    let sandbox = site("good", "cat ${path.cwd}/reloaded; test ! -e ${path.cwd}/reloaded", inner);
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("n"), "n");
    assert!(sandbox.read("reloaded").starts_with("reload\n"));
}

#[test]
fn a_verified_group_needs_a_label_and_a_command() {
    let ran = Sandbox::with("sequence {\n  verify = \"true\"\n  log \"a\" {}\n}\n").run(&["plan"]);
    assert!(ran.stderr.contains("a group with `verify` has no label"), "{}", ran.stderr);
    let ran = Sandbox::with("sequence \"a\" {\n  verify = true\n  log \"a\" {}\n}\n").run(&["plan"]);
    assert!(ran.stderr.contains("`verify` must be a shell command"), "{}", ran.stderr);
    let ran =
        Sandbox::with("sequence \"a\" {\n  verify = \"nginx -t -c {}\"\n  log \"a\" {}\n}\n").run(&["plan"]);
    assert!(ran.stderr.contains("`verify` of a group has no `{}`"), "{}", ran.stderr);
    let find = "sequence \"a\" {\n  verify = \"find . -exec true {} +\"\n  log \"a\" {}\n}\n";
    Sandbox::with(find).run(&["plan"]).check(0, "  log.a: a\nNo changes. 1 resource is as declared.\n", "");
}

/// A site whose verification was killed after its members were changed.
fn killed(verify: &str) -> Sandbox {
    let slow = format!("echo verify >> ${{path.cwd}}/order; {verify}; test -e ${{path.cwd}}/go || sleep 60");
    let sandbox = site("good", &slow, "");
    let mut child =
        sandbox.command(&["apply"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let limit = Instant::now() + Duration::from_secs(60);
    while !sandbox.path("order").exists() {
        assert!(Instant::now() < limit, "the verification has not begun");
        sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-KILL", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    child.wait().expect("it ends");
    assert_eq!(sandbox.read("a.conf"), "good\n");
    assert!(!sandbox.path("reloaded").exists());
    sandbox.write("go", "");
    fs::remove_file(sandbox.path("order")).expect("it began");
    sandbox
}

/// The members stay as they are: the next run verifies them, and then delivers.
#[test]
fn a_killed_verification_is_repeated_before_the_notification() {
    let sandbox = killed("test ! -e ${path.cwd}/reloaded");
    let planned = sandbox.run(&["plan"]);
    assert!(
        planned.stdout.contains("! task[\"verify site\"]   (will run, pending since "),
        "{}",
        planned.stdout
    );
    let next = sandbox.run(&["apply"]);
    assert_eq!(next.code, Some(0), "{}{}", next.stdout, next.stderr);
    assert_eq!(
        (&*sandbox.read("order"), &*sandbox.read("reloaded")),
        ("verify\n", "reload\n"),
        "{}",
        next.stdout
    );
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// The group that contains the members now verifies them.
#[test]
fn a_killed_verification_of_a_renamed_group_is_repeated() {
    let sandbox = killed("test ! -e ${path.cwd}/reloaded");
    sandbox.write("site.hcl", sandbox.read("site.hcl").replace("sequence \"site\"", "sequence \"web\""));
    let planned = sandbox.run(&["plan"]).stdout;
    assert!(planned.contains("! task[\"verify web\"]   (will run, pending since "), "{planned}");
    let next = sandbox.run(&["apply"]);
    assert_eq!(next.code, Some(0), "{}{}", next.stdout, next.stderr);
    assert_eq!((&*sandbox.read("order"), &*sandbox.read("reloaded")), ("verify\n", "reload\n"));
    assert!(!next.stderr.contains("warning"), "{}", next.stderr);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// A failed verification stays pending by its new name, and so does the notification.
#[test]
fn a_killed_verification_of_a_renamed_group_stays_pending_until_it_succeeds() {
    let sandbox = killed("test ! -e ${path.cwd}/broken || exit 1");
    sandbox.write("broken", "");
    sandbox.write("site.hcl", sandbox.read("site.hcl").replace("sequence \"site\"", "sequence \"web\""));
    let part = sandbox.run(&["apply", "--target", "log.after"]);
    assert!(part.stderr.contains("2 notifications are pending: "), "{}{}", part.stdout, part.stderr);
    for _ in 0..2 {
        let next = sandbox.run(&["apply"]);
        assert!(next.code == Some(1) && !sandbox.path("reloaded").exists(), "{}", next.stdout);
        assert!(next.stderr.contains("task[\"verify web\"] run"), "{}", next.stderr);
    }
    fs::remove_file(sandbox.path("broken")).expect("a file");
    assert_eq!((sandbox.run(&["apply"]).code, &*sandbox.read("reloaded")), (Some(0), "reload\n"));
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// Without a group that verifies the members, the verification is reported and dropped.
#[test]
fn a_killed_verification_that_no_group_can_repeat_is_dropped() {
    let sandbox = killed("true");
    let text = sandbox.read("site.hcl");
    let lines = text.lines().filter(|line| !line.contains("verify ="));
    sandbox.write("site.hcl", lines.map(|line| format!("{line}\n")).collect::<String>());
    let next = sandbox.run(&["apply"]);
    assert_eq!((next.code, &*sandbox.read("reloaded")), (Some(0), "reload\n"), "{}", next.stderr);
    let warning = "warning: the changes of file.a, line.b, ini.c, directory.d, link.e by an interrupted run stay unverified: \
                   no group verifies them any more\n";
    assert!(next.stderr.contains(warning), "{}", next.stderr);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
    assert!(!sandbox.run(&["apply"]).stderr.contains("unverified"));
}

/// They cannot be put back by this run, and nothing is notified.
#[test]
fn a_killed_verification_that_then_fails_keeps_the_notification() {
    let sandbox = killed("test ! -e ${path.cwd}/broken || exit 1");
    sandbox.write("broken", "");
    for _ in 0..2 {
        let next = sandbox.run(&["apply"]);
        assert_eq!(next.code, Some(1), "{}{}", next.stdout, next.stderr);
        assert!(!sandbox.path("reloaded").exists(), "{}", next.stdout);
        assert_eq!(sandbox.read("a.conf"), "good\n");
        let why = "verification of \"site\" failed; not put back: an earlier run, which did not end, made the changes";
        assert!(next.stderr.contains(why), "{}", next.stderr);
        assert!(next.stderr.contains("2 notifications are pending: "), "{}", next.stderr);
    }
    fs::remove_file(sandbox.path("broken")).expect("a file");
    let last = sandbox.run(&["apply"]);
    assert_eq!(
        (last.code, &*sandbox.read("reloaded")),
        (Some(0), "reload\n"),
        "{}{}",
        last.stdout,
        last.stderr
    );
}

/// The next run changes the member again, so that nothing is pending meanwhile.
#[test]
fn a_failed_verification_leaves_nothing_pending() {
    let sandbox = site("bad", CHECK, "");
    assert_eq!(sandbox.run(&["apply"]).code, Some(1));
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// The notifications of the group itself, as well.
#[test]
fn a_failed_verification_of_a_group_that_notifies_leaves_nothing_pending() {
    let sandbox = site("bad", CHECK, "  notifies = [task.reload.run]\n");
    assert_eq!(sandbox.run(&["apply"]).code, Some(1));
    is_as_before(&sandbox);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// A change that cannot be put back was visible: its handler runs when the group is verified.
#[test]
fn a_member_that_is_not_put_back_stays_pending_until_the_group_is_verified() {
    let more = "  task \"once\" {\n    check    = \"test -e ${path.cwd}/once\"\n    apply    = \"touch ${path.cwd}/once\"\n    notifies = [task.reload.run]\n  }\n";
    let sandbox = site("bad", CHECK, more);
    assert_eq!(sandbox.run(&["apply"]).code, Some(1));
    let listed = sandbox.run(&["pending"]);
    assert!(listed.stdout.contains("task[\"verify site\"] run, since "), "{}", listed.stdout);
    assert!(listed.stdout.contains("task.reload run, since "), "{}", listed.stdout);
    sandbox.write("site.hcl", sandbox.read("site.hcl").replace("bad\\n", "good\\n"));
    let ran = sandbox.run(&["apply"]);
    assert_eq!((ran.code, &*sandbox.read("reloaded")), (Some(0), "reload\n"), "{}{}", ran.stdout, ran.stderr);
    sandbox.run(&["pending"]).check(0, "No notification is pending.\n", "");
}

/// Otherwise the members would count as verified.
#[test]
fn a_verification_is_not_paused() {
    let sandbox = site("bad", CHECK, "");
    assert_eq!(sandbox.run(&["pause", "task"]).code, Some(0));
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    is_as_before(&sandbox);
}

/// The previous content is Uphold's own work: neither drift, nor a change since the last apply.
#[test]
fn a_change_that_was_put_back_is_no_drift() {
    let site = |content: &str, verify: &str| {
        format!(
            "sequence \"site\" {{\n  verify = \"{verify}\"\n  file \"a\" {{\n    path = \"${{path.cwd}}/a.conf\"\n    \
             content = \"{content}\\n\"\n  }}\n}}\n"
        )
    };
    let sandbox = Sandbox::with(site("one", "true"));
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).code, Some(0));
    sandbox.write("site.hcl", site("two", "false"));
    assert_eq!(sandbox.run(&["apply", "site.hcl"]).code, Some(1));
    assert_eq!(sandbox.read("a.conf"), "one\n");
    let drift = sandbox.run(&["drift", "site.hcl"]);
    assert_eq!(drift.code, Some(0), "{}", drift.stdout);
    sandbox.write("site.hcl", "removed {\n  from    = file.a\n  destroy = true\n}\n");
    let removed = sandbox.run(&["apply", "site.hcl"]);
    assert_eq!(removed.code, Some(0), "{}", removed.stderr);
    assert!(!sandbox.path("a.conf").exists(), "{}{}", removed.stdout, removed.stderr);
}
