//! Errors are reported before anything is changed.

use super::check::{SharedHost, engine};
use super::reading::program;

#[track_caller]
fn check(text: &str, expected: &str) {
    let host = SharedHost::new();
    let transcript = program(&engine(&host, 1), text).err().expect("it is unsound");
    assert_eq!(transcript.trim(), expected.trim());
    assert!(host.0.writes().is_empty());
}

#[test]
fn unknown_kind() {
    check("nota \"a\" {}", "a.hcl:1:1 unknown kind: there is no kind `nota` | did you mean `note`?");
}

#[test]
fn unknown_property() {
    check(
        "note \"/d/a\" {\n  txet = \"x\"\n  text = \"y\"\n}",
        "a.hcl:2:3 unknown property: note[\"/d/a\"]: `txet` = \"x\" is not a property of `note` | did you mean `text`?",
    );
}

#[test]
fn an_export_cannot_be_set() {
    check(
        "note \"/d/a\" {\n  length = 1\n  text = \"y\"\n}",
        "a.hcl:2:12 invalid property: note[\"/d/a\"]: `length` = 1 of `note` is an export and cannot be set | remove the line",
    );
}

#[test]
fn a_wrong_type_and_a_missing_property_are_reported_together() {
    check(
        "note \"/d/a\" {\n  copies = \"many\"\n}",
        "a.hcl:1:1 missing property: note[\"/d/a\"]: `text` is required | add `text = …` (string)
a.hcl:2:12 invalid property: note[\"/d/a\"]: `copies` = \"many\" must be a whole number, not a string | write a number",
    );
}

#[test]
fn null_is_not_a_value() {
    check(
        "note \"/d/a\" {\n  text = null\n}",
        "a.hcl:2:10 invalid property: note[\"/d/a\"]: `text` cannot be null | it is required: give it a value, or leave out the block: `when = param.name != null`",
    );
    check(
        "note \"/d/a\" {\n  text = \"\"\n  copies = null\n}",
        "a.hcl:3:12 invalid property: note[\"/d/a\"]: `copies` cannot be null | write `optional(…)` around the value, which leaves it unset if it is null; or leave the line out",
    );
}

#[test]
fn duplicates_show_both_places() {
    check(
        "bad \"b\" {}\nbad \"b\" {}",
        "a.hcl:2:1 duplicate resource: bad.b is declared twice; each resource can be declared only once | give one of them another name, or put all of it into one block
  a.hcl:1:1 first declared here",
    );
}

#[test]
fn cycles_are_shown() {
    check(
        "bad \"a\" {\n  depends_on = [bad.b]\n}\nbad \"b\" {\n  depends_on = [bad.a]\n}",
        "a.hcl:5:17 dependency cycle: bad.b waits for bad.a (depends_on), bad.a waits for bad.b (depends_on) | remove one of these dependencies
  a.hcl:2:17 bad.a waits for bad.b",
    );
}

#[test]
fn references_are_checked_before_the_run() {
    let note = |text: &str| format!("note \"/d/a\" {{\n  text = {text}\n}}");
    check(
        &note("note[\"/d/q\"].text"),
        "a.hcl:2:10 unknown resource: note[\"/d/q\"] is referred to, but not declared | declare it: note \"/d/q\" { … }",
    );
    check(
        &note("bad.b.goood\n}\nbad \"b\" {"),
        "a.hcl:2:10 unknown property in a reference: a bad has no property `goood` | did you mean `good`?",
    );
    check(
        &note("bad.b.name.x\n}\nbad \"b\" {"),
        "a.hcl:2:10 unknown member: bad.b.name.x does not exist: `name` is a string | name a member that exists",
    );
    check(
        &note("note[\"/d/b\"].size.wrods\n}\nnote \"/d/b\" {\n  text = \"x\""),
        "a.hcl:2:10 unknown member: note[\"/d/b\"].size.wrods does not exist | did you mean `words`?",
    );
    check(
        &note("owned.o.by\n}\nowned \"o\" {\n  action = \"nothing\""),
        "a.hcl:2:10 value is never known: no action of owned.o runs, so its values are never known | give it an action, or read a resource that has one",
    );
}

#[test]
fn actions_are_checked() {
    check(
        "note \"/d/a\" {\n  action = \"shuot\"\n}",
        "a.hcl:2:12 unknown action: `note` has no action `shuot` | did you mean \"shout\"?",
    );
    check(
        "bad \"b\" {\n  action = \"remove\"\n}",
        "a.hcl:2:12 unknown action: `bad` has no action `remove` | choose one of converge, nothing",
    );
}

#[test]
fn depends_on_an_undeclared_resource() {
    check(
        "bad \"a\" {\n  depends_on = [bad.nobody]\n}",
        "a.hcl:2:17 unknown resource: bad.nobody is named in depends_on, but not declared | declare it: bad \"nobody\" { … }",
    );
}

#[test]
fn a_path_can_be_declared_only_once() {
    check(
        "note \"/d/a\" {\n  text = \"x\"\n}\nnote \"b\" {\n  path = \"/d//a\"\n  text = \"y\"\n}",
        "a.hcl:4:1 managed by two resources: note[\"/d/a\"] and note.b both manage path /d/a | remove one of the two blocks, and set its properties in the other one
  a.hcl:1:1 also managed here",
    );
}

#[test]
fn nothing_can_be_declared_inside_a_removed_directory() {
    check(
        "folder \"/d/x\" { action = \"remove\" }\nnote \"/d/x/a\" {\n  text = \"x\"\n}",
        "a.hcl:2:1 depends on a removed resource: note[\"/d/x/a\"] needs path /d/x, which folder[\"/d/x\"] removes | remove both, or neither
  a.hcl:1:1 removed here",
    );
}

#[test]
fn a_sensitive_block_shows_neither_value_nor_line() {
    check(
        "note \"/d/a\" {\n  sensitive = true\n  text = \"x\"\n  copies = \"hunter2\"\n}",
        "a.hcl:1:1 invalid property: note[\"/d/a\"]: `copies` = (sensitive value) must be a whole number, not a string | write a number",
    );
}

#[test]
fn a_meta_argument_can_be_suggested() {
    check(
        "note \"/d/a\" {\n  text = \"x\"\n  depend_on = []\n}",
        "a.hcl:3:3 unknown property: note[\"/d/a\"]: `depend_on` = [] is not a property of `note` | did you mean `depends_on`?",
    );
}

#[test]
fn many_errors_are_cut_short() {
    let text: String =
        (0..5_000).map(|i| format!("bad \"b{i}\" {{\n  depends_on = [bad.q{i}]\n}}\n")).collect();
    let transcript = program(&engine(&SharedHost::new(), 1), &text).err().expect("it is unsound");
    assert_eq!(transcript.lines().count(), 101);
    assert!(
        transcript.ends_with("too many problems: 4900 more are not shown | fix the problems above first\n"),
        "{transcript}"
    );
}

#[test]
fn each_further_owner_of_a_path_is_reported_with_the_first() {
    let note = |name: &str| format!("note \"{name}\" {{\n  path = \"/d/a\"\n  text = \"x\"\n}}\n");
    check(
        &["a", "b", "c"].map(note).concat(),
        "a.hcl:5:1 managed by two resources: note.a and note.b both manage path /d/a | remove one of the two blocks, and set its properties in the other one
  a.hcl:1:1 also managed here
a.hcl:9:1 managed by two resources: note.a and note.c both manage path /d/a | remove one of the two blocks, and set its properties in the other one
  a.hcl:1:1 also managed here",
    );
}

/// Two resources, and blocks that name them or previous ones.
#[track_caller]
fn check_moves(blocks: &str, expected: &str) {
    check(&format!("{blocks}\nbad \"b\" {{}}\nbad \"each\" {{ for_each = [\"x\", \"y\"] }}\n"), expected);
}

#[test]
fn moved_and_removed_blocks_agree_with_the_declarations() {
    check_moves(
        "moved {\n  from = bad.b\n  to = bad.each\n}",
        "a.hcl:2:10 still declared: bad.b is still declared | remove this block, or the declaration
  a.hcl:5:1 declared here",
    );
    check_moves(
        "removed { from = bad.each }",
        "a.hcl:1:18 still declared: bad.each is still declared | remove this block, or the declaration
  a.hcl:3:1 declared here",
    );
    check_moves(
        "moved {\n  from = bad.a\n  to = bad.bb\n}",
        "a.hcl:3:8 unknown resource: `moved` names bad.bb, which is not declared | did you mean bad.b?",
    );
    check_moves(
        "moved {\n  from = bad.a\n  to = bad.b\n}\nremoved { from = bad.a }",
        "a.hcl:5:18 moved or removed twice: bad.a is moved or removed by two blocks | keep one of the blocks
  a.hcl:2:10 first written here",
    );
    check_moves(
        "moved {\n  from = bad.p\n  to = bad.q\n}\nmoved {\n  from = bad.q\n  to = bad.p\n}",
        "a.hcl:2:10 circular definition: bad.p moves back to itself | remove the block of the older move",
    );
}

#[test]
fn chains_and_added_keys_are_moves() {
    let host = SharedHost::new();
    let text = "moved {\n  from = bad.p\n  to = bad.q\n}\nmoved {\n  from = bad.q\n  to = bad.b\n}
moved {\n  from = bad.each\n  to = bad.each[\"x\"]\n}\nremoved { from = module.old }
settings { on_removal = \"revert\" }\nbad \"b\" {}\nbad \"each\" { for_each = [\"x\", \"y\"] }\n";
    let program = program(&engine(&host, 1), text).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((program.moved().len(), program.removed().len()), (3, 1));
    assert_eq!(program.settings().on_removal, uphold_model::OnRemoval::Revert);
}

/// The key is added to a module call or a block that still exists without one.
#[test]
fn a_single_resource_beside_its_keys_is_still_declared() {
    check(
        "moved {\n  from = bad.one\n  to = bad.one[\"x\"]\n}\nbad \"one\" {}",
        "a.hcl:2:10 still declared: bad.one is still declared | remove this block, or the declaration
  a.hcl:5:1 declared here
a.hcl:3:8 unknown resource: `moved` names bad.one[\"x\"], which is not declared | name a declared resource; if there is none, write a `removed` block",
    );
}
