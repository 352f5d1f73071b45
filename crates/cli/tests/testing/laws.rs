//! `uphold test --laws`.

use crate::binary::{Run, uphold};

const NOTE: &str = "properties.path = { type = \"path\", name = true }\n\
    properties.text = { type = \"string\", default = \"\" }\n\
    properties.mode = { type = \"mode\", default = \"0644\" }\n\
    function load_current_value(current)\n\
    if not fs.exists(path) then current_value_does_not_exist() end\n\
    current.text = fs.read(path)\ncurrent.mode = fs.stat(path).mode\nend\n\
    function actions.create()\n\
    if current == nil then fs.write(path, text, { mode = mode }) return end\n\
    converge_if_changed(\"text\", function() fs.write(path, text) end)\n\
    converge_if_changed(\"mode\", function() fs.chmod(path, mode) end)\nend\n\
    function actions.remove() fs.remove(path) end\n";

const LAWS: &str = "laws = { examples = {\n\
    { path = \"/srv/a/note\", text = \"hello\", mode = \"0640\" },\n\
    { path = \"/srv/a/note\", text = \"other\" },\n},\n\
    given = { directories = { \"/srv/a\" }, users = { \"app\" } } }\n";

/// Tests the laws of a kind with this text.
fn laws(text: &str, more: &[&str]) -> Run {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let file = directory.path().join("note.luau");
    std::fs::write(&file, text).expect("a file for the test");
    let file = file.to_str().expect("a plain path").to_owned();
    let run = uphold([&["test", "--laws", &file][..], more].concat());
    let directory = directory.path().to_str().expect("a plain path");
    Run { out: run.out.replace(directory, "kinds"), err: run.err.replace(directory, "kinds"), ..run }
}

#[test]
fn a_correct_kind_keeps_all_laws() {
    let run = laws(&format!("{NOTE}{LAWS}"), &[]);
    assert_eq!((run.code, &*run.err), (0, ""), "{}", run.out);
    assert!(run.out.starts_with("kinds/note.luau\n  ok    check_writes_nothing\n"), "{}", run.out);
    assert!(run.out.ends_with("\n17 tests: 16 passed, 0 failed, 1 not tested.\n"), "{}", run.out);
}

#[test]
fn a_broken_law_is_reported_with_its_reproduction() {
    let wrong = NOTE.replace("fs.chmod(path, mode)", "log.info(mode)");
    let run = laws(&format!("{wrong}{LAWS}"), &[]);
    assert_eq!(run.code, 1, "{}", run.out);
    for part in [
        "  FAIL  apply_then_check_is_converged\n",
        "the law `apply_then_check_is_converged` is broken by note \"/srv/a/note\"",
        "to test it again: uphold test --laws kinds/note.luau --filter apply_then_check_is_converged",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let one = laws(&format!("{wrong}{LAWS}"), &["--filter", "apply_then_check"]);
    assert!(one.code == 1 && one.out.contains("1 test: 0 passed, 1 failed."), "{}", one.out);
}

/// A law that is not tested is not reported as kept.
#[test]
fn an_untested_law_says_why() {
    let check = |text: &str, expected: &str| {
        let run = laws(&format!("{text}{LAWS}"), &[]);
        assert!(run.out.contains(expected), "{}", run.out);
    };
    check(NOTE, "  --    a_batch_equals_separate_applies   (not applicable: the kind has no batches)\n");
    check(NOTE, " passed, 0 failed, 1 not tested.");
    check(
        &NOTE.replace("function actions.remove() fs.remove(path) end\n", ""),
        "  --    load_finds_nothing_after_remove   (not applicable: the kind has no `remove`)\n",
    );
    check(
        &NOTE.replace("fs.write(path, text, { mode = mode })", ""),
        "  --    an_unset_property_survives   (not tested, because no example converges: see the law that failed)\n",
    );
}

#[test]
fn misuse_of_laws_is_explained() {
    let check = |more: &str, expected: &str| {
        let run = laws(&format!("{NOTE}{more}"), &[]);
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(run.err.contains(expected), "{}{}", run.out, run.err);
    };
    check("", "`note` has no examples to test the laws with: laws = { examples = { { path = … }, … } }");
    check("laws = { example = {} }", "laws has no field `example`; did you mean `examples`?");
    check("laws = { examples = { { text = \"x\" } } }", "laws.examples[1]: `path` is missing");
    check(
        "laws = { examples = { { path = \"/x\", txt = 1 } } }",
        "laws.examples[1]: there is no property `txt`; did you mean `text`?",
    );
    check("laws = { examples = { 7 } }", "laws.examples must be a list of tables");
    check("laws = { given = { directories = \"/x\" } }", "laws.given.directories must be a list of strings");
    check("local x = = 1", "expected");
}
