//! `uphold init`: writes a working example.

use std::fs;

use super::sandbox::Sandbox;

const FILES: [&str; 4] = ["main.hcl", "main.test.hcl", "params/production.hcl", "modules/note/main.hcl"];

#[test]
fn the_example_is_formatted_valid_and_converges() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init", "-q"]).check(0, &format!("{}\n", FILES.join("\n")), "");
    sandbox.run(&["fmt", "-r", "--check"]).check(0, "", "");
    sandbox.run(&["validate"]).check(0, "The configuration is valid: 5 resources.\n", "");
    let tested = sandbox.run(&["test"]);
    assert!(tested.stdout.ends_with("\n2 tests: 2 passed, 0 failed.\n"), "{}", tested.stdout);
    for (params, page) in [
        (&[][..], "root/tmp/uphold-example/index.txt"),
        (&["--params", "params/production.hcl"], "root/srv/uphold-example/index.txt"),
    ] {
        let apply = [&["apply"], params].concat();
        let first = sandbox.rooted(&apply);
        assert_eq!((first.code, &*first.stderr), (Some(0), ""), "{}", first.stdout);
        assert!(first.stdout.contains("Applied: 4 added"), "{}", first.stdout);
        assert!(sandbox.read(page).contains("Uphold keeps this file as declared"));
        let again = sandbox.rooted(&apply);
        assert!(again.stdout.contains("\nNo changes. 5 resources are as declared.\n"), "{}", again.stdout);
        assert_eq!(sandbox.rooted(&[&["plan"], params].concat()).code, Some(0));
    }
}

#[test]
fn a_new_directory_is_created_and_the_next_step_shown() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["init", "site"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), &*format!("site/{}\n", FILES.join("\nsite/"))));
    assert!(ran.stderr.starts_with("Next:\n  cd site\n  uphold plan "), "{}", ran.stderr);
    assert_eq!(sandbox.run(&["validate", "site"]).code, Some(0));
    assert_eq!(fs::read_dir(sandbox.path("site")).expect("it exists").count(), 4, "and nothing else");
}

#[test]
fn nothing_is_overwritten() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("a/params")).expect("a folder");
    sandbox.write("a/params/production.hcl", "mine");
    sandbox.write("a/other.hcl", "mine");
    let expected = "error: a configuration already exists: a/other.hcl, a/params/production.hcl\n  \
                    hint: name a new directory: uphold init DIR\n";
    sandbox.run(&["init", "a"]).check(1, "", expected);
    assert_eq!(sandbox.read("a/params/production.hcl"), "mine");
    assert!(!sandbox.path("a/main.hcl").exists(), "nothing is written");
    sandbox.write("file", "");
    let file =
        "error: file is a regular file, not a directory\n  hint: name a new directory: uphold init DIR\n";
    sandbox.run(&["init", "file"]).check(1, "", file);
    let ran = sandbox.run(&["init", "no/such"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""));
    assert!(ran.stderr.ends_with("hint: create its parent directory first\n"), "{}", ran.stderr);
}

#[test]
fn other_files_in_the_directory_are_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("README.md", "mine");
    sandbox.write(".hidden.hcl", "mine");
    assert_eq!(sandbox.run(&["init"]).code, Some(0));
    assert_eq!(sandbox.read("README.md"), "mine");
}
