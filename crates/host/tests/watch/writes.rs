//! Writes are reported when the file is closed, or after a second.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};
use uphold_host::LocalHost;
use uphold_resource::{Access, FileEdits, Interest, NewFile};

use super::scene::{Scene, none, only, say};

/// The time for a writer to close the file.
const TIMEOUT: Duration = Duration::from_secs(1);

/// A bit longer than that.
const LONGER: Duration = Duration::from_millis(1300);

/// Watches `d/f` by six different interests, with the tokens 1 to 6.
fn six_interests(scene: &Scene) -> File {
    scene.write("d/f", "before");
    fs::hard_link(scene.path("d/f"), scene.path("hard")).unwrap();
    symlink("d/f", scene.path("soft")).unwrap();
    symlink("d", scene.path("way")).unwrap();
    scene.watch(1, Interest::Path(scene.path("d/f")));
    scene.watch(2, Interest::Tree(scene.path("d")));
    scene.watch(3, Interest::Entries(scene.path("d/f")));
    scene.watch(4, Interest::Entries(scene.path("soft")));
    scene.watch(5, Interest::Path(scene.path("way/f")));
    scene.watch(6, Interest::Path(scene.path("hard")));
    assert_eq!(scene.tokens(), none());
    File::options().write(true).open(scene.path("d/f")).unwrap()
}

/// The times of reports within this span.
fn report_times(scene: &Scene, span: Duration) -> Vec<Duration> {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while begin.elapsed() < span {
        if !scene.next(span.saturating_sub(begin.elapsed())).is_empty() {
            times.push(begin.elapsed());
        }
    }
    times
}

#[test]
fn reports_a_write_in_pieces_when_the_file_is_closed() {
    let scene = Scene::new();
    let mut file = six_interests(&scene);
    file.set_len(0).unwrap();
    for piece in ["one", "two", "three"] {
        assert_eq!(scene.tokens(), none(), "before {piece}");
        sleep(Duration::from_millis(100));
        file.write_all(piece.as_bytes()).unwrap();
    }
    assert_eq!(scene.tokens(), none(), "not closed yet");
    drop(file);
    assert_eq!(scene.tokens(), (1..=6).collect(), "closed");
    assert_eq!(scene.next(LONGER), [], "once");
}

#[test]
fn reports_an_open_file_after_a_second() {
    let scene = Scene::new();
    let mut file = six_interests(&scene);
    let begin = Instant::now();
    file.write_all(b"x").unwrap();
    assert_eq!(scene.tokens(), none());
    // The watcher itself ends the wait.
    assert_eq!(scene.next(TIMEOUT * 30).len(), 6);
    assert!((TIMEOUT..TIMEOUT * 10).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    assert_eq!(scene.next(LONGER), [], "once");
    drop(file);
    assert_eq!(scene.tokens(), (1..=6).collect(), "closed");
}

/// As for a log: reported about once a second, however much is written.
#[test]
fn reports_continuous_writes_once_a_second() {
    let scene = Scene::new();
    let mut log = File::create(scene.path("log")).unwrap();
    scene.watch(1, Interest::Path(scene.path("log")));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for _ in 0..350 {
                log.write_all(b"line\n").unwrap();
                sleep(Duration::from_millis(10));
            }
            sleep(LONGER);
        });
        let times = report_times(&scene, Duration::from_millis(3400));
        assert!((2..=3).contains(&times.len()), "{times:?}");
        assert!(times.windows(2).all(|two| two[1] - two[0] >= Duration::from_millis(900)), "{times:?}");
    });
}

/// Nothing is opened, so nothing is closed.
#[test]
fn reports_a_truncation_by_path() {
    let check = |act: &dyn Fn(&Path) -> bool| {
        let scene = Scene::new();
        let file = scene.write("f", "before");
        scene.watch(1, Interest::Path(file.clone()));
        let begin = Instant::now();
        if act(&file) {
            assert_eq!(scene.next(TIMEOUT * 30).len(), 1);
            assert!((TIMEOUT..TIMEOUT * 10).contains(&begin.elapsed()), "{:?}", begin.elapsed());
        }
    };
    check(&set_time);
    check(&|file| {
        let script = ["-e", "truncate $ARGV[0], 0 or die"];
        let done = Command::new("perl").args(script).arg(file).status().is_ok_and(|status| status.success());
        if !done {
            say("SKIPPED truncate(2): perl is not installed");
        }
        done
    });
}

/// Sets only the modification time, which the kernel reports as a change of the content.
fn set_time(path: &Path) -> bool {
    let omitted = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let times = Timestamps { last_access: omitted, last_modification: Timespec { tv_sec: 1, tv_nsec: 0 } };
    utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW).unwrap();
    true
}

#[test]
fn reports_directories_immediately() {
    let scene = Scene::new();
    fs::create_dir(scene.path("d")).unwrap();
    scene.watch(1, Interest::Path(scene.path("d")));
    scene.watch(2, Interest::Entries(scene.path("d")));
    set_time(&scene.path("d"));
    assert_eq!(scene.tokens(), [1, 2].into());
}

/// Any other event of the file is reported immediately, and covers the write.
#[test]
fn other_events_do_not_wait_for_a_write() {
    let check = |act: &dyn Fn(&Scene)| {
        let scene = Scene::new();
        let (file, new) = (scene.write("f", ""), scene.write("new", "new"));
        scene.watch(1, Interest::Path(file.clone()));
        let mut writer = File::create(&file).unwrap();
        writer.write_all(b"x").unwrap();
        assert_eq!(scene.tokens(), none());
        act(&scene);
        assert_eq!(scene.tokens(), only(1), "immediately");
        assert_eq!(scene.next(LONGER), [], "no more");
        assert!(new.exists() || fs::read(&file).unwrap() == b"new");
    };
    check(&|scene| fs::rename(scene.path("new"), scene.path("f")).unwrap());
    check(&|scene| fs::remove_file(scene.path("f")).unwrap());
    check(&|scene| fs::rename(scene.path("f"), scene.path("away")).unwrap());
    let mode = fs::Permissions::from_mode(0o600);
    check(&|scene| fs::set_permissions(scene.path("f"), mode.clone()).unwrap());
    check(&|scene| drop(File::options().append(true).open(scene.path("f")).unwrap()));
}

/// Continuous writes to another file cost no timer, and are not reported.
#[test]
fn does_not_remember_unwatched_writes() {
    // No parent directory is watched that other tests could change.
    let scene = Scene::rooted();
    scene.write("f", "");
    scene.watch(1, Interest::Path("/f".into()));
    let mut neighbour = File::create(scene.path("neighbour")).unwrap();
    scene.tokens();
    neighbour.write_all(b"x").unwrap();
    assert_eq!(scene.tokens(), none());
    let begin = Instant::now();
    scene.watcher.wait(Some(LONGER));
    assert!(begin.elapsed() >= LONGER, "{:?}", begin.elapsed());
}

/// Our own writes are reported before the next check, and not later.
#[test]
fn reports_own_writes_immediately() {
    let scene = Scene::new();
    let host = LocalHost::new();
    let file = scene.write("d/f", "");
    scene.watch(1, Interest::Path(file.clone()));
    scene.watch(2, Interest::Tree(scene.path("d")));
    let check = |what: &str, act: &dyn Fn()| {
        act();
        assert_eq!(scene.tokens(), [1, 2].into(), "{what}");
    };
    let access = Access::default();
    let accept = |_: &Path| Ok(());
    let new = NewFile::new(b"new", access);
    let verified = NewFile { content: b"verified", verify: Some(&accept), ..new };
    check("replaced", &|| host.write(&file, &new).unwrap());
    check("verified", &|| host.write(&file, &verified).unwrap());
    check("removed", &|| host.remove_file(&file).unwrap());
    check("made", &|| host.write(&file, &new).unwrap());
    let source = scene.write("source", "source");
    check("copied", &|| host.copy(&source, &file).unwrap());
    check("a hard link", &|| host.make_hard_link(&file, &source).unwrap());
    check("a link", &|| host.make_link(&file, &source).unwrap());
    check("replaced again", &|| host.write(&file, &NewFile { replace_other: true, ..new }).unwrap());
    check("its mode", &|| {
        let access = Access { mode: Some(0o640), ..Access::default() };
        uphold_resource::set_access(&file, "a regular file", &access, &LocalHost::new().machine().act())
            .unwrap();
    });
    assert_eq!(scene.next(LONGER), [], "nothing is reported later");
}

/// Before a file is in place, its temporary name, or the lack of one, is not reported.
#[test]
fn does_not_report_own_temporary_files() {
    let scene = Scene::new();
    let host = LocalHost::new();
    let file = scene.write("d/f", "");
    scene.watch(1, Interest::Tree(scene.path("d")));
    scene.watch(2, Interest::Entries(scene.path("d")));
    let nothing_yet = |candidate: &Path| {
        assert!(candidate.exists());
        assert_eq!(scene.changed_paths(), Vec::<PathBuf>::new());
        Ok(())
    };
    let access = Access { mode: Some(0o640), ..Access::default() };
    let verified = NewFile { verify: Some(&nothing_yet), ..NewFile::new(b"new", access) };
    host.write(&file, &verified).unwrap();
    assert!(scene.changed_paths().iter().all(|path| *path == file));
    host.make_directory(&scene.path("d/made"), &access).unwrap();
    host.make_link(&file, Path::new("made")).unwrap();
    host.write(&scene.path("d/made"), &NewFile { verify: None, replace_other: true, ..verified }).unwrap();
    let paths = scene.changed_paths();
    let expected = |path: &PathBuf| *path == file || *path == scene.path("d/made");
    assert!(!paths.is_empty() && paths.iter().all(expected), "{paths:?}");
}

/// A file of another process with such a name is reported.
#[test]
fn reports_other_files_with_temporary_names() {
    let scene = Scene::new();
    fs::create_dir(scene.path("d")).unwrap();
    scene.watch(1, Interest::Tree(scene.path("d")));
    scene.write("d/#123", "x");
    assert_eq!(scene.tokens(), only(1));
    scene.write("d/#123", "y");
    assert_eq!(scene.tokens(), only(1));
    fs::write(scene.path("d/.a.uphold-backup-1"), "").unwrap();
    assert_eq!(scene.tokens(), only(1));
}
