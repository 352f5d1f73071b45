//! The state directory: where it is, and what happens if it cannot be used.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

use super::sandbox::Sandbox;

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\n";

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).expect("it exists").permissions().mode() & 0o7777
}

#[test]
fn it_is_below_the_root_unless_given() {
    let sandbox = Sandbox::with(SITE);
    let ran = sandbox
        .command(&["apply", "--root", "root", "site.hcl"])
        .env_remove("UPHOLD_STATE")
        .output()
        .expect("it runs");
    assert!(ran.status.success());
    let state = sandbox.path("root/var/lib/uphold");
    assert_eq!(mode(&state), 0o700);
    assert!(fs::read_dir(state).expect("a directory").count() > 0);
    let given = sandbox.run(&["apply", "--root", "root", "--state", "mine", "site.hcl"]);
    assert_eq!(given.code, Some(0), "{}", given.stderr);
    assert!(sandbox.path("mine/runs/000001.jsonl").exists());
    assert!(!sandbox.path(".state").exists());
}

#[test]
fn a_directory_that_others_can_write_is_refused() {
    let sandbox = Sandbox::with(SITE);
    let state = sandbox.path(".state");
    fs::create_dir(&state).expect("a directory");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).expect("a mode");
    let refused = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(refused.code, Some(1));
    let expected = "FOLDER/.state is not trusted: others can write it";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    // Its content may be forged, so no hint makes it the user's own.
    assert!(!refused.stderr.contains("chown"), "{}", refused.stderr);
    assert!(!sandbox.path("root/a").exists(), "nothing was changed");
    let planned = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(planned.code, Some(2), "a plan is only less informed: {}", planned.stderr);
    assert!(planned.stderr.starts_with("warning: "), "{}", planned.stderr);
    fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).expect("a mode");
    chown(&state, Some(1234), None).expect("an owner");
    let refused = sandbox.rooted(&["apply", "site.hcl"]);
    assert!(refused.stderr.contains("it belongs to uid 1234"), "{}", refused.stderr);
    assert_eq!(sandbox.rooted(&["apply", "--no-journal", "site.hcl"]).code, Some(0));
}

/// Another user must not choose where root writes.
#[test]
fn a_planted_link_to_another_directory_is_refused() {
    let sandbox = Sandbox::with(SITE);
    for (directory, mode, owner) in [("sticky", 0o1777, 0), ("own", 0o755, 1234)] {
        fs::create_dir(sandbox.path(directory)).expect("a directory");
        fs::set_permissions(sandbox.path(directory), fs::Permissions::from_mode(mode)).expect("a mode");
        symlink("../root", sandbox.path(directory).join("state")).expect("a link");
        lchown(sandbox.path(directory).join("state"), Some(1234), None).expect("an owner");
        chown(sandbox.path(directory), Some(owner), None).expect("an owner");
        let state = format!("{directory}/state");
        let refused = sandbox.run(&["apply", "--root", "root", "--state", &state, "site.hcl"]);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(refused.stderr.contains("is not trusted"), "{}", refused.stderr);
        assert_eq!(fs::read_dir(sandbox.path("root")).expect("a directory").count(), 0);
    }
}

#[test]
fn an_audit_log_that_is_a_pipe_is_refused() {
    let sandbox = Sandbox::with(SITE);
    let made = std::process::Command::new("mkfifo").arg(sandbox.path("log")).status();
    assert!(made.expect("mkfifo runs").success());
    let refused = sandbox.rooted(&["apply", "--audit-log", "log", "site.hcl"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("cannot open the audit log log"), "{}", refused.stderr);
    assert!(!sandbox.path("root/a").exists(), "nothing was changed");
}

#[test]
fn a_place_without_a_directory_is_an_error_with_a_way_out() {
    let sandbox = Sandbox::with(SITE);
    let refused = sandbox.rooted(&["apply", "site.hcl", "--state", "/dev/null/state"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--state DIR"), "{}", refused.stderr);
    assert!(!sandbox.path("root/a").exists(), "nothing was changed");
}

#[test]
fn a_damaged_file_is_kept_aside_and_the_run_goes_on() {
    let sandbox = Sandbox::with(SITE);
    fs::create_dir(sandbox.path(".state")).expect("a directory");
    fs::set_permissions(sandbox.path(".state"), fs::Permissions::from_mode(0o700)).expect("a mode");
    sandbox.write(".state/pending", "garbage\nmore garbage\n");
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning: `pending` of the journal is damaged at line 1"), "{}", ran.stderr);
    let kept = fs::read_dir(sandbox.path(".state")).expect("a directory");
    let names = kept.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    assert_eq!(names.filter(|name| name.starts_with("pending.damaged-")).count(), 1);
    let again = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!((again.code, &*again.stderr), (Some(0), ""));
}
