//! The unchanged `examples/external`.

use std::path::Path;
use std::process::Command;

use uphold_testbed::own_state;

use crate::binary::{Run, uphold};

/// The directory with the configuration of the example and its kinds.
pub(crate) const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/external");

/// A temporary folder for the example.
struct Sandbox {
    directory: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a directory") }
    }

    fn root(&self) -> String {
        self.directory.path().join("root").to_str().expect("a plain path").to_owned()
    }

    fn run(&self, verb: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args([verb, EXAMPLE, "-p", &format!("root={}", self.root())]);
        Run::of(own_state(&mut command, self.directory.path()))
    }

    /// The output of `git config` with these arguments.
    fn git(&self, arguments: &[&str]) -> String {
        let file = format!("{}/gitconfig", self.root());
        let output = Command::new("git").args(["config", "--file", &file]).args(arguments).output();
        String::from_utf8(output.expect("git runs").stdout).expect("text")
    }

    fn sql(&self, statement: &str) -> String {
        let script = "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as db: print(db.execute(sys.argv[2]).fetchall())";
        let database = Path::new(&self.root()).join("app.db");
        let output = Command::new("python3").args(["-c", script]).arg(database).arg(statement).output();
        String::from_utf8(output.expect("python3 runs").stdout).expect("text")
    }
}

#[test]
fn the_example_is_formatted_and_valid() {
    let layout = uphold(["fmt", "--check", "--recursive", EXAMPLE]);
    assert_eq!(layout.code, 0, "{}", layout.out);
    let sandbox = Sandbox::new();
    let validated = sandbox.run("validate");
    assert_eq!(validated.code, 0, "{}{}", validated.out, validated.err);
}

/// The output without the path of the example and durations.
fn printed(run: &Run) -> String {
    let text = run.out.replace(&format!("{EXAMPLE}/"), "");
    text.split(" in ").next().unwrap_or(&text).to_owned()
}

const PLANNED: &str = r#"  + directory.root (ROOT)   (create; main.hcl:14:1)
      mode: "0755" (default)
  ! task.database   (will run, because it is not done yet; main.hcl:28:1)
  ? git_setting["init.defaultBranch"]   (may change; depends on directory.root; main.hcl:18:1)
  ? sqlite_row.ada (ROOT/app.db)   (may change; depends on task.database; main.hcl:34:1)

Plan: 1 to add, 0 to change, 0 to remove, 1 to run, 2 may change.
"#;

const APPLIED: &str = r#"  + directory.root (ROOT)   (created; main.hcl:14:1)
      mode: "0755" (default)
  + git_setting["init.defaultBranch"]   (created; main.hcl:18:1)
      file:  "ROOT/gitconfig"
      value: "main"
  ! task.database   (ran, because it was not done yet; main.hcl:28:1)
  + sqlite_row.ada (ROOT/app.db)   (created; main.hcl:34:1)
      key:
        + name = "ada"
      table:  "people"
      values:
        + role = "admin"
        + visits = 0

Applied: 3 added, 0 changed, 0 removed, 1 run; 1 ok, 0 failed, 0 skipped"#;

const DRIFTED: &str = r#"  ~ git_setting["init.defaultBranch"]   (update; drift; main.hcl:18:1)
      value: "trunk" -> "main"
  - git_setting["user.nickname"]   (remove; drift; main.hcl:23:1)
      value: "ace"
  ~ sqlite_row.ada (ROOT/app.db)   (update; drift; main.hcl:34:1)
      values:
        @@ -1,2 +1,2 @@
        - role = "guest"
        - visits = 7
        + role = "admin"
        + visits = 0

Plan: 0 to add, 2 to change, 1 to remove, 0 to run.
"#;

#[test]
fn the_example_is_planned_applied_and_repaired() {
    let sandbox = Sandbox::new();
    let plan = sandbox.run("plan");
    let planned = printed(&plan).replace(&sandbox.root(), "ROOT");
    assert_eq!((plan.code, &*sorted(&planned)), (2, &*sorted(PLANNED)), "{}", plan.err);
    assert!(!Path::new(&sandbox.root()).exists(), "a plan changes nothing");

    let apply = sandbox.run("apply");
    let applied = printed(&apply).replace(&sandbox.root(), "ROOT");
    assert_eq!((apply.code, &*sorted(&applied)), (0, &*sorted(APPLIED)), "{}", apply.err);
    assert_eq!(sandbox.git(&["init.defaultBranch"]), "main\n");
    assert_eq!(sandbox.sql("SELECT * FROM people"), "[('ada', 'admin', 0)]\n");
    let again = sandbox.run("plan");
    assert_eq!(again.code, 0, "{}", again.out);

    sandbox.git(&["init.defaultBranch", "trunk"]);
    sandbox.git(&["user.nickname", "ace"]);
    sandbox.sql("UPDATE people SET role = 'guest', visits = 7");
    let drifted = sandbox.run("plan");
    let shown = printed(&drifted).replace(&sandbox.root(), "ROOT");
    assert_eq!((drifted.code, &*sorted(&shown)), (2, &*sorted(DRIFTED)), "{}", drifted.err);
    let repaired = sandbox.run("apply");
    assert_eq!(repaired.code, 0, "{}{}", repaired.out, repaired.err);
    let settings = (sandbox.git(&["init.defaultBranch"]), sandbox.git(&["user.nickname"]));
    assert_eq!(settings, ("main\n".to_owned(), String::new()));
    assert_eq!(sandbox.sql("SELECT role FROM people"), "[('admin',)]\n");
}

/// The lines, sorted: the order of independent resources is not fixed.
fn sorted(text: &str) -> String {
    let mut parts: Vec<&str> = text.split_inclusive('\n').collect();
    parts.sort_unstable();
    parts.concat()
}

#[test]
fn a_kind_of_a_program_is_explained() {
    let kinds = format!("{EXAMPLE}/kinds");
    let page = uphold(["explain", "git_setting", "--kinds", &kinds]);
    assert_eq!(page.code, 0, "{}", page.err);
    for words in ["One setting of git", "Example.Git/Setting", "such as `user.name`", "identity"] {
        assert!(page.out.contains(words), "{words} is not in\n{}", page.out);
    }
}
