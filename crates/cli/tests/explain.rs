//! `uphold explain` as people and `cargo xtask generate` see it.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs the real binary")]

mod binary;

use binary::uphold;

fn kinds() -> Vec<String> {
    let list = uphold(["explain", "--list"]);
    assert_eq!(list.code, 0, "{}", list.err);
    list.out.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn the_list_names_each_kind_on_a_line_with_its_summary() {
    let list = uphold(["explain", "--list"]).out;
    assert!(list.lines().any(|line| line == "file  One regular file."), "{list}");
    assert!(list.lines().all(|line| line.split_whitespace().count() > 1), "{list}");
    let all = uphold(["explain"]).out;
    assert!(kinds().iter().all(|kind| all.contains(&format!("\n  {kind} "))), "{all}");
}

#[test]
fn every_kind_has_a_page_that_names_every_property() {
    for kind in kinds() {
        let json = uphold(["explain", &kind, "--json"]);
        let schema: serde_json::Value = serde_json::from_str(&json.out).expect("one object");
        let page = uphold(["explain", &kind]);
        assert_eq!((page.code, page.err.as_str()), (0, ""));
        for property in schema["properties"].as_array().expect("a list") {
            let name = property["name"].as_str().expect("text");
            assert!(page.out.contains(&format!("\n  {name}  ")), "{kind}.{name} in {}", page.out);
            let own = uphold(["explain", &format!("{kind}.{name}")]);
            assert_eq!(own.code, 0, "{}", own.err);
            assert!(own.out.starts_with(&format!("{kind}.{name}\n\n")), "{}", own.out);
        }
        assert!(page.out.lines().all(|line| line.chars().count() <= 80), "{}", page.out);
    }
}

#[test]
fn markdown_begins_with_the_summary() {
    for kind in kinds() {
        let page = uphold(["explain", &kind, "--markdown"]).out;
        let mut lines = page.lines().filter(|line| !line.is_empty());
        assert_eq!(lines.next(), Some(&*format!("# {kind}")));
        let first = lines.next().expect("a summary");
        assert!(!first.starts_with('#') && first.contains('.'), "{page}");
        assert!(page.contains("\n| property | type | role | set | what it means |\n"), "{page}");
        assert!(page.contains("\n```hcl\n"), "{page}");
    }
}

#[test]
fn a_property_page_says_what_plan_and_apply_do_with_it() {
    let check = |topic: &str, words: &[&str]| {
        let page = uphold(["explain", topic]).out.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in words {
            assert!(page.contains(part), "{part} in {page}");
        }
    };
    check(
        "file.mode",
        &["octal or symbolic", "`mode = \"0644\"`", "Role state.", "what is created gets `\"0644\"`"],
    );
    check("file.content", &["Set at most one of `content` and `source`."]);
    check("file.backups", &["Role setting.", "never compared", "Unless set `0`."]);
    check("file.path", &["Role name.", "the block's label"]);
    check("file.sha256", &["Role export.", "cannot be set"]);
    check("link.to", &["Error: it is required."]);
    check("task.status.stdout", &["Role export."]);
}

#[test]
fn what_is_not_there_is_an_error_with_a_suggestion() {
    let check = |topic: &str, message: &str, hint: &str| {
        let run = uphold(["explain", topic]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{topic}");
        assert!(run.err.contains(message) && run.err.contains(hint), "{}", run.err);
    };
    check("fiel", "there is no kind `fiel`", "did you mean `file`?");
    check("banana", "there is no kind `banana`", "`uphold explain` lists all kinds");
    check("file.mdoe", "`file` has no property `mdoe`", "did you mean `mode`?");
    check("file.", "`file` has no property ``", "`uphold explain file` lists its properties");
}

#[test]
fn colour_is_there_when_asked_for() {
    assert!(uphold(["explain", "file", "--color", "always"]).out.starts_with("\u{1b}[1mfile\u{1b}[0m\n"));
    assert!(!uphold(["explain", "file"]).out.contains('\u{1b}'));
}
