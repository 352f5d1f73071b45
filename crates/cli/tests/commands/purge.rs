//! A purge leaves files of other resources in place, in every run.

use std::fs;

use crate::ground::Ground;

const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

/// A machine with an account of root.
fn ground(configuration: &str) -> Ground {
    let ground = Ground::with(configuration);
    fs::create_dir_all(ground.path("root/etc")).expect("a directory");
    fs::create_dir_all(ground.path("root/srv/ops/.ssh")).expect("a directory");
    ground.write("root/etc/passwd", "root:x:0:0:root:/srv/ops:/bin/sh\n");
    ground.write("root/etc/group", "root:x:0:\n");
    ground.write("root/srv/ops/.ssh/stranger", "");
    ground
}

#[track_caller]
fn check_key_stays(ground: &Ground) {
    assert_eq!(ground.rooted(&["apply"]).code, Some(0));
    for _ in 0..2 {
        ground.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
        assert!(ground.read("root/srv/ops/.ssh/authorized_keys").contains(KEY));
        assert!(!ground.path("root/srv/ops/.ssh/stranger").exists());
    }
}

#[test]
fn a_key_stays_in_a_purged_directory() {
    check_key_stays(&ground(&format!(
        "authorized_key \"k\" {{\n  user = \"root\"\n  key = \"{KEY}\"\n}}\n\
         directory \"/srv/ops/.ssh\" {{\n  purge = true\n}}\n"
    )));
}

#[test]
fn resources_of_a_script_are_not_purged() {
    let ground = ground("login \"ops\" {}\ndirectory \"/srv/ops/.ssh\" {\n  purge = true\n}\n");
    fs::create_dir(ground.path("kinds")).expect("a directory");
    let script = format!(
        "properties.name = {{ type = \"text\", name = true }}\n\
         function actions.create()\n    authorized_key(name, {{ user = \"root\", key = \"{KEY}\" }})\nend\n"
    );
    ground.write("kinds/login.luau", script);
    check_key_stays(&ground);
}

#[test]
fn a_purge_of_a_script_keeps_resources_declared_outside() {
    let ground = ground(&format!(
        "authorized_key \"k\" {{\n  user = \"root\"\n  key = \"{KEY}\"\n}}\nclean \"/srv/ops/.ssh\" {{}}\n"
    ));
    fs::create_dir(ground.path("kinds")).expect("a directory");
    let script = "properties.path = { type = \"text\", name = true }\n\
                  function actions.create()\n    directory(path, { purge = true })\nend\n";
    ground.write("kinds/clean.luau", script);
    check_key_stays(&ground);
}

/// A path that is declared through a link is also owned by its real path, and the other way round.
#[test]
fn a_path_declared_through_a_link_is_not_purged() {
    let check = |purged: &str, declared: &str| {
        let ground = Ground::with(format!(
            "directory \"{purged}\" {{\n  purge = true\n}}\nfile \"{declared}\" {{\n  content = \"x\"\n}}\n"
        ));
        fs::create_dir_all(ground.path("root/real/sub")).expect("a directory");
        std::os::unix::fs::symlink("/real", ground.path("root/link")).expect("a link");
        ground.write("root/real/sub/x", "x");
        ground.write("root/real/sub/stranger", "");
        assert_eq!(ground.rooted(&["apply"]).code, Some(0));
        assert_eq!(ground.read("root/real/sub/x"), "x", "{purged} {declared}");
        assert!(!ground.path("root/real/sub/stranger").exists(), "{purged} {declared}");
        ground.rooted(&["apply"]).check(0, "No changes. 2 resources are as declared.\n", "");
    };
    check("/real/sub", "/link/sub/x");
    check("/link/sub", "/real/sub/x");
    check("/real", "/link/sub/x");
}
