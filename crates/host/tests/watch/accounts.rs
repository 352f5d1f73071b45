//! The databases of users and of packages.

use uphold_resource::{ErrorKind, Interest};

use crate::scene::{Scene, nobody, only};

#[test]
fn accounts() {
    let scene = Scene::rooted();
    scene.watch(1, Interest::Accounts);
    for file in ["etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"] {
        scene.write(file, "");
        assert_eq!(scene.told(), only(1), "{file} came");
        scene.write(file, "x");
        assert_eq!(scene.told(), only(1), "{file} changed");
    }
    scene.write("etc/other", "");
    assert_eq!(scene.told(), nobody());
}

#[test]
fn packages() {
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
        assert_eq!(scene.told(), only(1), "{file}");
    }
    scene.write("var/lib/dpkg/status-old", "");
    assert_eq!(scene.told(), nobody());
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
    assert_eq!(scene.told(), only(1), "the rest is armed");
}
