//! Files and links that another user planted at the path of a plan, a report or a source.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use super::sandbox::Sandbox;
use super::saved_plan::{apply, plan};

const SITE: &str = "file \"/a\" { content = \"x\" }\n";

/// The ID of a user other than root.
const OTHER_USER: u32 = 12_345;

/// Gives the file to another user; false, with a message, if the test does not run as root.
fn give_away(path: &Path, mode: u32) -> bool {
    if chown(path, Some(OTHER_USER), Some(OTHER_USER)).is_err() {
        let _ = writeln!(std::io::stderr(), "SKIPPED {}: only root can give files away", path.display());
        return false;
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    true
}

#[test]
fn plans_and_reports_replace_files_of_other_users() {
    let sandbox = Sandbox::with(SITE);
    for name in ["plan", "report.json", "report.xml"] {
        sandbox.write(name, "");
        if !give_away(&sandbox.path(name), 0o666) {
            return;
        }
    }
    plan(&sandbox, &["--report", "report.json", "--report", "report.xml"]);
    for name in ["plan", "report.json", "report.xml"] {
        let found = fs::metadata(sandbox.path(name)).expect("it exists");
        assert_eq!((found.uid(), found.gid(), found.mode() & 0o7777), (0, 0, 0o600), "{name}");
    }
}

#[test]
fn a_plan_that_others_own_or_can_write_is_not_applied() {
    let sandbox = Sandbox::with(SITE);
    plan(&sandbox, &[]);
    let path = sandbox.path("plan");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o606)).expect("a mode");
    apply(&sandbox).check(
        1,
        "",
        "error: cannot read the plan FOLDER/plan\n  \
         because: FOLDER/plan is not trusted: others can write it\n  \
         hint: review it, and keep a copy where only you and root can write\n",
    );
    if give_away(&path, 0o600) {
        let refused = apply(&sandbox);
        assert!(
            refused.stderr.contains("because: FOLDER/plan is not trusted: it belongs to uid 12345\n"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(sandbox.machine().len(), 0);
    assert_eq!(sandbox.run(&["show", "plan"]).code, Some(0));
}

#[test]
fn a_plan_in_a_directory_that_others_can_write_is_applied_only_if_it_is_sticky() {
    let sandbox = Sandbox::with(SITE);
    fs::create_dir(sandbox.path("open")).expect("a directory");
    plan(&sandbox, &[]);
    fs::rename(sandbox.path("plan"), sandbox.path("open/plan")).expect("a plan");
    let permit =
        |mode| fs::set_permissions(sandbox.path("open"), fs::Permissions::from_mode(mode)).expect("a mode");
    permit(0o777);
    let refused = sandbox.run(&["apply", "open/plan"]);
    assert_eq!(refused.code, Some(1));
    let expected = "because: FOLDER/open/plan is not trusted: others can write FOLDER/open\n";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    assert_eq!(sandbox.machine().len(), 0);
    permit(0o1777);
    assert_eq!(sandbox.run(&["apply", "open/plan"]).code, Some(0));
    assert_eq!(sandbox.machine().len(), 1);
}

/// Links of another user cannot redirect reading, packing or showing.
#[test]
fn content_is_not_read_through_planted_links() {
    let check_for = |configuration: &str, reason: &str| {
        let sandbox = Sandbox::with("");
        let at = |name: &str| sandbox.path(name).display().to_string();
        sandbox.write("site.hcl", configuration.replace("HOME", &at("open")).replace("OUT", &at("out")));
        fs::create_dir(sandbox.path("open")).expect("a directory");
        fs::create_dir(sandbox.path("victim")).expect("a directory");
        sandbox.write("victim/shadow", "treasure");
        fs::set_permissions(sandbox.path("open"), fs::Permissions::from_mode(0o777)).expect("a mode");
        std::os::unix::fs::symlink(sandbox.path("victim"), sandbox.path("open/link")).expect("a link");
        for command in ["plan", "apply"] {
            let ran = sandbox.run(&[command]);
            assert_eq!(ran.code, Some(1), "{configuration}: {}{}", ran.stdout, ran.stderr);
            let printed = ran.stdout + &ran.stderr;
            assert!(printed.contains(reason), "{printed}");
            assert!(!printed.contains("treasure") && !printed.contains("victim"), "{printed}");
        }
        assert!(!sandbox.path("out").exists());
    };
    let reason = "open/link is a symbolic link in a directory that others can write";
    let check = |configuration: &str| check_for(configuration, reason);
    check("file \"OUT\" {\n  source = \"HOME/link/shadow\"\n}\n");
    check("gzip \"OUT\" {\n  source = \"HOME/link/shadow\"\n}\n");
    check("tar \"OUT\" {\n  inputs = [\"HOME/link/shadow\"]\n}\n");
    check("archive \"OUT\" {\n  source = \"HOME/link/shadow\"\n}\n");
    let reason = "another user could have chosen the password in FOLDER/open/link/shadow: others can write FOLDER/open";
    check_for("password \"p\" {\n  path = \"HOME/link/shadow\"\n}\n", reason);
    for function in ["file", "filebase64", "filesha256"] {
        check(&format!("file \"OUT\" {{\n  content = {function}(\"HOME/link/shadow\")\n}}\n"));
    }
    check("file \"OUT\" {\n  content = template(\"HOME/link/shadow\", {})\n}\n");
}
