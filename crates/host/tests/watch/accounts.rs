//! The user and package databases.

use uphold_resource::{ErrorKind, Interest};

use super::scene::{Scene, none, only};

#[test]
fn watches_accounts() {
    let scene = Scene::rooted();
    scene.watch(1, Interest::Accounts);
    for file in ["etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"] {
        scene.write(file, "");
        assert_eq!(scene.tokens(), only(1), "{file} appeared");
        scene.write(file, "x");
        assert_eq!(scene.tokens(), only(1), "{file} changed");
    }
    scene.write("etc/other", "");
    assert_eq!(scene.tokens(), none());
}

#[test]
fn watches_packages() {
    let scene = Scene::rooted();
    scene.watch(1, Interest::Packages);
    let databases = [
        "var/lib/dpkg/status",
        "lib/apk/db/installed",
        "var/lib/rpm/rpmdb.sqlite",
        "var/lib/pacman/local/some-1.0",
    ];
    for file in databases {
        scene.write(file, "");
        assert_eq!(scene.tokens(), only(1), "{file}");
    }
    scene.write("var/lib/dpkg/status-old", "");
    assert_eq!(scene.tokens(), none());
}

#[test]
fn without_systemd_no_unit_can_be_watched() {
    let scene = Scene::rooted();
    scene.write("f", "");
    let interests = [Interest::Unit("a.service".into()), Interest::Path("/f".into())];
    let error = scene.watcher.arm(1, &interests).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("systemd does not run here"), "{error}");
    scene.write("f", "x");
    assert_eq!(scene.tokens(), only(1), "the rest is armed");
}
