//! `examples/luau` with the real command and its output.

use std::fs;
use std::process::Command;

use crate::binary::{Run, uphold};
use uphold_testbed::own_state;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/luau");

struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().expect("a directory"));
        sandbox.write("x.txt", "old\n");
        sandbox
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).expect("a file")
    }

    fn run(&self, verb: &str, file: &str, more: &[&str]) -> Run {
        let file = format!("{EXAMPLE}/{file}");
        let root = self.0.path().to_str().expect("a plain path");
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args([verb, file.as_str(), "--root", root, "--jobs", "1"]).args(more);
        Run::of(own_state(&mut command, self.0.path()))
    }
}

/// The output without the path of the example.
fn printed(run: &Run) -> String {
    run.out.replace(&format!("{EXAMPLE}/"), "")
}

const HELLO: &str = r#"  ~ recipe["hello.luau"]   (update; hello.luau:1:1)
      ~ plain_file["/x.txt"]
          content:
            @@ -1 +1 @@
            - old
            + Hello World

Plan: 0 to add, 1 to change, 0 to remove, 0 to run.
"#;

#[test]
fn a_recipe_is_planned_and_applied() {
    let sandbox = Sandbox::new();
    let plan = sandbox.run("plan", "hello.luau", &[]);
    assert_eq!((plan.code, &*printed(&plan)), (2, HELLO), "{}", plan.err);
    assert_eq!(sandbox.read("x.txt"), "old\n");
    assert_eq!(sandbox.run("apply", "hello.luau", &[]).code, 0);
    assert_eq!(sandbox.read("x.txt"), "Hello World\n");
    assert_eq!(sandbox.run("plan", "hello.luau", &[]).code, 0);
}

const SITE: &str = r#"  + plain_file["/motd"]   (create; main.hcl:1:1)
      mode:    "0666" (default)
      content:
        + held by a kind in Luau
  + foo_bar_baz["/row"]   (create; main.hcl:5:1)
      foo: "none" (default)
      bar: "two"
      baz: "none" (default)
  + text_file["/seen"]   (create; main.hcl:9:1)
      content:
        + 0666 none

Plan: 3 to add, 0 to change, 0 to remove, 0 to run.
"#;

#[test]
fn hcl_uses_scripted_kinds() {
    let layout = uphold(["fmt", "--check", "--recursive", EXAMPLE]);
    assert_eq!(layout.code, 0, "{}", layout.out);
    let sandbox = Sandbox::new();
    let plan = sandbox.run("plan", "main.hcl", &[]);
    assert_eq!((plan.code, &*printed(&plan)), (2, SITE), "{}", plan.err);
    assert_eq!(sandbox.run("apply", "main.hcl", &[]).code, 0);
    assert_eq!(sandbox.read("row"), "none two none\n");
    sandbox.write("row", "one one one\n");
    let drifted = sandbox.run("plan", "main.hcl", &[]);
    assert!(
        drifted.out.contains("bar: \"one\" -> \"two\"") && !drifted.out.contains("baz:"),
        "{}",
        drifted.out
    );
    assert_eq!(sandbox.run("apply", "main.hcl", &[]).code, 0);
    assert_eq!(sandbox.read("row"), "one two one\n");
}

#[test]
fn a_recipe_takes_params_and_declares_children() {
    let sandbox = Sandbox::new();
    sandbox.write("bootstrap", "boot");
    let applied = sandbox.run("apply", "lazy.luau", &["-p", "user=ada"]);
    assert_eq!(applied.code, 0, "{}{}", applied.out, applied.err);
    assert_eq!(sandbox.read("blah"), "ada: boot\n");
    let nested = sandbox.run("apply", "nested.luau", &[]);
    assert_eq!(nested.code, 0, "{}{}", nested.out, nested.err);
    assert_eq!(sandbox.read("us-west-1/i-13423432"), "blah");
}

#[test]
fn wrong_values_are_reported_with_their_location() {
    let kinds = format!("{EXAMPLE}/kinds");
    let check = |file: &str, words: &[&str]| {
        let run = uphold(["validate", &format!("{EXAMPLE}/refused/{file}"), "--kinds", &kinds]);
        assert_ne!(run.code, 0, "{}", run.out);
        for word in words {
            assert!(run.err.contains(word), "{word} is not in\n{}", run.err);
        }
    };
    check("null.hcl", &["nulls.blah: `a` cannot be null", "error: 1 error"]);
    let size = "shirt.blue: `size` = \"huge\" must be one of \"large\", \"medium\", \"small\"";
    check(
        "size.hcl",
        &[size, "`number_of_users` = \"many\" must be a whole number", "must be an absolute path"],
    );
}
