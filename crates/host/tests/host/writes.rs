use std::io::Read;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use uphold_resource::{Access, Command, Error, ErrorKind, FileEdits, NewFile, Probes, READ_LIMIT};

use super::ground::{Ground, OTHER_USER, fifo, mode, names, plain, refused, text, watched, with_mode};

#[test]
fn a_new_file_is_private_by_default() {
    let ground = Ground::new();
    ground.write(&ground.path("a"), "one").unwrap();
    assert_eq!((text(&ground.path("a")), mode(&ground.path("a"))), ("one".into(), 0o600));
    ground.host.write(&ground.path("b"), &with_mode("", 0o4755)).unwrap();
    assert_eq!((text(&ground.path("b")), mode(&ground.path("b"))), (String::new(), 0o4755));
    assert_eq!(ground.names(), ["a", "b"]);
}

#[test]
fn a_new_file_never_has_a_temporary_name() {
    let ground = Ground::new();
    let top = ground.directory("d", 0o700);
    let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::RDWR;
    if rustix::fs::open(&top, flags, rustix::fs::Mode::RUSR).is_err() {
        crate::host::ground::skipped(
            "a_new_file_never_has_a_temporary_name",
            "this file system has no such files",
        );
        return;
    }
    let check = || {
        let seen = names(&top);
        assert!(!seen.iter().any(|name| name.starts_with('.')), "{seen:?}");
    };
    watched(check, || {
        for number in 0..3_000 {
            let path = top.join((number % 50).to_string());
            ground.write(&path, "content").unwrap();
            std::fs::remove_file(&path).unwrap();
        }
    });
}

#[test]
fn passes_on_errors_that_are_no_rejection() {
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o644);
    let fail = |_: &Path| Err(Error::new(ErrorKind::Denied, "cannot keep the old version"));
    let error = refused(
        ground.host.write(&path, &NewFile { verify: Some(&fail), ..plain("new") }),
        ErrorKind::Denied,
    );
    assert_eq!((error.chain().as_str(), error.advice()), ("cannot keep the old version", None));
    assert_eq!((text(&path), ground.names()), ("old".into(), vec!["file".to_owned()]));
}

#[test]
fn resolves_content_as_for_a_write() {
    let ground = Ground::new();
    let path = ground.file("file", "content", 0o600);
    assert_eq!(ground.host.content(&path, READ_LIMIT).unwrap(), b"content");
    assert_eq!(ground.host.content(Path::new("/proc/self/comm"), READ_LIMIT).unwrap().last(), Some(&b'\n'));
    refused(ground.host.content(&ground.path("none"), READ_LIMIT), ErrorKind::Missing);
    refused(ground.host.content(&ground.path("none/file"), READ_LIMIT), ErrorKind::ParentMissing);
    symlink(&path, ground.path("link")).unwrap();
    refused(ground.host.content(&ground.path("link"), READ_LIMIT), ErrorKind::WrongType);
    fifo(&ground.path("pipe"));
    refused(ground.host.content(&ground.path("pipe"), READ_LIMIT), ErrorKind::WrongType);
    refused(ground.host.content(&ground.directory("d", 0o700), READ_LIMIT), ErrorKind::WrongType);
    let open = ground.directory("open", 0o1777);
    symlink(ground.path("d"), open.join("planted")).unwrap();
    ground.file("d/secret", "secret", 0o600);
    refused(ground.host.content(&open.join("planted/secret"), READ_LIMIT), ErrorKind::UnsafeLink);
}

#[test]
fn other_hard_links_keep_the_old_content() {
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o600);
    std::fs::hard_link(&path, ground.path("other")).unwrap();
    ground.write(&path, "new").unwrap();
    assert_eq!((text(&path), text(&ground.path("other"))), ("new".into(), "old".into()));
}

#[test]
fn a_file_never_has_a_wrong_mode_or_content() {
    let ground = Ground::new();
    let path = ground.path("file");
    let versions = [("secret", 0o600), ("public", 0o644), ("secret again", 0o600)];
    ground.host.write(&path, &with_mode(versions[0].0, versions[0].1)).unwrap();
    let check = || {
        let seen = version_at(&path);
        assert!(versions.iter().any(|(text, mode)| (*text, *mode) == (&seen.0, seen.1)), "{seen:?}");
    };
    watched(check, || {
        for (text, mode) in versions.iter().cycle().take(6_000) {
            ground.host.write(&path, &with_mode(text, *mode)).unwrap();
        }
    });
}

/// Content and mode of the same file.
fn version_at(path: &Path) -> (String, u32) {
    let mut file = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    (text, file.metadata().unwrap().mode() & 0o7777)
}

#[test]
fn fil_14_replaces_other_types_only_if_allowed() {
    let ground = Ground::new();
    let check = |name: &str, make: &dyn Fn(&Path)| {
        let path = ground.path(name);
        make(&path);
        refused(ground.write(&path, "x"), ErrorKind::WrongType);
        ground.host.write(&path, &NewFile { replace_other: true, ..plain("x") }).unwrap();
        assert!(path.symlink_metadata().unwrap().is_file(), "{name}");
        assert_eq!(mode(&path), 0o600, "{name}: nothing is inherited");
    };
    check("pipe", &fifo);
    check("link", &|path| symlink("/etc/passwd", path).unwrap());
    check("empty", &|path| std::fs::create_dir(path).unwrap());
    check("full", &|path| {
        std::fs::create_dir_all(path.join("a/b/c")).unwrap();
        std::fs::write(path.join("a/file"), "").unwrap();
    });
    assert_eq!(ground.names(), ["empty", "full", "link", "pipe"]);
}

#[test]
fn a_missing_parent_has_a_hint() {
    let ground = Ground::new();
    let error = refused(ground.write(&ground.path("none/file"), "x"), ErrorKind::ParentMissing);
    assert!(error.advice().unwrap().starts_with("declare it: directory \""));
    ground.file("file", "", 0o600);
    refused(ground.write(&ground.path("file/below"), "x"), ErrorKind::WrongType);
    refused(ground.write(Path::new("/"), "x"), ErrorKind::Invalid);
    refused(ground.write(&ground.path(".."), "x"), ErrorKind::Invalid);
}

#[test]
fn writes_the_longest_name() {
    let ground = Ground::new();
    let name = "n".repeat(255);
    ground.write(&ground.path(&name), "x").unwrap();
    assert_eq!(ground.names(), [name]);
}

#[test]
fn writes_a_relative_path_twice() {
    let ground = Ground::new();
    let here = std::env::current_dir().unwrap();
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let path = up.join(ground.path("file").strip_prefix("/").unwrap());
    ground.write(&path, "one").unwrap();
    ground.write(&path, "two").unwrap();
    assert_eq!(text(&ground.path("file")), "two");
}

#[test]
fn fil_24_keeps_rejected_content_until_the_next_success() {
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o644);
    let refuse = |_: &Path| Err(Error::new(ErrorKind::Rejected, "line 3 is wrong").hint("look at line 3"));
    let file = NewFile { verify: Some(&refuse), ..with_mode("bad", 0o644) };
    let error = refused(ground.host.write(&path, &file), ErrorKind::Rejected);
    let aside = ground.path(".file.uphold-rejected");
    assert_eq!((text(&path), text(&aside), mode(&aside)), ("old".into(), "bad".into(), 0o600));
    let advice = error.advice().unwrap();
    assert!(advice.contains(aside.to_str().unwrap()) && advice.contains("look at line 3"), "{advice}");
    assert!(error.chain().contains("line 3 is wrong"));
    assert_eq!(ground.names(), [".file.uphold-rejected", "file"]);
    let accept = |_: &Path| Ok(());
    ground.host.write(&path, &NewFile { verify: Some(&accept), ..with_mode("good", 0o644) }).unwrap();
    assert_eq!((ground.names(), text(&path)), (vec!["file".to_owned()], "good".to_owned()));
}

#[test]
fn verification_gets_the_finished_file_and_may_run_it() {
    let ground = Ground::new();
    let path = ground.file("script", "old", 0o644);
    let seen = Mutex::new(PathBuf::new());
    let verify = |temporary: &Path| {
        assert_eq!(mode(temporary), 0o755);
        *seen.lock().unwrap() = temporary.to_owned();
        // Another test may be starting a process, which has a copy of our handle for an instant.
        for _ in 0..50 {
            let output = ground.host.probe(&Command::new(temporary.to_str().unwrap(), [""; 0]));
            if output.is_ok_and(|output| output.stdout == b"fine\n") {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Err(Error::failed("it does not run"))
    };
    let file = NewFile { verify: Some(&verify), ..with_mode("#!/bin/sh\necho fine\n", 0o755) };
    ground.host.write(&path, &file).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.parent(), path.parent());
    assert!(!seen.exists() && *seen != path);
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o700);
    let access = Access { uid: Some(OTHER_USER), ..Access::default() };
    let refuse = |_: &Path| Err(Error::new(ErrorKind::Rejected, "no"));
    if rustix::process::geteuid().is_root() {
        // The rejected file is put where a directory is: it cannot be kept, and must not stay.
        std::fs::create_dir(directory.join(".f.uphold-rejected")).unwrap();
        let file = NewFile { verify: Some(&refuse), access, ..plain("x") };
        refused(ground.host.write(&directory.join("f"), &file), ErrorKind::Rejected);
        assert_eq!(names(&directory), [".f.uphold-rejected"]);
    } else {
        refused(
            ground.host.write(&directory.join("f"), &NewFile { access, ..plain("x") }),
            ErrorKind::Denied,
        );
        assert_eq!(names(&directory), [""; 0]);
    }
}

/// Data that another process appended since the file was read is not lost.
#[test]
fn replaces_only_the_content_that_was_read() {
    let ground = Ground::new();
    let path = ground.file("file", "old\n", 0o640);
    let over = |old: Option<&str>, new: &str| {
        ground.host.write_over(&path, old.map(str::as_bytes), &plain(new)).unwrap()
    };
    assert!(!over(Some("old"), "new\n"));
    assert!(!over(Some("olD\n"), "new\n"));
    assert!(!over(None, "new\n"));
    assert_eq!(text(&path), "old\n");
    assert!(over(Some("old\n"), "new\n"));
    assert_eq!((text(&path), mode(&path)), ("new\n".to_owned(), 0o640));
    std::fs::remove_file(&path).unwrap();
    assert!(!over(Some("new\n"), "newer\n"));
    assert!(over(None, "newer\n"));
    assert_eq!(text(&path), "newer\n");
    assert_eq!(ground.names(), ["file"]);
}

/// Stages these contents at `names`, and puts them in place.
fn put_staged(ground: &Ground, names: &[&str]) -> Vec<uphold_resource::Result<()>> {
    let stage = |name: &&str| {
        let path = ground.path(name);
        ground.host.stage(&path, &with_mode(name, 0o640)).unwrap().expect("it can be staged")
    };
    ground.host.put_staged(names.iter().map(stage).collect())
}

#[test]
fn staged_files_appear_together() {
    let ground = Ground::new();
    let names: Vec<String> = (0..40).map(|number| format!("f{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    ground.write(&ground.path("f00"), "old").unwrap();
    let staged = ground.host.stage(&ground.path("f01"), &plain("dropped")).unwrap();
    assert!(staged.is_some());
    assert_eq!(ground.names(), ["f00"], "a staged file has no name");
    drop(staged);
    assert!(put_staged(&ground, &names).iter().all(Result::is_ok));
    assert_eq!(ground.names(), names);
    for name in names {
        assert_eq!((text(&ground.path(name)), mode(&ground.path(name))), (name.to_owned(), 0o640));
    }
}

#[test]
fn a_staged_file_that_cannot_be_put_in_place_fails_alone() {
    let ground = Ground::new();
    let stage = |name: &str| ground.host.stage(&ground.path(name), &plain(name)).unwrap().unwrap();
    let staged = vec![stage("a"), stage("b"), stage("c")];
    std::fs::create_dir(ground.path("b")).unwrap();
    let results = ground.host.put_staged(staged);
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!((text(&ground.path("a")), text(&ground.path("c"))), ("a".into(), "c".into()));
    assert_eq!(ground.names(), ["a", "b", "c"], "nothing is left behind");
}

#[test]
fn a_file_that_is_verified_or_replaces_a_directory_is_not_staged() {
    let ground = Ground::new();
    std::fs::create_dir(ground.path("d")).unwrap();
    let force = NewFile { replace_other: true, ..plain("x") };
    assert!(ground.host.stage(&ground.path("d"), &force).unwrap().is_none());
    let accept = |_: &Path| Ok(());
    let verified = NewFile { verify: Some(&accept), ..plain("x") };
    assert!(ground.host.stage(&ground.path("f"), &verified).unwrap().is_none());
    let refused = ground.host.stage(&ground.path("d"), &plain("x")).err().map(|error| error.kind());
    assert_eq!(refused, Some(ErrorKind::WrongType));
}
