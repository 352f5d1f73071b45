//! The output of plan and apply for each sort of change.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::Sandbox;

#[test]
fn creating() {
    let sandbox = Sandbox::with(
        "directory \"/etc\" {}\n\nfile \"/etc/motd\" {\n  content = \"Hello.\\nBe kind.\\n\"\n}\n",
    );
    let lines = |directory: &str, file: &str, end: &str| {
        format!(
            "  + directory[\"/etc\"]   ({directory}; ./site.hcl:1:1)\n      mode: \"0755\" (default)\n  \
             + file[\"/etc/motd\"]   ({file}; ./site.hcl:3:1)\n      content:\n        + Hello.\n        \
             + Be kind.\n      mode:    \"0644\" (default)\n\n{end}\n"
        )
    };
    let planned = lines("create", "create", "Plan: 2 to add, 0 to change, 0 to remove, 0 to run.");
    sandbox.rooted(&["plan"]).check(2, &planned, "");
    assert!(sandbox.machine().is_empty());
    let end = "Applied: 2 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 0 skipped in TIME";
    sandbox.rooted(&["apply"]).check(0, &lines("created", "created", end), "");
    assert_eq!(sandbox.read("root/etc/motd"), "Hello.\nBe kind.\n");
    sandbox.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
    sandbox.rooted(&["plan"]).check(0, "No changes. 2 resources are as declared.\n", "");
}

#[test]
fn updating() {
    let sandbox =
        Sandbox::with("file \"/motd\" {\n  content = \"one\\n2\\nthree\\n\"\n  mode = \"0644\"\n}\n");
    sandbox.write("root/motd", "one\ntwo\nthree\n");
    fs::set_permissions(sandbox.path("root/motd"), fs::Permissions::from_mode(0o600)).expect("ours");
    let planned = "  ~ file[\"/motd\"]   (update; ./site.hcl:1:1)
      content:
        @@ -1,3 +1,3 @@
          one
        - two
        + 2
          three
      mode:    \"0600\" -> \"0644\"

Plan: 0 to add, 1 to change, 0 to remove, 0 to run.
";
    sandbox.rooted(&["plan"]).check(2, planned, "");
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert_eq!(sandbox.read("root/motd"), "one\n2\nthree\n");
}

#[test]
fn removing() {
    let sandbox = Sandbox::with("link \"/old\" {\n  to = \"/x\"\n  action = \"remove\"\n}\n");
    std::os::unix::fs::symlink("/x", sandbox.path("root/old")).expect("a link");
    let ran = sandbox.rooted(&["plan"]);
    assert!(ran.stdout.starts_with("  - link[\"/old\"]   (remove; ./site.hcl:1:1)\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("Plan: 0 to add, 0 to change, 1 to remove, 0 to run.\n"), "{}", ran.stdout);
    assert_eq!(ran.code, Some(2));
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    assert!(sandbox.machine().is_empty());
}

#[test]
fn running_a_verb() {
    let sandbox = Sandbox::with(
        "task \"hello\" {\n  check = \"false\"\n  apply = \"echo hello\"\n  action = \"run\"\n}\n",
    );
    sandbox.run(&["plan"]).check(
        2,
        "  ! task.hello   (will run, because the action is \"run\"; ./site.hcl:1:1)\n\n\
         Plan: 0 to add, 0 to change, 0 to remove, 1 to run.\n",
        "",
    );
    sandbox.run(&["apply"]).check(
        0,
        "  ! task.hello   (ran, because the action is \"run\"; ./site.hcl:1:1)\n\n\
         Applied: 0 added, 0 changed, 0 removed, 1 run; 0 ok, 0 failed, 0 skipped in TIME\n",
        "",
    );
}

#[test]
fn hiding_secrets() {
    let sandbox = Sandbox::with("file \"/token\" {\n  content = \"hunter2\"\n  sensitive = true\n}\n");
    sandbox.write("root/token", "hunter1");
    let ran = sandbox.rooted(&["plan"]);
    assert!(ran.stdout.contains("      content: (sensitive value) -> (sensitive value)\n"), "{}", ran.stdout);
    let all = [&["plan"][..], &["plan", "-v"], &["plan", "--json"], &["apply", "--json"]];
    for arguments in all {
        let ran = sandbox.rooted(arguments);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("hunter"), "{arguments:?}: {}", ran.stdout);
    }
    assert_eq!(sandbox.read("root/token"), "hunter2");
}

const DIGEST: &str = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

#[test]
fn a_plan_shows_predicted_values() {
    let sandbox = Sandbox::with(
        "file \"/a\" {\n  content = \"x\"\n}\n\nfile \"/b\" {\n  content = substr(file[\"/a\"].sha256, 0, 6)\n}\n\n\
         log \"c\" {\n  message = file[\"/a\"].sha256\n}\n",
    );
    let expected = format!(
        "  + file[\"/a\"]   (create; ./site.hcl:1:1)
      content: \"x\"
      mode:    \"0644\" (default)
  + file[\"/b\"]   (create; ./site.hcl:5:1)
      content: \"2d7116\"
      mode:    \"0644\" (default)
  log.c: {DIGEST}
"
    );
    let planned = format!("{expected}\nPlan: 2 to add, 0 to change, 0 to remove, 0 to run.\n");
    sandbox.rooted(&["plan"]).check(2, &planned, "");
    let applied = "Applied: 2 added, 0 changed, 0 removed, 0 run; 1 ok, 0 failed, 0 skipped in TIME";
    let applied = format!("{}\n{applied}\n", expected.replace("(create;", "(created;"));
    sandbox.rooted(&["apply"]).check(0, &applied, "");
    assert_eq!(sandbox.read("root/b"), "2d7116");
}

/// The output of a command is unknown before it runs.
#[test]
fn a_plan_shows_unknown_values_as_unknown() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("b").display().to_string();
    let task = "task \"a\" {\n  check = \"test -e done\"\n  apply = \"echo made; touch done\"\n}\n";
    sandbox.write(
        "site.hcl",
        format!(
            "{task}file \"{path}\" {{\n  content = task.a.status.stdout\n}}\n\
             log \"c\" {{\n  message = task.a.status.stdout\n}}\n"
        ),
    );
    let planned = "  ! task.a   (will run, because it is not done yet; ./site.hcl:1:1)
  + file[\"FOLDER/b\"]   (create; ./site.hcl:5:1)
      mode:    \"0644\" (default)
      content: (known after apply: task.a.status.stdout)
  ? log.c   (may change; depends on task.a.status.stdout; ./site.hcl:8:1)

Plan: 1 to add, 0 to change, 0 to remove, 1 to run, 1 may change.
";
    sandbox.run(&["plan", "--jobs", "1"]).check(2, planned, "");
    let applied = sandbox.run(&["apply", "--jobs", "1"]);
    assert!(applied.stdout.contains("  log.c: made\n"), "{}", applied.stdout);
    assert_eq!(sandbox.read("b"), "made\n");
}

#[test]
fn a_failure_skips_its_dependents() {
    let sandbox = Sandbox::with(
        "file \"/none/x\" {\n  content = \"x\"\n}\n\nlog \"y\" {\n  depends_on = [file[\"/none/x\"]]\n}\n\n\
         log \"z\" {\n  depends_on = [log.y]\n}\n\nlog \"free\" {}\n",
    );
    let ran = sandbox.rooted(&["apply"]);
    ran.check(
        1,
        "  log.free: free\nApplied: 0 added, 0 changed, 0 removed, 0 run; 1 ok, 1 failed, 2 skipped in TIME\n",
        "error: file[\"/none/x\"]: /none/x cannot be created: FOLDER/root/none does not exist   (./site.hcl:1:1)\n  \
         hint: declare it: directory \"/none\" {}\n  \
         . log.y   (skipped because file[\"/none/x\"] failed; ./site.hcl:5:1)\n  \
         . log.z   (skipped because file[\"/none/x\"] failed; ./site.hcl:9:1)\n",
    );
}

#[test]
fn a_failure_in_a_plan_is_an_error() {
    let sandbox = Sandbox::with("assert \"sane\" {\n  that = false\n  message = \"2 is not 3\"\n}\n");
    sandbox.rooted(&["plan"]).check(
        1,
        "Plan: 0 to add, 0 to change, 0 to remove, 0 to run; 1 failed, 0 skipped.\n",
        "error: assert.sane: the assertion `sane` failed   (./site.hcl:1:1)\n  because: 2 is not 3\n",
    );
}

#[test]
fn unchanged_resources_are_shown_with_verbose() {
    let sandbox = Sandbox::with("log \"a\" {\n  message = \"two\\nlines\"\n}\n");
    sandbox.rooted(&["plan", "--verbose"]).check(
        0,
        "  log.a: two\n    lines\n  = log.a   (as declared; ./site.hcl:1:1)\n\
         No changes. 1 resource is as declared.\n",
        "",
    );
}

/// A secret stays secret when another resource copies the file that contains it, by any name.
#[test]
fn a_secret_is_hidden_in_a_copy() {
    let sandbox = Sandbox::with(
        "query \"pw\" {\n  query = \"echo hunter2\"\n  sensitive = true\n}\n\
         file \"DIR/plain\" {\n  content = \"pw=${query.pw.value}\\n\"\n}\n\
         file \"DIR/one\" {\n  source = \"DIR/plain\"\n}\n\
         file \"DIR/two\" {\n  source = file[\"DIR/plain\"].path\n}\n",
    );
    let text = sandbox.read("site.hcl").replace("DIR", &sandbox.path("root").to_string_lossy());
    sandbox.write("site.hcl", text);
    for arguments in [["apply", "--verbose"], ["apply", "--json"]] {
        let ran = sandbox.run(&arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(!ran.stdout.contains("hunter2") && !ran.stderr.contains("hunter2"), "{}", ran.stdout);
        assert_eq!(sandbox.read("root/two").trim_end(), "pw=hunter2");
        fs::remove_file(sandbox.path("root/one")).expect("it exists");
        fs::write(sandbox.path("root/two"), "drifted").expect("it can be written");
    }
}

/// A line is removed from a file that the same run writes.
#[test]
fn removing_a_line_waits_for_the_file() {
    let sandbox = Sandbox::with(
        r#"
line "l" {
  file   = "/f"
  match  = "^x"
  line   = "a"
  action = "remove"
}

file "/f" {
  content           = "d\nx\n"
  create_if_missing = true
}
"#,
    );
    let ran = sandbox.rooted(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(sandbox.read("root/f"), "d\n");
}

/// A log with a deferred value claims no path, so purging continues.
#[test]
fn a_deferred_log_does_not_block_a_purge() {
    let sandbox = Sandbox::with(
        r#"
directory "/d" {
  purge = true
}

file "/f" {
  content = "a"
}

log "l" {
  message = "s ${file["/f"].size}"
}
"#,
    );
    fs::create_dir(sandbox.path("root/d")).expect("a directory");
    sandbox.write("root/d/junk", "x");
    let ran = sandbox.rooted(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!sandbox.path("root/d/junk").exists());
}

/// Directories that are created in parallel may share an undeclared parent.
#[test]
fn parallel_directories_create_a_shared_parent_once() {
    let text: String =
        (0..60).map(|i| format!("directory \"/a/b{}/c{i}\" {{\n  recursive = true\n}}\n", i % 3)).collect();
    for _ in 0..5 {
        let sandbox = Sandbox::with(&text);
        let ran = sandbox.run(&["apply", "--jobs", "8", "--root", "root"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
}

#[test]
fn a_file_is_not_compressed_in_its_own_place() {
    let sandbox = Sandbox::with("gzip \"/a\" {\n  source = \"/a\"\n}\n");
    sandbox.write("root/a", "text");
    let ran = sandbox.rooted(&["apply"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("`source` cannot be the path itself"),
        "{}",
        ran.stderr
    );
    assert_eq!(sandbox.read("root/a"), "text");
}
