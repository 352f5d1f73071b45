//! Directories that stay open between looks: nothing may come out otherwise.

use std::os::unix::fs::{chown, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{Access, Command, Commands, ErrorKind, FileEdits, Files, NewFile, Place, Probes};

use super::ground::{Ground, OTHER_USER, chmod, is_root, plain};

/// Longer than a directory is used without being opened again.
const LATER: Duration = Duration::from_millis(100);

/// A directory `d` that is kept open, with a file `f` of 3 bytes; `e/f` has 5.
struct Kept {
    ground: Ground,
    host: LocalHost,
    /// The directory of both for `host`.
    inside: PathBuf,
}

impl Kept {
    /// The machine, and the directory as a root of its own.
    fn both() -> [Self; 2] {
        [false, true].map(|is_root| {
            let ground = Ground::new();
            for (name, content) in [("d", "old"), ("e", "other")] {
                ground.directory(name, 0o755);
                ground.file(&format!("{name}/f"), content, 0o644);
            }
            let top = ground.path("");
            let (host, inside) = match is_root {
                true => (LocalHost::rooted(&top).unwrap(), PathBuf::from("/")),
                false => (LocalHost::new(), top),
            };
            let kept = Self { ground, host: host.keeping_directories(), inside };
            kept.keep();
            kept
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.inside.join(name)
    }

    /// One look at the machine itself is not worth to keep the directory.
    fn keep(&self) {
        assert_eq!((self.size("d/f"), self.size("d/f")), (Some(3), Some(3)));
    }

    fn size(&self, name: &str) -> Option<u64> {
        self.host.look(&self.path(name)).unwrap().map(|entry| entry.size)
    }

    /// Another process puts `e` in the place of `d`.
    fn replace(&self) {
        std::fs::rename(self.ground.path("d"), self.ground.path("moved")).unwrap();
        std::fs::rename(self.ground.path("e"), self.ground.path("d")).unwrap();
    }

    /// The open files of this process below the directory.
    fn open(&self) -> usize {
        let top = self.ground.path("");
        let links = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        let inside = |target: PathBuf| target.starts_with(&top) && target != top.components().as_path();
        links
            .filter_map(|link| std::fs::read_link(link.path()).ok())
            .filter(|target| inside(target.clone()))
            .count()
    }
}

#[test]
fn each_change_of_ours_is_seen_at_once() {
    type Change = fn(&LocalHost, &Path);
    let changes: [(Change, Option<u64>); 4] = [
        (|host, d| host.remove_tree(d).unwrap(), None),
        (
            |host, d| {
                host.remove_tree(d).unwrap();
                host.make_link(d, Path::new("e")).unwrap();
            },
            Some(5),
        ),
        (|host, d| host.write(d, &NewFile { replace_other: true, ..plain("a file") }).unwrap(), None),
        (
            |host, d| {
                let mut receiver = host.receive(d).unwrap();
                receiver.append(b"received").unwrap();
                let access = Access::default();
                receiver.put(&Place { access, verify: None, replace_other: true }).unwrap();
            },
            None,
        ),
    ];
    for (number, (change, expected)) in changes.into_iter().enumerate() {
        for kept in Kept::both() {
            change(&kept.host, &kept.path("d"));
            assert_eq!(kept.size("d/f"), expected, "change {number}");
        }
    }
}

#[test]
fn a_change_by_a_command_is_seen_at_once() {
    let [kept, _] = Kept::both();
    let top = kept.ground.path("");
    let script = "mv d moved && mv e d";
    let command = Command { dir: Some(top), ..Command::new("/bin/sh", ["-c", script]) };
    assert!(kept.host.run(&command).unwrap().success());
    assert_eq!(kept.size("d/f"), Some(5));
}

#[test]
fn a_change_by_another_process_is_seen_soon() {
    for kept in Kept::both() {
        kept.replace();
        assert!(matches!(kept.size("d/f"), Some(3 | 5)));
        std::thread::sleep(LATER);
        assert_eq!(kept.size("d/f"), Some(5));
    }
}

#[test]
fn directories_are_kept_but_not_while_a_command_runs() {
    for kept in Kept::both() {
        // Under load, the two looks may be too far apart.
        let is_kept = (0..1000).any(|_| {
            kept.keep();
            kept.open() == 1
        });
        assert!(is_kept);
    }
    let [kept, _] = Kept::both();
    let script = "ls -l /proc/$PPID/fd";
    let output = kept.host.probe(&Command::new("/bin/sh", ["-c", script])).unwrap();
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    // Other tests close files of this process meanwhile, which is an error of `ls`.
    let is_listed = listed.contains(" -> ");
    assert!(is_listed && !listed.contains(kept.ground.path("d").to_str().unwrap()), "{listed}");
    assert_eq!(kept.open(), 0);
}

#[test]
fn links_are_followed_as_without_open_directories() {
    for kept in Kept::both() {
        symlink("d", kept.ground.path("link")).unwrap();
        symlink("f", kept.ground.path("d/final")).unwrap();
        for _ in 0..3 {
            assert_eq!(kept.size("link/f"), Some(3));
            let last = kept.host.look(&kept.path("d/final")).unwrap().unwrap();
            assert_eq!(last.kind, uphold_resource::EntryKind::Link("f".into()));
            assert_eq!(kept.host.read(&kept.path("link/f"), 3).unwrap(), b"old");
            let error = kept.host.read(&kept.path("d/final"), 3).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongType);
        }
    }
}

/// Another user owns the directory above, and puts a link in the place of the directory that is kept open.
#[test]
fn content_is_never_read_through_a_planted_link() {
    if !is_root("content_is_never_read_through_a_planted_link") {
        return;
    }
    for kept in Kept::both() {
        chmod(&kept.ground.path(""), 0o777);
        chown(kept.ground.path(""), Some(OTHER_USER), Some(OTHER_USER)).unwrap();
        kept.keep();
        std::fs::rename(kept.ground.path("d"), kept.ground.path("moved")).unwrap();
        symlink("e", kept.ground.path("d")).unwrap();
        let read = || kept.host.read(&kept.path("d/f"), 5);
        match read() {
            Ok(content) => assert_eq!(content, b"old", "of the directory that was there"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::UnsafeLink),
        }
        std::thread::sleep(LATER);
        assert_eq!(read().unwrap_err().kind(), ErrorKind::UnsafeLink);
    }
}

#[test]
fn odd_paths_come_out_as_without_open_directories() {
    for kept in Kept::both() {
        let plain = match kept.inside.as_path() == Path::new("/") {
            true => LocalHost::rooted(&kept.ground.path("")).unwrap(),
            false => LocalHost::new(),
        };
        for path in ["d", "d/", "d/.", "d/..", "d/../d/f", "d//f", "d/f/", "d/f/x", "none/f", "", "."] {
            let path = kept.path(path);
            let look = |host: &LocalHost| {
                host.look(&path).map_err(|error| error.chain()).map(|found| found.map(|entry| entry.identity))
            };
            for _ in 0..3 {
                assert_eq!(look(&kept.host), look(&plain), "{}", path.display());
            }
        }
    }
}
