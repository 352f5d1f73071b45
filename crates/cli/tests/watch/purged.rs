//! A file that is written in a purged directory.

use std::time::Duration;

use super::session::{Sandbox, Session};

/// A purged directory with a file whose candidate is verified by a slow command.
fn sandbox(verify: &str) -> Sandbox {
    let sandbox = Sandbox::with("");
    let directory = sandbox.path("root/d");
    let site = format!(
        "directory \"{0}\" {{ purge = true }}\n\
         file \"{0}/a\" {{\n  content = \"one\\n\"\n  verify  = \"{verify}\"\n}}\n",
        directory.display()
    );
    sandbox.save("site.hcl", &site);
    sandbox
}

fn watching(sandbox: &Sandbox) -> Session {
    let mut session = Session::start(sandbox.command(&["--plain", "site.hcl"]));
    session.await_line("watching ");
    session
}

/// Waits until the directory has been checked once more, because a watch that is ended before a due check fails.
#[track_caller]
fn await_purge(sandbox: &Sandbox, session: &mut Session) {
    sandbox.write("root/d/foreign", "");
    session.await_line(": purge, because");
}

#[test]
fn the_candidate_of_a_file_is_not_purged() {
    let sandbox = sandbox("sleep 0.5; test -e {}");
    let mut session = watching(&sandbox);
    assert_eq!(sandbox.read("root/d/a"), "one\n");
    for round in 0..3 {
        sandbox.write("root/d/a", &format!("drift {round}"));
        sandbox.await_content("root/d/a", "one\n");
        session.await_line("repaired");
    }
    await_purge(&sandbox, &mut session);
    let (code, printed) = session.end();
    let printed = printed.join("\n");
    assert_eq!(code, Some(0), "{printed}");
    assert!(!printed.contains("uphold-") && printed.contains("everything is as declared"), "{printed}");
}

#[test]
fn quick_repairs_do_not_wake_the_purge_by_temporaries() {
    let sandbox = sandbox("test -s {}");
    let mut session = watching(&sandbox);
    for round in 0..30 {
        sandbox.write("root/d/a", &format!("drift {round}"));
        sandbox.await_content("root/d/a", "one\n");
    }
    // The content is correct before its repair is reported; a missing file is mentioned only by its last repair.
    std::fs::remove_file(sandbox.path("root/d/a")).expect("it was repaired");
    session.await_line("was missing");
    await_purge(&sandbox, &mut session);
    let (code, printed) = session.end();
    let printed = printed.join("\n");
    assert_eq!(code, Some(0), "{printed}");
    assert!(!printed.contains("uphold-") && !printed.contains("/d/#"), "{printed}");
}

/// A run that is killed during verification leaves its candidate; the next one removes it.
#[test]
fn the_candidate_of_a_killed_run_is_removed_by_the_next() {
    let sandbox = sandbox("kill -9 $PPID; sleep 5; test -e {}");
    let mut session = Session::start(sandbox.command(&["--plain", "site.hcl"]));
    session.ended_within(Duration::from_secs(20));
    let names = || {
        let entries = std::fs::read_dir(sandbox.path("root/d")).expect("a directory");
        entries.map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>()
    };
    assert_eq!(names().len(), 1, "{:?}", names());
    sandbox.save("site.hcl", &sandbox.read("site.hcl").replace("kill -9 $PPID; sleep 5; ", ""));
    let session = watching(&sandbox);
    assert_eq!(names(), ["a"]);
    assert!(!session.printed.join("\n").contains("uphold-"));
}
