//! Files beside the configuration, named by relative paths, are followed.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::session::Sandbox;

fn sandbox(site: &str) -> Sandbox {
    let sandbox = Sandbox::with(site);
    fs::create_dir(sandbox.path("files")).expect("a folder");
    fs::create_dir_all(sandbox.path("web/files")).expect("a folder");
    sandbox
}

#[test]
fn a_changed_source_is_applied() {
    let sandbox =
        sandbox("file \"/site\" { source = \"files/page\" }\nmodule \"web\" { source = \"./web\" }\n");
    sandbox.write("web/main.hcl", "file \"/module\" { source = \"files/page\" }\n");
    sandbox.write("files/page", "one");
    sandbox.write("web/files/page", "first");
    let mut session = sandbox.watching(&["site.hcl"]);
    assert_eq!((sandbox.read("root/site"), sandbox.read("root/module")), ("one".into(), "first".into()));
    sandbox.save("files/page", "two");
    session.await_line("changed file[\"/site\"]: content, because files/page changed");
    assert_eq!(sandbox.read("root/site"), "two");
    // Written in place, in the directory of a module.
    sandbox.write("web/files/page", "second");
    sandbox.await_content("root/module", "second");
    // Drift is repaired to the newest content.
    sandbox.write("root/site", "drift");
    sandbox.await_content("root/site", "two");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_removed_source_leaves_the_previous_content_in_force() {
    let sandbox = sandbox("file \"/site\" { source = \"files/page\" }\n");
    sandbox.write("files/page", "one");
    let mut session = sandbox.watching(&["site.hcl"]);
    fs::remove_file(sandbox.path("files/page")).expect("it existed");
    session.await_line("cannot reload the configuration");
    sandbox.write("root/site", "drift");
    sandbox.await_content("root/site", "one");
    sandbox.write("files/page", "two");
    sandbox.await_content("root/site", "two");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_changed_archive_is_unpacked_again() {
    let sandbox = sandbox("archive \"/site\" { source = \"files/a.tar\" }\n");
    pack(&sandbox, "one");
    let session = sandbox.watching(&["site.hcl"]);
    assert_eq!(sandbox.read("root/site/page"), "one");
    pack(&sandbox, "two, which is longer");
    sandbox.await_content("root/site/page", "two, which is longer");
    drop(session);
}

/// Replaces the archive atomically by one with this page.
fn pack(sandbox: &Sandbox, page: &str) {
    sandbox.write("page", page);
    let mut tar = Command::new("tar");
    let status = tar.args(["-cf", "new.tar", "page"]).current_dir(sandbox.path("")).status();
    assert!(status.expect("tar runs").success());
    let (from, to) = (sandbox.path("new.tar"), sandbox.path("files/a.tar"));
    fs::rename(Path::new(&from), Path::new(&to)).expect("the same file system");
}
