//! Every kind of change of a path and of its directories.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;

use uphold_resource::Interest;

use super::scene::{Scene, none, only, say};

/// Watches `/a/b/f` during `act`: the change must be reported immediately and once, and the watch must still work.
#[track_caller]
fn check_on(scene: &Scene, top: &Path, act: &dyn Fn(&Path)) {
    let file = scene.write("a/b/f", "before");
    scene.write("a/b/sibling", "");
    scene.watch(1, Interest::Path(top.join("a/b/f")));
    assert_eq!(scene.tokens(), none(), "nothing happened yet");
    act(scene.top());
    assert_eq!(scene.tokens(), only(1), "the change is reported");
    assert_eq!(scene.tokens(), none(), "nothing is reported twice");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    if file.is_dir() {
        fs::remove_dir(&file).unwrap();
    } else {
        let _ = fs::remove_file(&file);
    }
    scene.tokens();
    fs::write(&file, "after").unwrap();
    assert_eq!(scene.tokens(), only(1), "it is watched as before");
    fs::write(scene.path("a/b/sibling"), "changed").unwrap();
    assert_eq!(scene.tokens(), none(), "another file is not reported");
}

#[track_caller]
fn check(act: impl Fn(&Path)) {
    let scene = Scene::new();
    check_on(&scene, scene.top(), &act);
    let scene = Scene::rooted();
    check_on(&scene, Path::new("/"), &act);
}

#[test]
fn reports_content() {
    check(|top| fs::write(top.join("a/b/f"), "overwritten").unwrap());
    check(|top| {
        use std::io::Write;
        fs::File::options().append(true).open(top.join("a/b/f")).unwrap().write_all(b"x").unwrap();
    });
    check(|top| fs::File::options().write(true).open(top.join("a/b/f")).unwrap().set_len(0).unwrap());
}

#[test]
fn reports_replacement() {
    check(|top| {
        fs::write(top.join("a/b/new"), "replaced").unwrap();
        fs::rename(top.join("a/b/new"), top.join("a/b/f")).unwrap();
    });
    check(|top| {
        fs::write(top.join("new"), "from elsewhere").unwrap();
        fs::rename(top.join("new"), top.join("a/b/f")).unwrap();
    });
    check(|top| {
        fs::remove_file(top.join("a/b/f")).unwrap();
        symlink("sibling", top.join("a/b/f")).unwrap();
    });
    check(|top| {
        fs::remove_file(top.join("a/b/f")).unwrap();
        fs::create_dir(top.join("a/b/f")).unwrap();
    });
    check(|top| {
        fs::remove_file(top.join("a/b/f")).unwrap();
        fs::hard_link(top.join("a/b/sibling"), top.join("a/b/f")).unwrap();
    });
}

#[test]
fn reports_an_exchange() {
    let exchange = |one: &Path, other: &Path| {
        let flags = rustix::fs::RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(rustix::fs::CWD, one, rustix::fs::CWD, other, flags).unwrap();
    };
    check(|top| exchange(&top.join("a/b/f"), &top.join("a/b/sibling")));
    check(|top| exchange(&top.join("a/b/sibling"), &top.join("a/b/f")));
    check(|top| {
        fs::create_dir_all(top.join("new/b")).unwrap();
        exchange(&top.join("a"), &top.join("new"));
        fs::create_dir_all(top.join("a/b")).unwrap();
    });
}

#[test]
fn reports_removal() {
    check(|top| fs::remove_file(top.join("a/b/f")).unwrap());
    check(|top| fs::rename(top.join("a/b/f"), top.join("a/b/away")).unwrap());
    check(|top| fs::rename(top.join("a/b/f"), top.join("away")).unwrap());
    check(|top| {
        fs::rename(top.join("a/b/f"), top.join("away")).unwrap();
        fs::rename(top.join("away"), top.join("a/b/f")).unwrap();
    });
    check(|top| fs::remove_dir_all(top.join("a")).unwrap());
}

#[test]
fn reports_attributes() {
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    check(|top| mode(&top.join("a/b/f"), 0o600));
    check(|top| {
        let file = fs::File::options().write(true).open(top.join("a/b/f")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    });
    match rustix::process::geteuid().is_root() {
        true => check(|top| chown(top.join("a/b/f"), Some(12_345), None).unwrap()),
        false => say("SKIPPED chown: only root can"),
    }
}

#[test]
fn reports_changes_of_parent_directories() {
    check(|top| fs::rename(top.join("a/b"), top.join("away")).unwrap());
    check(|top| fs::rename(top.join("a"), top.join("away")).unwrap());
    check(|top| {
        fs::rename(top.join("a"), top.join("away")).unwrap();
        fs::rename(top.join("away"), top.join("a")).unwrap();
    });
    check(|top| {
        fs::create_dir_all(top.join("new/b")).unwrap();
        fs::write(top.join("new/b/f"), "another").unwrap();
        fs::rename(top.join("a"), top.join("away")).unwrap();
        fs::rename(top.join("new"), top.join("a")).unwrap();
    });
    check(|top| {
        fs::rename(top.join("a"), top.join("away")).unwrap();
        fs::write(top.join("a"), "a file in the place of a directory").unwrap();
        fs::remove_file(top.join("a")).unwrap();
    });
    check(|top| {
        fs::rename(top.join("a"), top.join("away")).unwrap();
        symlink("away", top.join("a")).unwrap();
        fs::remove_file(top.join("a")).unwrap();
    });
}

/// After the replacement of the directory, the new one must be watched, and the old one must not.
#[test]
fn watches_a_new_directory_instead_of_the_old_one() {
    let scene = Scene::new();
    let file = scene.write("a/b/f", "");
    scene.watch(1, Interest::Path(file.clone()));
    fs::rename(scene.path("a"), scene.path("old")).unwrap();
    scene.write("a/b/f", "");
    assert_eq!(scene.tokens(), only(1));
    fs::write(scene.path("old/b/f"), "not watched").unwrap();
    assert_eq!(scene.tokens(), none());
    fs::write(&file, "watched").unwrap();
    assert_eq!(scene.tokens(), only(1));
}

#[test]
fn watches_a_path_that_does_not_exist_yet() {
    let scene = Scene::new();
    let file = scene.path("x/y/z/f");
    scene.watch(1, Interest::Path(file.clone()));
    for level in ["x", "x/y", "x/y/z"] {
        fs::create_dir(scene.path(level)).unwrap();
        assert_eq!(scene.tokens(), only(1), "{level}");
    }
    fs::write(&file, "").unwrap();
    assert_eq!(scene.changed_paths(), [file]);
}

/// The state of a directory that was not watched for a while must be probed again.
#[test]
fn probes_a_directory_that_was_not_watched_again() {
    let scene = Scene::new();
    let file = scene.path("x/f");
    scene.watch(1, Interest::Path(scene.path("x")));
    scene.watch(2, Interest::Path(file.clone()));
    scene.watcher.arm(2, &[]).unwrap();
    fs::create_dir(scene.path("x")).unwrap();
    assert_eq!(scene.tokens(), only(1));
    scene.watch(2, Interest::Path(file.clone()));
    fs::write(&file, "").unwrap();
    assert_eq!(scene.tokens(), only(2));
}

/// Directories are created and filled at once, at any time: nothing may be lost. The last report must come after the last
/// write, or the write must be visible to a check that follows the report.
#[test]
fn reports_directories_that_are_filled_at_once() {
    let scene = Scene::new();
    for round in 0..200 {
        let file = scene.path(&format!("r{round}/x/y/f"));
        scene.watch(1, Interest::Path(file.clone()));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, "").unwrap();
                fs::write(&file, "whole").unwrap();
            });
            let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
            while fs::read(&file).unwrap_or_default() != b"whole" {
                let reports = scene.next(end.saturating_duration_since(std::time::Instant::now()));
                assert!(!reports.is_empty(), "round {round}: the last write was not reported");
            }
        });
        scene.tokens();
    }
}

#[test]
fn entries_of_a_directory_do_not_count_for_its_path() {
    let scene = Scene::new();
    let inside = scene.write("d/inside", "");
    scene.watch(1, Interest::Path(scene.path("d")));
    scene.watch(2, Interest::Entries(scene.path("d")));
    fs::write(&inside, "changed").unwrap();
    assert_eq!(scene.tokens(), none(), "content of what is inside");
    scene.write("d/new", "");
    assert_eq!(scene.changed_paths(), [scene.path("d/new")]);
    fs::remove_file(&inside).unwrap();
    assert_eq!(scene.tokens(), only(2), "a name vanished");
    fs::set_permissions(scene.path("d"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(scene.tokens().len(), 2, "the directory itself");
    fs::rename(scene.path("d"), scene.path("e")).unwrap();
    assert_eq!(scene.tokens().len(), 2, "it vanished");
    fs::create_dir(scene.path("d")).unwrap();
    assert_eq!(scene.tokens().len(), 2, "it appeared");
    scene.write("d/new", "");
    assert_eq!(scene.tokens(), only(2), "a name appeared");
}

/// The content of a parent directory does not matter; later it may.
#[test]
fn watches_the_content_of_a_parent_directory_later() {
    let scene = Scene::new();
    scene.watch(1, Interest::Path(scene.write("d/sub/f", "")));
    let file = scene.write("d/g", "");
    scene.tokens();
    scene.watch(2, Interest::Path(file.clone()));
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens(), only(2));
    symlink("e/h", scene.path("l")).unwrap();
    scene.watch(3, Interest::Path(scene.write("e/sub/f", "")));
    let file = scene.write("e/h", "");
    scene.tokens();
    scene.watch(4, Interest::Entries(scene.path("l")));
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens(), only(4));
}

/// The report contains the changed path, which may be above the watched one.
#[test]
fn reports_the_changed_path() {
    let scene = Scene::new();
    let file = scene.write("a/b/f", "");
    scene.watch(1, Interest::Path(file.clone()));
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.changed_paths(), [file]);
    fs::rename(scene.path("a"), scene.path("away")).unwrap();
    assert_eq!(scene.changed_paths(), [scene.path("a")]);
}

#[test]
fn watches_the_root_directory() {
    let scene = Scene::rooted();
    scene.watch(1, Interest::Path("/".into()));
    fs::set_permissions(scene.top(), fs::Permissions::from_mode(0o711)).unwrap();
    assert_eq!(scene.tokens(), only(1));
}
