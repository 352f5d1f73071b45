//! Running a part of a configuration, and limits that end a run.

use super::sandbox::Sandbox;

const SITE: &str = r#"
directory "/etc" {}

file "/etc/motd" { content = "hi" }

file "list" {
  for_each = ["/a", "/b"]
  content  = "x"
}

module "web" { source = "./web" }

log "last" { depends_on = [file["/etc/motd"]] }
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(SITE);
    std::fs::create_dir(sandbox.path("web")).expect("a folder for the module");
    sandbox.write("web/main.hcl", "file \"/site\" {\n  content = \"s\"\n}\n");
    sandbox
}

/// Checks the resources of a run with these arguments, in order.
#[track_caller]
fn check(arguments: &[&str], expected: &[&str]) {
    let ran = sandbox().rooted(&[&["plan", "-v"], arguments].concat());
    let message =
        ran.stdout.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("   (")?.0.split_once(' '));
    let names: Vec<&str> = message.filter(|(sign, _)| !sign.is_empty()).map(|(_, name)| name).collect();
    assert_eq!(names, expected, "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
}

const MOTD: &str = "file[\"/etc/motd\"]";
const SITE_FILE: &str = "module.web.file[\"/site\"]";

#[test]
fn a_target_includes_its_dependencies() {
    check(&["--target", MOTD], &["directory[\"/etc\"]", MOTD]);
    check(&["--target", "file[/etc/motd]"], &["directory[\"/etc\"]", MOTD]);
    check(&["--target", "log.last"], &["directory[\"/etc\"]", MOTD, "log.last"]);
    check(&["--target", "log[\"last\"]"], &["directory[\"/etc\"]", MOTD, "log.last"]);
    check(&["--target", "module.web"], &[SITE_FILE]);
    check(&["--target", SITE_FILE], &[SITE_FILE]);
    check(&["--target", "file.list"], &["file.list[\"/a\"]", "file.list[\"/b\"]"]);
    check(&["--target", "file.list[\"/b\"]"], &["file.list[\"/b\"]"]);
    check(&["--target", "module.web", "--target", "file.list[/a]"], &["file.list[\"/a\"]", SITE_FILE]);
}

#[test]
fn an_exclusion_includes_its_dependents() {
    let lists = ["file.list[\"/a\"]", "file.list[\"/b\"]"];
    check(&["--exclude", "directory[\"/etc\"]"], &[lists[0], lists[1], SITE_FILE]);
    check(&["--exclude", "file.list", "--exclude", "module.web"], &["directory[\"/etc\"]", MOTD, "log.last"]);
    check(&["--target", "log.last", "--exclude", MOTD], &["directory[\"/etc\"]"]);
}

/// Dependents are left out silently by no one: they are named, with the excluded resource.
#[test]
fn left_out_dependents_are_named() {
    let notes = |arguments: &[&str]| sandbox().rooted(&[&["plan"], arguments].concat()).stderr;
    assert_eq!(
        notes(&["--exclude", "directory[\"/etc\"]"]),
        "note: 2 resources are left out, too, because they depend on directory[\"/etc\"]: \
         file[\"/etc/motd\"], log.last\n"
    );
    assert_eq!(
        notes(&["--target", MOTD, "--exclude", "directory[\"/etc\"]"]),
        "note: 1 resource is left out, too, because it depends on directory[\"/etc\"]: file[\"/etc/motd\"]\n"
    );
    for silent in [["--exclude", "log.last"], ["--target", MOTD]] {
        assert_eq!(notes(&silent), "");
    }
    assert_eq!(notes(&["--quiet", "--exclude", "directory[\"/etc\"]"]), "");
}

#[test]
fn an_address_that_names_nothing_is_an_error_with_a_suggestion() {
    let message = |flag: &str, address: &str, hint: &str| {
        let message =
            format!("error: {flag} {address}: no such resource or module is declared\n  hint: {hint}\n");
        for command in ["plan", "apply"] {
            let sandbox = sandbox();
            sandbox.rooted(&[command, flag, address]).check(1, "", &message);
            assert!(sandbox.machine().is_empty());
        }
    };
    message("--target", "file[\"/etc/modt\"]", "did you mean file[\"/etc/motd\"]?");
    message("--exclude", "file[/etc/modt]", "did you mean file[\"/etc/motd\"]?");
    message("--target", "module.wed", "did you mean module.web?");
    message("--target", "file.lists", "did you mean file.list?");
    message("--target", "package.nginx", "`uphold graph` shows all resources");
    let ran = sandbox().rooted(&["plan", "--target", "file["]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("write it as in an expression: service.nginx"), "{}", ran.stderr);
    let json = sandbox().rooted(&["plan", "--json", "--target", "file.lists"]);
    let last: serde_json::Value =
        json.stdout.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("JSON");
    assert_eq!((json.code, &last["type"], &last["error"]), (Some(1), &"run_finished".into(), &true.into()));
}

#[test]
fn max_changes_limits_a_run() {
    let sandbox = Sandbox::with("file \"/a\" {}\nfile \"/b\" {}\nfile \"/c\" {}\n");
    let ran = sandbox.rooted(&["apply", "--max-changes", "2"]);
    assert_eq!(ran.code, Some(1));
    let skipped = "  . file[\"/c\"]   (skipped because the limit of changes was reached; ./site.hcl:3:1)\n";
    assert_eq!(ran.stderr, skipped);
    assert!(
        ran.stdout.ends_with("2 added, 0 changed, 0 removed, 0 run; 0 ok, 0 failed, 1 skipped in TIME\n")
    );
    let again = sandbox.rooted(&["apply", "--max-changes", "2"]);
    assert_eq!((again.code, &*again.stderr), (Some(0), ""), "what is as declared costs nothing");
    sandbox.rooted(&["apply", "--max-changes", "0"]).check(
        0,
        "No changes. 3 resources are as declared.\n",
        "",
    );
}

#[test]
fn max_failures_ends_a_run() {
    let sandbox = Sandbox::with("file \"/x/a\" {}\nfile \"/x/b\" {}\nfile \"/c\" {}\nfile \"/d\" {}\n");
    let ran = sandbox.rooted(&["apply", "--stop-after-failures", "2"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("2 failed, 2 skipped"), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("skipped because of too many failures").count(), 2, "{}", ran.stderr);
    assert!(sandbox.machine().is_empty());
    let without = sandbox.rooted(&["apply"]);
    assert!(without.stdout.contains("2 added") && without.stdout.contains("2 failed, 0 skipped"));
}

#[test]
fn an_audit_changes_nothing() {
    let sandbox = Sandbox::with("file \"/a\" {\n  content = \"x\"\n}\nfile \"/b\" {}\nlog \"c\" {}\n");
    sandbox.write("root/b", "");
    for command in ["apply", "plan"] {
        let before = sandbox.machine();
        let ran = sandbox.rooted(&[command, "--audit"]);
        let message = "  + file[\"/a\"]   (is missing; only audited; ./site.hcl:1:1)
      content: \"x\"
      mode:    \"0644\" (default)
  log.c: c

Audit: 1 differs, 2 as declared.
";
        ran.check(2, message, "");
        assert_eq!(sandbox.machine(), before);
    }
    sandbox.write("root/a", "x");
    let ran = sandbox.rooted(&["apply", "--audit"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(ran.stdout.ends_with("Audit: 0 differ, 3 as declared.\n"), "{}", ran.stdout);
}
