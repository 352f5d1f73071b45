//! A vendor's own command: the example program, run like a user does.

use std::path::Path;
use std::process::Command;

use uphold_testbed::own_state;

/// Runs the example below a root, through cargo, which gives tests the paths of binaries, but not of examples.
fn own_command(root: &Path, arguments: &[&str]) -> std::process::Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline", "--example", "own_command", "--"]);
    cargo.args(arguments).arg("--root").arg(root).current_dir(env!("CARGO_MANIFEST_DIR"));
    own_state(&mut cargo, root).output().expect("cargo starts")
}

#[test]
fn a_vendor_kind_works_like_a_built_in_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site.hcl");
    std::fs::write(&site, "switch \"/light\" {\n  on = true\n}\n").expect("a file");
    let site = site.to_string_lossy();
    let applied = own_command(folder.path(), &["apply", &site]);
    let stdout = String::from_utf8_lossy(&applied.stdout);
    assert!(stdout.contains("+ switch[\"/light\"]"), "{stdout}{}", String::from_utf8_lossy(&applied.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("light")).expect("the light"), "on");
    assert_eq!(own_command(folder.path(), &["plan", &site]).status.code(), Some(0));
}

/// A batch is reported as such, to people and to programs.
#[test]
fn a_batch_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (site, report) = (folder.path().join("site.hcl"), folder.path().join("report.json"));
    std::fs::write(&site, "switch \"/a\" {}\nswitch \"/b\" {}\nswitch \"/c\" {}\n").expect("a file");
    let apply = |more: &[&str]| {
        let root = tempfile::tempdir_in(folder.path()).expect("a machine");
        let site = site.to_string_lossy();
        let ran = own_command(root.path(), &[&["apply", &site, "--jobs", "1"], more].concat());
        String::from_utf8(ran.stdout).expect("UTF-8")
    };
    let shown = apply(&["--report", &report.to_string_lossy()]);
    assert_eq!(shown.matches("(created; in a batch of 3; ").count(), 3, "{shown}");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
    let together = serde_json::json!([["switch[\"/a\"]", "switch[\"/b\"]", "switch[\"/c\"]"]]);
    assert_eq!((&report["batches"], &report["records"][2]["batch"]), (&together, &serde_json::json!(0)));
    let stream = apply(&["--json"]);
    let merged = stream.lines().find(|line| line.contains("\"type\":\"resources_batched\"")).expect("a line");
    let merged: serde_json::Value = serde_json::from_str(merged).expect("JSON");
    assert_eq!(merged["resources"].as_array().map(Vec::len), Some(3), "{merged}");
}
