//! The command with the vendor's kinds, run like a user does.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run a real command")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs the command below a root, with a state directory there.
fn command(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-kind"));
    command.args(arguments).arg("--root").arg(root).arg("--state").arg(root.join("state"));
    command.output().expect("the command starts")
}

/// Applies a configuration below a root.
fn apply(root: &Path, text: &str, flags: &[&str]) -> Output {
    let site = root.join("site.hcl");
    std::fs::write(&site, text).expect("a configuration");
    command(root, &[&["apply", &*site.to_string_lossy()], flags].concat())
}

fn printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

const ROTATION: &str = r#"
logrotate "app" {
  logs = ["/var/log/app/*.log"]
}
"#;

/// A machine with the directory of logrotate.
fn machine() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(root.path().join("etc/logrotate.d")).expect("a directory");
    root
}

#[test]
fn a_vendor_kind_works_like_a_built_in_one() {
    let root = machine();
    let file = root.path().join("etc/logrotate.d/app");
    let applied = apply(root.path(), ROTATION, &[]);
    assert!(printed(&applied).contains("+ logrotate.app"), "{}", printed(&applied));
    let written = std::fs::read_to_string(&file).expect("the file");
    assert!(written.contains("\n/var/log/app/*.log {\n    weekly\n    rotate 4\n"), "{written}");

    std::fs::write(&file, "changed by hand").expect("drift");
    let repaired = apply(root.path(), ROTATION, &[]);
    assert!(printed(&repaired).contains("~ logrotate.app"), "{}", printed(&repaired));
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), written);
}

/// The root has no shell, so the check cannot run.
#[test]
fn a_file_that_cannot_be_verified_is_not_written() {
    let root = machine();
    let refused = apply(root.path(), &ROTATION.replace("logs ", "verify = \"test -s {}\"\n  logs "), &[]);
    assert_eq!(refused.status.code(), Some(1), "{}", printed(&refused));
    assert!(printed(&refused).contains("cannot run `verify`"), "{}", printed(&refused));
    assert!(!root.path().join("etc/logrotate.d/app").exists());
}

#[test]
fn a_batch_is_reported() {
    const SWITCHES: &str = "switch \"/a\" {}\nswitch \"/b\" {}\nswitch \"/c\" {}\n";
    let root = machine();
    let report = root.path().join("report.json");
    let shown = apply(root.path(), SWITCHES, &["--jobs", "1", "--report", &report.to_string_lossy()]);
    let shown = printed(&shown);
    assert_eq!(shown.matches("(created; in a batch of 3; ").count(), 3, "{shown}");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
    let together = serde_json::json!([["switch[\"/a\"]", "switch[\"/b\"]", "switch[\"/c\"]"]]);
    assert_eq!((&report["batches"], &report["records"][2]["batch"]), (&together, &serde_json::json!(0)));

    let stream = printed(&apply(machine().path(), SWITCHES, &["--jobs", "1", "--json"]));
    let merged = stream.lines().find(|line| line.contains("\"type\":\"resources_batched\"")).expect("a line");
    let merged: serde_json::Value = serde_json::from_str(merged).expect("JSON");
    assert_eq!(merged["resources"].as_array().map(Vec::len), Some(3), "{merged}");
}
