//! Values that are passed from one resource to another.

use uphold_engine::Mode::Apply;

use super::check::SharedHost;
use super::expression::template;
use super::script::{Script, block, id, note, same};

fn pair(text: &str) -> Script {
    let b = block(id("note", "/d/b")).with("text", template(&id("note", "/d/a"), "length"));
    note("/d/a", text).and(b)
}

/// The value is the same as before, so the reader is as declared.
#[test]
fn equal_values_change_no_reader() {
    let host = SharedHost::new();
    pair("ab").run(&host, Apply);
    same(
        &pair("cd").run(&host, Apply),
        r#"~ note["/d/a"] text: "ab" -> "cd"
        = note["/d/b"]
        1 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

/// A run compares with the machine, not with earlier values: a change that a reader missed is made next time.
#[test]
fn a_change_that_a_reader_missed_is_made_by_the_next_run() {
    let host = SharedHost::new();
    pair("ab").run(&host, Apply);
    host.0.fail_after(1);
    let transcript = pair("abc").run(&host, Apply);
    assert!(transcript.contains("1 changed, 1 failed"), "{transcript}");
    same(
        &pair("abc").run(&host, Apply),
        r#"= note["/d/a"]
        ~ note["/d/b"] text: "it is 2" -> "it is 3"
        1 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}
