//! What people write who come from other tools, and what a plan tells them.

use crate::ground::Ground;

#[track_caller]
fn check(configuration: &str, help: &str) {
    let ran = Ground::with(configuration).rooted(&["validate"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("= help: {help}\n")), "{}", ran.stderr);
}

#[test]
fn words_of_other_tools_are_known() {
    check("dir \"/x\" {}\n", "did you mean `directory`?");
    check("exec \"x\" {}\n", "did you mean `task`?");
    check("lineinfile \"x\" {}\n", "did you mean `line`?");
    check("FILE \"/x\" {}\n", "did you mean `file`?");
    check("file \"/x\" { src = \"/y\" }\n", "did you mean `source`?");
    check("link \"/x\" {\n  to = \"y\"\n  target = \"y\"\n}\n", "did you mean `to`?");
    check("line \"x\" {\n  file = \"/y\"\n  line = \"z\"\n  regexp = \"z\"\n}\n", "did you mean `match`?");
    let remove = "what is declared is held; to remove it, write `action = \"remove\"`";
    check("file \"/x\" { state = \"absent\" }\n", remove);
    check("file \"/x\" { ensure = \"absent\" }\n", remove);
}

/// What apply would fail with, as far as looking can tell.
#[test]
fn a_plan_does_not_promise_what_cannot_be_made() {
    let plan = |configuration: &str| Ground::with(configuration).rooted(&["plan"]);
    for configuration in
        ["file \"/no/a\" {}\n", "link \"/no/a\" { to = \"b\" }\n", "directory \"/no/a\" {}\n"]
    {
        let ran = plan(configuration);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("/no/a cannot be created: /no does not exist"), "{}", ran.stderr);
    }
    assert_eq!(plan("file \"/no/a\" {}\ndirectory \"/no\" {}\n").code, Some(2));
    assert_eq!(plan("directory \"/no/a\" { recursive = true }\n").code, Some(2));
    assert_eq!(plan("file \"/no/a\" { action = \"remove\" }\n").code, Some(0));
}
