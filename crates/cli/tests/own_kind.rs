//! A vendor's own command: the example program, run as its user would.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs a real command")]

use std::process::Command;

/// Cargo tells a test where the binaries are, but not the examples; so it is asked to run this one.
fn own_command(arguments: &[&str]) -> std::process::Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline", "--example", "own_command", "--"]).args(arguments);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts")
}

#[test]
fn the_kind_of_a_vendor_is_like_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site.hcl");
    std::fs::write(&site, "switch \"/light\" {\n  on = true\n}\n").expect("a file");
    let (site, root) = (site.to_string_lossy(), folder.path().to_string_lossy());
    let applied = own_command(&["apply", &site, "--root", &root]);
    let stdout = String::from_utf8_lossy(&applied.stdout);
    assert!(stdout.contains("+ switch[\"/light\"]"), "{stdout}{}", String::from_utf8_lossy(&applied.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("light")).expect("the light"), "on");
    assert_eq!(own_command(&["plan", &site, "--root", &root]).status.code(), Some(0));
}
