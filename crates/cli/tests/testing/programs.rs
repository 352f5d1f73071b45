//! Output for programs: JSON lines and reports.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::{Run, uphold};

const CONFIGURATION: &str = "file \"/etc/motd\" {\n  content = \"hi\\n\"\n}\n";

const TESTS: &str = r#"
test "passes" {
  expect {
    creates = [file["/etc/motd"]]
  }
}

test "fails & <tells>" {
  expect {
    file "/etc/motd" {
      content = "ho\nho\n"
    }
  }
}
"#;

/// A folder with a configuration and these tests.
fn folder(tests: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("main.hcl"), CONFIGURATION).expect("a file");
    fs::write(folder.path().join("a.test.hcl"), tests).expect("a file");
    folder
}

fn test(folder: &TempDir, arguments: &[&str]) -> Run {
    let mut all = vec!["test".to_owned(), folder.path().display().to_string()];
    all.extend(
        arguments.iter().map(|argument| argument.replace("FOLDER", &folder.path().display().to_string())),
    );
    uphold(all)
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn each_test_is_a_line_and_the_last_one_counts() {
    let run = test(&folder(TESTS), &["--json"]);
    assert_eq!((run.code, &*run.err), (1, ""));
    let lines = lines(&run);
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(kinds, ["version", "test_finished", "test_finished", "tests_finished"]);
    assert_eq!((&lines[1]["test"], &lines[1]["passed"]), (&"passes".into(), &true.into()));
    let mismatch = &lines[2]["mismatches"][0];
    assert_eq!((&mismatch["expected"], &mismatch["actual"]), (&"ho\nho\n".into(), &"hi\n".into()));
    assert_eq!(mismatch["location"]["line"], 11);
    assert_eq!(
        lines[3]["summary"],
        serde_json::json!({ "passed": 1, "failed": 1, "unreadable": 0, "untested": 0 })
    );
    assert_eq!(lines[3]["error"], true);
}

#[test]
fn errors_are_json_lines_too() {
    let run = test(&folder("test \"a\" {\n  expct {}\n}\n"), &["--json"]);
    assert_eq!(run.code, 1);
    let lines = lines(&run);
    assert_eq!(lines[1]["diagnostic"]["fix"], "did you mean `expect`?");
    assert_eq!(lines[2]["summary"]["unreadable"], 1);
    let none = test(&folder("given {}\n"), &["--json"]);
    assert_eq!(none.code, 1);
    assert_eq!(self::lines(&none)[0]["diagnostic"]["detail"], "these files contain no test");
}

#[test]
fn a_report_is_junit_by_its_name() {
    let folder = folder(TESTS);
    let run = test(&folder, &["--report", "FOLDER/r.xml", "--report", "FOLDER/r.json", "-q"]);
    assert_eq!(run.code, 1);
    let xml = fs::read_to_string(folder.path().join("r.xml")).expect("it is written");
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    assert!(xml.contains("name=\"fails &amp; &lt;tells&gt;\""), "{xml}");
    assert!(xml.contains("expected:\nho\nho\n\nfound:\nhi\n</failure>"), "{xml}");
    let json = fs::read_to_string(folder.path().join("r.json")).expect("it is written");
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!((&json["format_version"], json["tests"].as_array().map(Vec::len)), (&"2.1".into(), Some(2)));
}

#[test]
fn a_report_in_a_missing_directory_is_refused_before_any_test() {
    let run = test(&folder(TESTS), &["--report", "FOLDER/no/r.xml"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(run.err.contains("its directory does not exist"), "{}", run.err);
}

#[test]
fn parallel_tests_are_reported_in_source_order() {
    let test_of = |number: usize| {
        format!("test \"number {number}\" {{\n  expect {{\n    absent = [\"/x\"]\n  }}\n}}\n")
    };
    let folder = folder(&(0..60).map(test_of).collect::<String>());
    let run = test(&folder, &["--jobs", "8"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let expected: Vec<&str> = run.out.lines().filter_map(|line| line.strip_prefix("  ok    ")).collect();
    assert_eq!(expected, (0..60).map(|number| format!("number {number}")).collect::<Vec<_>>());
    assert!(run.out.ends_with("\n60 tests: 60 passed, 0 failed.\n"), "{}", run.out);
}

#[test]
fn tests_do_not_touch_this_machine() {
    let folder = folder("");
    let here = folder.path().join("here").display().to_string();
    let parent = folder.path().display().to_string();
    fs::write(folder.path().join("more.hcl"), format!("file \"here\" {{\n  path = {here:?}\n}}\n"))
        .expect("a file");
    let given = format!("given {{\n  directory {parent:?} {{}}\n}}\n");
    let expect = format!("test \"a\" {{\n  expect {{\n    file {here:?} {{}}\n  }}\n}}\n");
    fs::write(folder.path().join("a.test.hcl"), given + &expect).expect("a file");
    let run = test(&folder, &[]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(!folder.path().join("here").exists());
}

/// Nothing can be installed on a machine in memory, so no hint of a failure suggests it.
#[test]
fn hints_of_missing_things_are_about_the_test() {
    let folder = folder("test \"a\" {\n  expect {\n    creates = [package.nginx]\n  }\n}\n");
    fs::write(folder.path().join("main.hcl"), "package \"nginx\" {}\n").expect("a file");
    let run = test(&folder, &["-q"]);
    let all = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, 1, "{all}");
    assert!(all.contains("= help: in a test, the machine has only what `given` defines"), "{all}");
    assert!(!all.contains("= help: set `provider`"), "{all}");
}

/// The outcome of each action is named: a failed service is not "as declared" because its reload did nothing.
#[test]
fn outcomes_of_several_actions_do_not_contradict() {
    let configuration = "file \"/etc/x\" {\n  content  = \"x\"\n  notifies = [service.nginx.reload]\n}\n\n\
                         service \"nginx\" {\n  running = true\n}\n";
    let ran = |expected: &str| {
        let folder = folder(&format!("test \"a\" {{\n  expect {{\n    {expected}\n  }}\n}}\n"));
        fs::write(folder.path().join("main.hcl"), configuration).expect("a file");
        let run = test(&folder, &["-q"]);
        (run.code, format!("{}{}", run.out, run.err))
    };
    let (code, all) = ran("fails = [service.nginx]\n    updates = [service.nginx]");
    assert_eq!(code, 1, "{all}");
    let words = "it failed: there is no unit nginx.service, and had nothing to do for `reload`";
    assert!(all.contains(words), "{all}");
    assert!(!all.contains("should fail"), "{all}");
    let (code, all) = ran("fails = [service.nginx]");
    assert_eq!(code, 0, "{all}");
}

#[test]
fn the_reason_why_a_verb_did_nothing_is_shown() {
    let unit = "given {\n  file \"/etc/systemd/system/nginx.service\" {}\n}\n";
    let folder =
        folder(&format!("{unit}test \"a\" {{\n  expect {{\n    runs = [service.nginx.reload]\n  }}\n}}\n"));
    let configuration = "file \"/etc/x\" {\n  content  = \"x\"\n  notifies = [service.nginx.reload]\n}\n\n\
                         service \"nginx\" {\n  enabled = false\n}\n";
    fs::write(folder.path().join("main.hcl"), configuration).expect("a file");
    let all = test(&folder, &["-q"]).out;
    let words = "and had nothing to do for `reload`; nginx is not running, so it is not reloaded";
    assert!(all.contains(words), "{all}");
}
