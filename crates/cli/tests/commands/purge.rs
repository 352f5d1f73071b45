//! A purge leaves files of other resources in place, in every run.

use std::fs;

use super::sandbox::Sandbox;

const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

/// A machine with an account of root.
fn sandbox(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    fs::create_dir_all(sandbox.path("root/etc")).expect("a directory");
    fs::create_dir_all(sandbox.path("root/srv/ops/.ssh")).expect("a directory");
    sandbox.write("root/etc/passwd", "root:x:0:0:root:/srv/ops:/bin/sh\n");
    sandbox.write("root/etc/group", "root:x:0:\n");
    sandbox.write("root/srv/ops/.ssh/stranger", "");
    sandbox
}

#[track_caller]
fn check_key_stays(sandbox: &Sandbox) {
    assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
    for _ in 0..2 {
        sandbox.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
        assert!(sandbox.read("root/srv/ops/.ssh/authorized_keys").contains(KEY));
        assert!(!sandbox.path("root/srv/ops/.ssh/stranger").exists());
    }
}

#[test]
fn a_key_stays_in_a_purged_directory() {
    check_key_stays(&sandbox(&format!(
        "authorized_key \"k\" {{\n  user = \"root\"\n  key = \"{KEY}\"\n}}\n\
         directory \"/srv/ops/.ssh\" {{\n  purge = true\n}}\n"
    )));
}

#[test]
fn resources_of_a_script_are_not_purged() {
    let sandbox = sandbox("login \"ops\" {}\ndirectory \"/srv/ops/.ssh\" {\n  purge = true\n}\n");
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    let script = format!(
        "properties.name = {{ type = \"text\", name = true }}\n\
         function actions.create()\n    authorized_key(name, {{ user = \"root\", key = \"{KEY}\" }})\nend\n"
    );
    sandbox.write("kinds/login.luau", script);
    check_key_stays(&sandbox);
}

#[test]
fn a_purge_of_a_script_keeps_resources_declared_outside() {
    let sandbox = sandbox(&format!(
        "authorized_key \"k\" {{\n  user = \"root\"\n  key = \"{KEY}\"\n}}\nclean \"/srv/ops/.ssh\" {{}}\n"
    ));
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    let script = "properties.path = { type = \"text\", name = true }\n\
                  function actions.create()\n    directory(path, { purge = true })\nend\n";
    sandbox.write("kinds/clean.luau", script);
    check_key_stays(&sandbox);
}

/// A pattern keeps nothing, so that it must not be taken for a name.
#[test]
fn a_pattern_in_purge_is_refused() {
    let sandbox = Sandbox::with("directory \"/d\" {\n  purge = [\"*.conf\"]\n}\n");
    fs::create_dir_all(sandbox.path("root/d")).expect("a directory");
    sandbox.write("root/d/a.conf", "");
    let ran = sandbox.rooted(&["apply"]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("must be a path: patterns are not supported"), "{}", ran.stderr);
    assert!(sandbox.path("root/d/a.conf").exists());
}

/// A path that is declared through a link is also owned by its real path, and the other way round.
#[test]
fn a_path_declared_through_a_link_is_not_purged() {
    let check = |purged: &str, declared: &str| {
        let sandbox = Sandbox::with(format!(
            "directory \"{purged}\" {{\n  purge = true\n}}\nfile \"{declared}\" {{\n  content = \"x\"\n}}\n"
        ));
        fs::create_dir_all(sandbox.path("root/real/sub")).expect("a directory");
        std::os::unix::fs::symlink("/real", sandbox.path("root/link")).expect("a link");
        sandbox.write("root/real/sub/x", "x");
        sandbox.write("root/real/sub/stranger", "");
        assert_eq!(sandbox.rooted(&["apply"]).code, Some(0));
        assert_eq!(sandbox.read("root/real/sub/x"), "x", "{purged} {declared}");
        assert!(!sandbox.path("root/real/sub/stranger").exists(), "{purged} {declared}");
        sandbox.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
    };
    check("/real/sub", "/link/sub/x");
    check("/link/sub", "/real/sub/x");
    check("/real", "/link/sub/x");
}
