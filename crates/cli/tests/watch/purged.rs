//! A file that is written in a purged directory.

use std::time::Duration;

use crate::session::{Ground, Session};

/// A purged directory with a file whose candidate is verified by a slow command.
fn ground(verify: &str) -> Ground {
    let ground = Ground::with("");
    let directory = ground.path("root/d");
    let site = format!(
        "directory \"{0}\" {{ purge = true }}\n\
         file \"{0}/a\" {{\n  content = \"one\\n\"\n  verify  = \"{verify}\"\n}}\n",
        directory.display()
    );
    ground.save("site.hcl", &site);
    ground
}

fn watching(ground: &Ground) -> Session {
    let mut session = Session::start(ground.command(&["--plain", "site.hcl"]));
    session.await_line("watching ");
    session
}

/// Waits until the directory has been checked once more, because a watch that is ended before a due check fails.
#[track_caller]
fn await_purge(ground: &Ground, session: &mut Session) {
    ground.write("root/d/foreign", "");
    session.await_line(": purge, because");
}

#[test]
fn the_candidate_of_a_file_is_not_purged() {
    let ground = ground("sleep 0.5; test -e {}");
    let mut session = watching(&ground);
    assert_eq!(ground.read("root/d/a"), "one\n");
    for round in 0..3 {
        ground.write("root/d/a", &format!("drift {round}"));
        ground.await_content("root/d/a", "one\n");
        session.await_line("repaired");
    }
    await_purge(&ground, &mut session);
    let (code, said) = session.end();
    let said = said.join("\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("uphold-") && said.contains("everything is as declared"), "{said}");
}

#[test]
fn quick_repairs_do_not_wake_the_purge_by_temporaries() {
    let ground = ground("test -s {}");
    let mut session = watching(&ground);
    for round in 0..30 {
        ground.write("root/d/a", &format!("drift {round}"));
        ground.await_content("root/d/a", "one\n");
    }
    // The content is correct before its repair is reported; a missing file is mentioned only by its last repair.
    std::fs::remove_file(ground.path("root/d/a")).expect("it was repaired");
    session.await_line("was missing");
    await_purge(&ground, &mut session);
    let (code, said) = session.end();
    let said = said.join("\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("uphold-") && !said.contains("/d/#"), "{said}");
}

/// A run that is killed during verification leaves its candidate; the next one removes it.
#[test]
fn the_candidate_of_a_killed_run_is_removed_by_the_next() {
    let ground = ground("kill -9 $PPID; sleep 5");
    let mut session = Session::start(ground.command(&["--plain", "site.hcl"]));
    session.ended_within(Duration::from_secs(20));
    let names = || {
        let entries = std::fs::read_dir(ground.path("root/d")).expect("a directory");
        entries.map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>()
    };
    assert_eq!(names().len(), 1, "{:?}", names());
    ground.save("site.hcl", &ground.read("site.hcl").replace("kill -9 $PPID; sleep 5", "true"));
    let session = watching(&ground);
    assert_eq!(names(), ["a"]);
    assert!(!session.said.join("\n").contains("uphold-"));
}
