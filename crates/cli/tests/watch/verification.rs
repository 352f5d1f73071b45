//! `verify` of a group in a watch.

use super::session::{Sandbox, Session};

const SITE: &str = r#"
task "reload" {
  apply  = "echo reload >> ${path.cwd}/reloaded"
  action = "nothing"
}
sequence "site" {
  verify = "test -e ${path.cwd}/valid"

  file "a" {
    path     = "${path.cwd}/a"
    content  = "declared\n"
    notifies = [task.reload.run]
  }
}
"#;

/// The repair is undone as long as the verification fails, and made again when it succeeds.
#[test]
fn a_repair_that_fails_its_verification_is_undone_until_it_succeeds() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("valid", "");
    let mut session = Session::start(sandbox.command(&[]));
    session.await_line("watching ");
    assert_eq!(sandbox.read("reloaded"), "reload\n");
    std::fs::remove_file(sandbox.path("valid")).expect("it existed");
    sandbox.save("a", "drift\n");
    session.await_line("put back: file.a");
    sandbox.await_content("a", "drift\n");
    assert_eq!(sandbox.read("reloaded"), "reload\n");
    sandbox.write("valid", "");
    sandbox.await_content("a", "declared\n");
    sandbox.await_content("reloaded", "reload\nreload\n");
    session.end();
}

#[test]
fn a_first_run_that_fails_its_verification_is_repeated() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("a", "old\n");
    let mut session = Session::start(sandbox.command(&[]));
    session.await_line("put back: file.a");
    session.await_line("watching ");
    sandbox.write("valid", "");
    sandbox.await_content("a", "declared\n");
    sandbox.await_content("reloaded", "reload\n");
    session.end();
}

/// A dependent outside the group starts when the verification succeeds, not before.
#[test]
fn a_dependent_of_a_member_waits_until_the_verification_succeeds() {
    let dependent = r#"
task "start" {
  depends_on = [file.a]
  check      = "test -e ${path.cwd}/started"
  apply      = "cat ${path.cwd}/a > ${path.cwd}/started"
}
"#;
    let sandbox = Sandbox::with(&format!("{SITE}{dependent}"));
    sandbox.write("a", "old\n");
    let mut session = Session::start(sandbox.command(&[]));
    session.await_line("put back: file.a");
    session.await_line("watching ");
    assert!(!sandbox.path("started").exists());
    sandbox.write("valid", "");
    sandbox.await_content("started", "declared\n");
    session.end();
}

/// The next watch verifies what a killed one changed, even if the group has another name, and notifies when that succeeds.
#[test]
fn a_killed_verification_is_repeated_until_it_succeeds() {
    let slow = "echo begun > ${path.cwd}/begun; test ! -e ${path.cwd}/slow || sleep 60; test -e ";
    let site = SITE.replace("test -e ", slow);
    for name in ["site", "web"] {
        let sandbox = Sandbox::with(&site);
        sandbox.write("slow", "");
        let killed = Session::start(sandbox.command(&[]));
        sandbox.await_content("begun", "begun\n");
        drop(killed);
        std::fs::remove_file(sandbox.path("slow")).expect("it existed");
        sandbox.write("site.hcl", &site.replace("\"site\"", &format!("\"{name}\"")));
        let mut session = Session::start(sandbox.command(&[]));
        session.await_line("not put back: an earlier run, which did not end, made the changes");
        session.await_line("watching ");
        assert_eq!(sandbox.read("a"), "declared\n");
        assert!(!sandbox.path("reloaded").exists());
        sandbox.write("valid", "");
        sandbox.await_content("reloaded", "reload\n");
        session.end();
    }
}

/// The rejected content goes live only when the verification is repeated: the writes that put it back wake nothing.
#[test]
fn members_that_were_put_back_wait_for_the_next_verification() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("valid", "");
    let mut session = Session::start(sandbox.command(&[]));
    session.await_line("watching ");
    std::fs::remove_file(sandbox.path("valid")).expect("it existed");
    sandbox.save("a", "drift\n");
    for _ in 0..3 {
        session.await_line("put back file.a");
    }
    let (_, printed) = session.end();
    let repairs: Vec<&String> = printed.iter().filter(|line| line.contains(" repaired file.a")).collect();
    let woken = repairs.iter().filter(|line| line.contains("/a changed")).count();
    assert!(repairs.len() >= 3 && woken == 1, "{repairs:#?}");
    assert!(!printed.iter().any(|line| line.contains(" ran task[\"verify site\"]")), "{printed:#?}");
}
