//! Resources that are no longer declared are removed once, at the start and at each reload.

use super::session::Sandbox;

fn site(files: &[&str]) -> String {
    let file = |name: &&str| format!("file \"/{name}\" {{ content = \"{name}\" }}\n");
    "settings { on_removal = \"remove\" }\n".to_owned() + &files.iter().map(file).collect::<String>()
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
