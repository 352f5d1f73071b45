//! The record of runs.

use std::fs;

use super::sandbox::Sandbox;

const SITE: &str = r#"
param "secret" {
  type      = string
  default   = "hunter2"
  sensitive = true
}

file "/motd" {
  content = "Welcome.\n"
}

file "/token" {
  content = param.secret
}
"#;

fn applied() -> Sandbox {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    sandbox.write("root/motd", "Changed.\n");
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    sandbox
}

#[test]
fn runs_are_listed_newest_first() {
    let sandbox = applied();
    let listed = sandbox.rooted(&["history"]);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!((lines.len(), listed.code), (2, Some(0)), "{}", listed.stdout);
    assert!(lines[0].starts_with("   2  ") && lines[0].ends_with("1 changed"), "{}", lines[0]);
    assert!(lines[1].starts_with("   1  ") && lines[1].ends_with("2 added"), "{}", lines[1]);
    let limited = sandbox.rooted(&["history", "--limit", "1"]);
    assert_eq!(limited.stdout.lines().count(), 1);
    assert_eq!(limited.stderr, "There are older runs; show more with --limit.\n");
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    let since = sandbox.rooted(&["history", "--since", "1h"]).stdout;
    assert_eq!(since, sandbox.rooted(&["history"]).stdout, "a run without changes is a run");
    assert!(since.lines().next().is_some_and(|line| line.ends_with("no changes")), "{since}");
    assert_eq!(sandbox.rooted(&["history", "--since", "2100-01-01"]).stdout, "No run matches.\n");
}

#[test]
fn a_run_is_shown_as_it_was_applied() {
    let sandbox = applied();
    let shown = sandbox.rooted(&["history", "2"]);
    let expected = "  ~ file[\"/motd\"]   (updated)\n      content:\n        @@ -1 +1 @@\n        - Changed.\n        + Welcome.\n1 changed\n";
    assert!(shown.stdout.starts_with("Run 2: apply by root, "), "{}", shown.stdout);
    assert!(shown.stdout.ends_with(expected), "{}", shown.stdout);
    let of_motd = sandbox.rooted(&["history", "--resource", "/motd"]);
    assert_eq!(of_motd.stdout.matches("file[\"/motd\"]").count(), 2, "{}", of_motd.stdout);
    assert!(!of_motd.stdout.contains("/token"));
    let unknown = sandbox.rooted(&["history", "7"]);
    unknown.check(1, "", "error: there is no run 7\n  hint: `uphold history --root root` lists them\n");
    let totals = sandbox.rooted(&["history", "--stat"]);
    assert!(
        totals.stdout.starts_with("2 runs (2 apply), 0 interrupted\n3 changes, 0 failures\n"),
        "{}",
        totals.stdout
    );
}

#[test]
fn a_machine_without_runs_has_an_empty_history() {
    Sandbox::new().run(&["history"]).check(0, "No run was recorded yet.\n", "");
}

#[test]
fn json_has_one_line_for_each_run() {
    let sandbox = applied();
    let json = sandbox.rooted(&["history", "--json"]);
    let runs: Vec<serde_json::Value> =
        json.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&runs[0]["run"], &runs[0]["counts"]["updated"]), (&2.into(), &1.into()));
    let difference = &runs[0]["actions"][0]["differences"][0];
    assert_eq!((&difference["from"], &difference["to"]), (&"Changed.\n".into(), &"Welcome.\n".into()));
}

/// Neither the journal nor the audit log contains a secret.
#[test]
fn secrets_are_not_recorded() {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply", "--audit-log", "audit.log", "site.hcl"]).code, Some(0));
    let shown = sandbox.rooted(&["history", "1"]);
    assert!(
        shown.stdout.contains("(sensitive value)") && !shown.stdout.contains("hunter2"),
        "{}",
        shown.stdout
    );
    let files = fs::read_dir(sandbox.path(".state/runs")).expect("runs");
    let texts = files.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
    for text in texts.chain([sandbox.read("audit.log")]) {
        assert!(text.contains("/token") && !text.contains("hunter2"), "{text}");
    }
}

#[test]
fn a_changed_line_is_found() {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply", "--audit-log", "audit.log", "site.hcl"]).code, Some(0));
    let check = |arguments: &[&str], file: &str| {
        let words = [&["history", "--verify"], arguments].concat();
        sandbox.rooted(&words).check(0, "Every line of the history is as it was written.\n", "");
        sandbox.write(file, sandbox.read(file).replacen("\"create\"", "\"update\"", 1));
        let changed = sandbox.rooted(&words);
        assert_eq!(changed.code, Some(1), "{}", changed.stdout);
        assert!(
            changed.stderr.contains("the history was changed or damaged: line 2 of"),
            "{}",
            changed.stderr
        );
    };
    check(&[], ".state/runs/000001.jsonl");
    check(&["--audit-log", "audit.log"], "audit.log");
}

#[test]
fn an_audit_log_that_cannot_be_opened_prevents_the_run() {
    let sandbox = Sandbox::with(SITE);
    std::os::unix::fs::symlink("elsewhere", sandbox.path("audit.log")).expect("a link");
    let refused = sandbox.rooted(&["apply", "--audit-log", "audit.log", "site.hcl"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.starts_with("error: cannot open the audit log audit.log"), "{}", refused.stderr);
    assert!(!sandbox.path("root/motd").exists() && !sandbox.path("elsewhere").exists());
}

/// The commit is read from the repository, and whether it was clean is asked from git.
#[test]
fn a_run_knows_the_commit_of_its_configuration() {
    let sandbox = Sandbox::with(SITE);
    let git = |words: &[&str]| {
        let fixed = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
        let mut command = std::process::Command::new("git");
        let output =
            command.args(fixed).args(words).current_dir(sandbox.path("")).output().expect("git runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    sandbox.write(".gitignore", "root\n.state\n");
    for words in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "Begin"]] {
        git(words);
    }
    let commit = git(&["rev-parse", "HEAD"]);
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    let shown = sandbox.rooted(&["history", "1"]).stdout;
    assert!(shown.contains(&format!(" at {} (clean)", &commit[..12])), "{shown}");
    sandbox.write("site.hcl", SITE.replace("Welcome", "Hello"));
    git(&["pack-refs", "--all"]);
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    let shown = sandbox.rooted(&["history", "2"]).stdout;
    assert!(shown.contains(&format!(" at {} (with uncommitted changes)", &commit[..12])), "{shown}");
}

/// One state directory for two roots: a run of one is not undone on the other.
#[test]
fn runs_of_another_root_are_not_undone() {
    let sandbox = Sandbox::with("file \"/motd\" {\n  content = \"new\\n\"\n}\n");
    fs::create_dir(sandbox.path("other")).expect("a root");
    for root in ["root", "other"] {
        sandbox.write(&format!("{root}/motd"), "old\n");
        assert_eq!(sandbox.run(&["apply", "--root", root, "site.hcl"]).code, Some(0));
    }
    let shown = sandbox.run(&["history", "2"]);
    assert!(shown.stdout.contains(", root FOLDER/other\n"), "{}", shown.stdout);
    let listed = sandbox.run(&["history", "--root", "other"]).stdout;
    let roots: Vec<bool> = listed.lines().map(|line| line.contains(", root ")).collect();
    assert_eq!(roots, [false, true], "only another root is named: {listed}");
    let json = sandbox.run(&["history", "--json", "1"]);
    assert!(json.stdout.contains("\"root\":\"FOLDER/root\""), "{}", json.stdout);
    let refused = sandbox.run(&["undo", "2", "--yes", "--root", "root"]);
    let error = "error: run 2 changed another root: FOLDER/other\n  hint: use --root FOLDER/other\n";
    refused.check(1, "", error);
    let undone = sandbox.run(&["undo", "--yes", "--root", "root"]);
    assert_eq!(undone.code, Some(0), "{}", undone.stderr);
    assert_eq!((&*sandbox.read("root/motd"), &*sandbox.read("other/motd")), ("old\n", "new\n"));
    assert_eq!(sandbox.run(&["undo", "--yes"]).stderr, "There is no run to undo.\n");
}

#[test]
fn the_rows_of_all_commands_are_aligned() {
    let sandbox = applied();
    assert_eq!(sandbox.rooted(&["restore", "/motd", "--yes"]).code, Some(0));
    let listed = sandbox.rooted(&["history"]).stdout;
    let columns: Vec<Option<usize>> =
        listed.lines().map(|line| line.find(" changed").or(line.find(" added"))).collect();
    assert!(columns.len() == 3 && columns.iter().all(|at| *at == columns[0]), "{listed}");
}

#[test]
fn the_number_of_a_run_is_a_number() {
    let sandbox = Sandbox::new();
    for arguments in [&["undo", "abc"][..], &["history", "abc"], &["restore", "/x", "--at", "abc"]] {
        let ran = sandbox.rooted(arguments);
        let expected = "write the number of a run; `uphold history` lists them\n";
        assert!(ran.code == Some(1) && ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// By its path, an edited file is found; by its present address, also a resource that had another one.
#[test]
fn edits_of_a_file_and_renamed_resources_are_found() {
    let edit = "line \"x\" {\n  file   = \"/f\"\n  line   = \"x\"\n  create = true\n}\n";
    let named = |name: &str| format!("{edit}file \"{name}\" {{\n  path    = \"/m\"\n  content = \"m\"\n}}\n");
    let sandbox = Sandbox::with(named("old"));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    sandbox.write("site.hcl", named("new"));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    for (resource, found) in [("/f", "+ line.x"), ("file.new", "+ file.old"), ("file.old", "+ file.old")] {
        let out = sandbox.rooted(&["history", "--resource", resource]).stdout;
        assert!(out.contains(found), "{resource}: {out}");
    }
}
