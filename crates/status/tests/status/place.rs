//! Where the socket is, and who else could have put something there.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};

use tempfile::TempDir;
use uphold_status::{Answer, Ask, StatusModel, StatusServer, default_socket};

use crate::happened::BEGAN;
use crate::socket::Wheel;

fn start(path: &Path) -> uphold_resource::Result<StatusServer> {
    StatusServer::start(path, StatusModel::new(BEGAN), Arc::new(Wheel::default()).steering())
}

fn refused(path: &Path) -> String {
    match start(path) {
        Ok(_) => panic!("{} was taken", path.display()),
        Err(error) => error.chain(),
    }
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").mode() & 0o7777
}

#[test]
fn each_user_has_a_default_socket() {
    let expected = |given: Option<&str>| match rustix::process::geteuid().is_root() {
        true => Some(PathBuf::from("/run/uphold/web.sock")),
        false => given.map(|given| PathBuf::from(given).join("uphold/web.sock")),
    };
    assert_eq!(default_socket(Some(Path::new("/run/user/7")), "web"), expected(Some("/run/user/7")));
    assert_eq!(default_socket(None, "web"), expected(None));
    assert_eq!(default_socket(Some(Path::new("not/absolute")), "web"), expected(None));
}

#[test]
fn only_the_owner_can_connect() {
    let directory = directory();
    let path = directory.path().join("uphold/watch.sock");
    let server = start(&path).expect("it listens");
    assert_eq!((mode(path.parent().expect("a directory")), mode(&path)), (0o700, 0o600));
    drop(server);
    assert!(!path.exists());
}

#[test]
fn a_second_watch_names_the_first() {
    let directory = directory();
    let path = directory.path().join("watch.sock");
    let first = start(&path).expect("it listens");
    let error = refused(&path);
    let pid = std::process::id();
    assert_eq!(error, format!("cannot listen at {}: another watch is running, pid {pid}", path.display()));
    assert!(Answer::to(Ask::Overview, &path).is_ok(), "the first one still listens");
    drop(first);
    start(&path).expect("the place is free again");
}

#[test]
fn a_stale_socket_is_replaced() {
    let directory = directory();
    let path = directory.path().join("watch.sock");
    drop(UnixListener::bind(&path).expect("a stale socket"));
    assert!(
        Answer::to(Ask::Overview, &path)
            .is_err_and(|error| error.to_string().contains("no watch is running"))
    );
    let server = start(&path).expect("it listens");
    assert!(Answer::to(Ask::Overview, &path).is_ok());
    drop(server);
}

#[test]
fn one_of_many_concurrent_watches_listens() {
    let directory = directory();
    let path = directory.path().join("watch.sock");
    drop(UnixListener::bind(&path).expect("a stale socket"));
    let together = Barrier::new(8);
    let try_it = || {
        together.wait();
        start(&path).ok()
    };
    let started: Vec<Option<StatusServer>> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(try_it)).collect();
        all.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    assert_eq!(started.iter().flatten().count(), 1);
    assert!(Answer::to(Ask::Overview, &path).and_then(|mut answer| answer.snapshot()).is_ok());
}

#[test]
fn foreign_files_are_not_removed() {
    let directory = directory();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("file"), "precious").expect("a file");
    assert!(refused(&at("file")).contains("no socket of this user"));
    symlink(at("file"), at("link")).expect("a link");
    assert!(refused(&at("link")).contains("no socket of this user"));
    symlink(at("file"), at("locked.lock")).expect("a link");
    assert!(refused(&at("locked")).contains("cannot lock"));
    assert_eq!(fs::read_to_string(at("file")).expect("it is there"), "precious");
    fs::create_dir(at("folder")).expect("a directory");
    symlink(at("folder"), at("elsewhere")).expect("a link");
    assert!(refused(&at("elsewhere/watch.sock")).contains("it is a link"));
    assert!(refused(&at("file/watch.sock")).contains("cannot"));
}

#[test]
fn a_directory_that_others_can_write_is_not_trusted() {
    let directory = directory();
    let path = directory.path().join("watch.sock");
    let open =
        |mode| fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode)).expect("it is ours");
    for (mode, is_fine) in [(0o777, false), (0o770, false), (0o1777, true), (0o755, true)] {
        open(mode);
        assert_eq!(start(&path).is_ok(), is_fine, "{mode:o}");
    }
}

#[test]
fn an_unusable_path_is_an_error_with_a_hint() {
    let directory = directory();
    let error = start(&directory.path().join("no/such/watch.sock")).err().expect("no such directory");
    assert_eq!(error.advice(), Some("create it, or use another path: --socket PATH"));
    let error = start(&directory.path().join("x".repeat(120))).err().expect("a long name");
    assert!(error.advice().is_some_and(|hint| hint.contains("shorter")), "{}", error.chain());
    assert!(start(Path::new("/")).is_err());
}
