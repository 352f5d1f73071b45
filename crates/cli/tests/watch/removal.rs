//! Resources that are no longer declared are removed once, at the start and at each reload.

use super::session::{Sandbox, Session};

fn site(files: &[&str]) -> String {
    let file = |name: &&str| format!("file \"/{name}\" {{ content = \"{name}\" }}\n");
    "settings { on_removal = \"remove\" }\n".to_owned() + &files.iter().map(file).collect::<String>()
}

/// A file of the configuration may be missing for a moment: nothing is removed, and everything else goes on.
#[test]
fn a_reload_that_would_remove_too_much_removes_nothing() {
    let sandbox = Sandbox::with(&site(&["a", "b", "c", "d"]));
    let mut session = sandbox.watching(&["site.hcl"]);
    sandbox.save("site.hcl", &site(&["e"]));
    session.await_line("4 resources are no longer declared and were left unchanged: ");
    session
        .await_line("not removed: file[\"/a\"]: 4 removals at once look like a mistake; --allow-removals 4 ");
    session.await_line("changed file[\"/e\"]");
    sandbox.write("root/e", "drift");
    session.await_line("repaired file[\"/e\"]");
    for name in ["a", "b", "c", "d"] {
        assert_eq!(sandbox.read(&format!("root/{name}")), name);
    }
    sandbox.save("site.hcl", &site(&["a", "b", "c", "e"]));
    session.await_line("removed file[\"/d\"]: no longer declared, because site.hcl changed");
    assert!(!sandbox.path("root/d").exists() && sandbox.path("root/a").exists());
    assert_eq!(session.end().0, Some(0));
    sandbox.save("site.hcl", &site(&["f"]));
    let refused = sandbox.watching(&["site.hcl"]);
    assert!(sandbox.path("root/a").exists(), "{:?}", refused.printed);
    assert_eq!(refused.end().0, Some(0));
    let allowed = sandbox.watching(&["--allow-removals", "4", "site.hcl"]);
    for name in ["a", "b", "c", "e"] {
        assert!(!sandbox.path(&format!("root/{name}")).exists(), "{name}: {:?}", allowed.printed);
    }
    assert_eq!(sandbox.read("root/f"), "f");
}

#[test]
fn a_paused_removal_is_made_when_the_pause_ends() {
    let sandbox = Sandbox::with(&site(&["a", "b", "c"]));
    let mut session = sandbox.watching(&["site.hcl"]);
    sandbox.pause("file[\"/c\"]");
    sandbox.save("site.hcl", &site(&["a", "b"]));
    session.await_line(" not removed file[\"/c\"]: no longer declared, because site.hcl changed");
    assert_eq!(sandbox.read("root/c"), "c");
    sandbox.write("root/a", "drift");
    sandbox.await_content("root/a", "a");
    sandbox.resume();
    session.await_line(" removed file[\"/c\"]: no longer declared, because a pause ended");
    assert!(!sandbox.path("root/c").exists());
}

/// Removals are decided when the pause ends: the file may have been changed meanwhile.
#[test]
fn a_paused_removal_of_a_changed_file_is_refused_when_the_pause_ends() {
    let sandbox = Sandbox::with(&site(&["a", "b", "c"]));
    let mut session = sandbox.watching(&["site.hcl"]);
    sandbox.pause("file[\"/c\"]");
    sandbox.save("site.hcl", &site(&["a", "b"]));
    session.await_line(" not removed file[\"/c\"]: no longer declared, because site.hcl changed");
    sandbox.write("root/c", "precious");
    sandbox.resume();
    session.await_line("not removed: file[\"/c\"]: changed since it was applied");
    assert_eq!(sandbox.read("root/c"), "precious");
}

#[test]
fn removals_are_made_at_the_start_and_at_each_reload() {
    let sandbox = Sandbox::with(&site(&["a", "b", "c"]));
    let mut session = sandbox.watching(&["site.hcl"]);
    sandbox.save("site.hcl", &site(&["a", "b"]));
    session.await_line("removed file[\"/c\"]: no longer declared, because site.hcl changed");
    assert!(!sandbox.path("root/c").exists());
    sandbox.save("site.hcl", &site(&["a", "b", "d"]));
    session.await_line("changed file[\"/d\"]");
    // The removed file is of no concern any more.
    sandbox.write("root/c", "of another program");
    sandbox.write("root/a", "drift");
    session.await_line("repaired file[\"/a\"]");
    assert_eq!(sandbox.read("root/c"), "of another program");
    assert_eq!(session.end().0, Some(0));
    sandbox.save("site.hcl", &site(&["a", "d"]));
    let session = sandbox.watching(&["site.hcl"]);
    assert!(!sandbox.path("root/b").exists(), "{:?}", session.printed);
    assert_eq!(sandbox.read("root/c"), "of another program");
}

/// The first run of the watch records its changes at its end: a repair before that must not hide the creation.
#[test]
fn a_file_that_was_created_and_repaired_in_the_first_run_is_removed() {
    let rest = r#"settings { on_removal = "remove" }
task "slow" {
  creates = "${path.cwd}/done"
  apply   = "until test -e ${path.cwd}/go; do sleep 0.05; done; touch ${path.cwd}/done"
}
"#;
    let file = "file \"e\" {\n  path    = \"${path.cwd}/e\"\n  content = \"e\"\n}\n";
    let sandbox = Sandbox::with(&format!("{file}{rest}"));
    let mut session = Session::start(sandbox.command(&[]));
    sandbox.await_content("e", "e");
    sandbox.write("e", "drift");
    sandbox.await_content("e", "e");
    sandbox.write("go", "");
    session.await_line("watching ");
    session.end();
    sandbox.write("site.hcl", rest);
    let mut session = Session::start(sandbox.command(&[]));
    session.await_line("watching ");
    assert!(!sandbox.path("e").exists(), "{:?}", session.printed);
}
