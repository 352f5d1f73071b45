//! Errors in a manifest or in the use of its kind are reported with their location.

use std::path::Path;

use super::example::EXAMPLE;
use crate::binary::{Run, uphold};

/// Validates a configuration with these kinds beside it.
fn validate(configuration: &str, kinds: &[(&str, &str)]) -> Run {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("main.hcl", configuration);
    kinds.iter().for_each(|(name, text)| write(&format!("kinds/{name}"), text));
    uphold(["validate", directory.path().to_str().expect("a plain path")])
}

fn git_setting() -> String {
    std::fs::read_to_string(Path::new(EXAMPLE).join("kinds/git_setting.dsc.resource.json"))
        .expect("it exists")
}

#[track_caller]
fn check(run: &Run, code: i32, expected: &[&str]) {
    let message = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{message}");
    expected.iter().for_each(|words| assert!(message.contains(words), "{words} is not in\n{message}"));
}

#[test]
fn a_mistake_in_a_manifest_is_shown_where_it_is() {
    let broken =
        git_setting().replace("\"input\": \"env\" },\n  \"set\"", "\"input\": \"evn\" },\n  \"set\"");
    let run = validate("", &[("git_setting.dsc.resource.json", &broken)]);
    check(
        &run,
        0,
        &[
            "unusable manifest",
            "`get.input` = \"evn\" is unknown",
            "git_setting.dsc.resource.json:6",
            "`env`",
        ],
    );
    let run = validate("", &[("git_setting.dsc.resource.json", "{\n  \"type\": \n}")]);
    check(&run, 0, &["this is not JSON", "git_setting.dsc.resource.json:3"]);
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let run = validate("", &[("a.dsc.resource.json", "{}"), ("b.dsc.resource.yaml", "type: 3")]);
    check(&run, 0, &["a.dsc.resource.json:1", "b.dsc.resource.yaml:1"]);
}

#[test]
fn a_wrong_value_is_refused_before_anything_runs() {
    let manifest = git_setting();
    let kinds = [("git_setting.dsc.resource.json", manifest.as_str())];
    let run = validate("git_setting \"nodot\" {\n  file = \"relative\"\n  valeu = \"x\"\n}\n", &kinds);
    check(&run, 1, &["main.hcl:2", "must match", "did you mean `value`?"]);
    let run = validate("git_setting \"a.b\" {}\n", &kinds);
    check(&run, 1, &["`file` is required"]);
}
