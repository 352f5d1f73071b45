//! Files beside the configuration, named by relative paths, are followed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::session::Ground;

fn ground(site: &str) -> Ground {
    let ground = Ground::with(site);
    fs::create_dir(ground.path("files")).expect("a folder");
    fs::create_dir_all(ground.path("web/files")).expect("a folder");
    ground
}

#[test]
fn a_changed_source_is_applied() {
    let ground =
        ground("file \"/site\" { source = \"files/page\" }\nmodule \"web\" { source = \"./web\" }\n");
    ground.write("web/main.hcl", "file \"/module\" { source = \"files/page\" }\n");
    ground.write("files/page", "one");
    ground.write("web/files/page", "first");
    let mut session = ground.watching(&["site.hcl"]);
    assert_eq!((ground.read("root/site"), ground.read("root/module")), ("one".into(), "first".into()));
    ground.save("files/page", "two");
    session.await_line("changed file[\"/site\"]: content, because files/page changed");
    assert_eq!(ground.read("root/site"), "two");
    // Written in place, in the directory of a module.
    ground.write("web/files/page", "second");
    ground.await_content("root/module", "second");
    // Drift is repaired to the newest content.
    ground.write("root/site", "drift");
    ground.await_content("root/site", "two");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_removed_source_leaves_the_previous_content_in_force() {
    let ground = ground("file \"/site\" { source = \"files/page\" }\n");
    ground.write("files/page", "one");
    let mut session = ground.watching(&["site.hcl"]);
    fs::remove_file(ground.path("files/page")).expect("it existed");
    session.await_line("cannot reload the configuration");
    ground.write("root/site", "drift");
    ground.await_content("root/site", "one");
    ground.write("files/page", "two");
    ground.await_content("root/site", "two");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_changed_archive_is_unpacked_again() {
    let ground = ground("archive \"/site\" { source = \"files/a.tar\" }\n");
    pack(&ground, "one");
    let session = ground.watching(&["site.hcl"]);
    assert_eq!(ground.read("root/site/page"), "one");
    pack(&ground, "two, which is longer");
    ground.await_content("root/site/page", "two, which is longer");
    drop(session);
}

/// Replaces the archive atomically by one with this page.
fn pack(ground: &Ground, page: &str) {
    ground.write("page", page);
    let mut tar = Command::new("tar");
    let status = tar.args(["-cf", "new.tar", "page"]).current_dir(ground.path("")).status();
    assert!(status.expect("tar runs").success());
    let (from, to) = (ground.path("new.tar"), ground.path("files/a.tar"));
    fs::rename(Path::new(&from), Path::new(&to)).expect("the same file system");
}
