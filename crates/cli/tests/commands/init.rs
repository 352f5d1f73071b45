//! `uphold init`: writes a working example.

use std::fs;

use crate::ground::Ground;

const FILES: [&str; 4] = ["main.hcl", "main.test.hcl", "params/production.hcl", "modules/note/main.hcl"];

#[test]
fn the_example_is_formatted_valid_and_converges() {
    let ground = Ground::new();
    ground.run(&["init", "-q"]).check(0, &format!("{}\n", FILES.join("\n")), "");
    ground.run(&["fmt", "-r", "--check"]).check(0, "", "");
    ground.run(&["validate"]).check(0, "The configuration is valid: 5 resources.\n", "");
    let tested = ground.run(&["test"]);
    assert!(tested.stdout.ends_with("\n2 tests: 2 passed, 0 failed.\n"), "{}", tested.stdout);
    for (params, page) in [
        (&[][..], "root/tmp/uphold-example/index.txt"),
        (&["--params", "params/production.hcl"], "root/srv/uphold-example/index.txt"),
    ] {
        let apply = [&["apply"], params].concat();
        let first = ground.rooted(&apply);
        assert_eq!((first.code, &*first.stderr), (Some(0), ""), "{}", first.stdout);
        assert!(first.stdout.contains("Applied: 4 added"), "{}", first.stdout);
        assert!(ground.read(page).contains("Uphold keeps this file as declared"));
        let again = ground.rooted(&apply);
        assert!(again.stdout.ends_with("No changes. 5 resources are as declared.\n"), "{}", again.stdout);
        assert_eq!(ground.rooted(&[&["plan"], params].concat()).code, Some(0));
    }
}

#[test]
fn a_new_directory_is_created_and_the_next_step_shown() {
    let ground = Ground::new();
    let ran = ground.run(&["init", "site"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), &*format!("site/{}\n", FILES.join("\nsite/"))));
    assert!(ran.stderr.starts_with("Next:\n  cd site\n  uphold plan "), "{}", ran.stderr);
    assert_eq!(ground.run(&["validate", "site"]).code, Some(0));
    assert_eq!(fs::read_dir(ground.path("site")).expect("it exists").count(), 4, "and nothing else");
}

#[test]
fn nothing_is_overwritten() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path("a/params")).expect("a folder");
    ground.write("a/params/production.hcl", "mine");
    ground.write("a/other.hcl", "mine");
    let expected = "error: a configuration already exists: a/other.hcl, a/params/production.hcl\n  \
                    hint: name a new directory: uphold init DIR\n";
    ground.run(&["init", "a"]).check(1, "", expected);
    assert_eq!(ground.read("a/params/production.hcl"), "mine");
    assert!(!ground.path("a/main.hcl").exists(), "nothing is written");
    ground.write("file", "");
    let file =
        "error: file is a regular file, not a directory\n  hint: name a new directory: uphold init DIR\n";
    ground.run(&["init", "file"]).check(1, "", file);
    let ran = ground.run(&["init", "no/such"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""));
    assert!(ran.stderr.ends_with("hint: create its parent directory first\n"), "{}", ran.stderr);
}

#[test]
fn other_files_in_the_directory_are_kept() {
    let ground = Ground::new();
    ground.write("README.md", "mine");
    ground.write(".hidden.hcl", "mine");
    assert_eq!(ground.run(&["init"]).code, Some(0));
    assert_eq!(ground.read("README.md"), "mine");
}
