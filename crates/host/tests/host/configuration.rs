use std::path::Path;

use uphold_host::{ConfigurationFiles, read_configuration};
use uphold_resource::ErrorKind;

use super::ground::{Ground, fifo, refused};

#[test]
fn keeps_the_name_that_the_user_gave() {
    let ground = Ground::new();
    let path = ground.file("any.name", "text ä", 0o600);
    let read = read_configuration(&path).unwrap();
    assert_eq!(read, [(path.to_str().unwrap().to_owned(), "text ä".into())]);
}

#[test]
fn reads_files_of_a_directory_in_order() {
    let ground = Ground::new();
    for name in ["b.hcl", "a.hcl", "10.hcl", "b.test.hcl", ".hidden.hcl", "notes.txt", "hcl"] {
        ground.file(name, name, 0o600);
    }
    ground.directory("sub.hcl", 0o700);
    std::os::unix::fs::symlink("nowhere", ground.path(".#a.hcl")).unwrap();
    let read = read_configuration(&ground.path("")).unwrap();
    let texts: Vec<_> = read.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["10.hcl", "a.hcl", "b.hcl"]);
    assert_eq!(Path::new(&read[0].0), ground.path("10.hcl"));
}

#[test]
fn texts_that_stay_until_exit_are_the_same() {
    let ground = Ground::new();
    let large = "ä = 1\n".repeat(400_000);
    for content in ["", "a = 1\n", &large] {
        let path = ground.file("a.hcl", content, 0o600);
        let files = ConfigurationFiles::until_exit();
        assert!(files.read_source(&path).unwrap().is_some_and(|text| &*text == content));
        assert!(files.read(&path).unwrap() == content.as_bytes());
    }
    let path = ground.path("bytes");
    std::fs::write(&path, [large.as_bytes(), b"\xff"].concat()).unwrap();
    let files = ConfigurationFiles::until_exit();
    assert!(files.read_source(&path).unwrap().is_none());
    assert_eq!(files.read(&path).unwrap().last(), Some(&0xff));
    let error = refused(files.configuration(&path), ErrorKind::Invalid);
    assert!(error.to_string().ends_with(":400001:1: this byte is not UTF-8"), "{error}");
    refused(files.read_source(&ground.path("none")), ErrorKind::Missing);
}

#[test]
fn reports_the_position_of_an_invalid_byte() {
    let ground = Ground::new();
    let check = |content: &[u8], place: &str| {
        let path = ground.path("bad.hcl");
        std::fs::write(&path, content).unwrap();
        let error = refused(read_configuration(&path), ErrorKind::Invalid);
        let expected = format!("{}:{place}: this byte is not UTF-8", path.display());
        assert_eq!(error.to_string(), expected);
    };
    check(b"\xff", "1:1");
    check(b"one\ntwo\nth\xc3\xa4\xffree", "3:4");
    check(b"one\n\xe2\x82", "2:1");
}

#[test]
fn refuses_a_directory_without_configuration() {
    let ground = Ground::new();
    let error = refused(read_configuration(&ground.path("none.hcl")), ErrorKind::Missing);
    assert!(error.advice().is_some());
    refused(read_configuration(&ground.path("")), ErrorKind::Missing);
}

/// Content that is read may be shown, or written to where others can read it.
#[test]
fn does_not_read_through_planted_links() {
    let ground = Ground::new();
    let victim = ground.directory("victim", 0o700);
    let treasure = ground.file("victim/file", "treasure", 0o600);
    for mode in [0o777, 0o1777] {
        let open = ground.directory(&format!("open-{mode:o}"), mode);
        std::os::unix::fs::symlink(&treasure, open.join("link")).unwrap();
        std::os::unix::fs::symlink(&victim, open.join("sub")).unwrap();
        for path in [open.join("link"), open.join("sub/file")] {
            let error = refused(ConfigurationFiles::new().read(&path), ErrorKind::UnsafeLink);
            assert!(!error.advice().unwrap().contains(victim.to_str().unwrap()));
            let pieces = ConfigurationFiles::new().read_pieces(&path, &mut |_| panic!("it was read"));
            refused(pieces, ErrorKind::UnsafeLink);
        }
    }
}

#[test]
fn reads_through_own_links() {
    let ground = Ground::new();
    ground.directory("real", 0o755);
    let real = ground.file("real/file", "content", 0o644);
    let own = ground.directory("own", 0o755);
    std::os::unix::fs::symlink("../real", own.join("sub")).unwrap();
    std::os::unix::fs::symlink("sub/file", own.join("link")).unwrap();
    std::os::unix::fs::symlink(&real, own.join("absolute")).unwrap();
    for name in ["sub/file", "link", "absolute", "sub/../own/link"] {
        assert_eq!(ConfigurationFiles::new().read(&own.join(name)).unwrap(), b"content", "{name}");
    }
}

/// Shells pass a here-document as an open file without a name.
#[test]
fn reads_an_open_file_through_proc() {
    let ground = Ground::new();
    let path = ground.file("gone", "content", 0o600);
    let file = std::fs::File::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let name = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    assert_eq!(ConfigurationFiles::new().read(Path::new(&name)).unwrap(), b"content");
}

#[test]
fn reads_a_pipe_that_the_user_names() {
    let ground = Ground::new();
    let path = ground.path("pipe");
    fifo(&path);
    let read = std::thread::scope(|scope| {
        scope.spawn(|| std::fs::write(&path, "text").unwrap());
        read_configuration(&path).unwrap()
    });
    assert_eq!(read, [(path.display().to_string(), "text".into())]);
    refused(read_configuration(Path::new("/dev/zero")), ErrorKind::Invalid);
}

#[test]
fn reads_only_regular_files() {
    let ground = Ground::new();
    fifo(&ground.path("pipe.hcl"));
    std::fs::File::create(ground.path("huge")).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
    let files = ConfigurationFiles::new();
    let check = |path: &Path, kind: ErrorKind, expected: &str| {
        assert_eq!(refused(files.read(path), kind).to_string(), expected);
        assert_eq!(refused(files.read_pieces(path, &mut |_| {}), kind).to_string(), expected);
    };
    let wrong = ErrorKind::WrongType;
    check(&ground.path("pipe.hcl"), wrong, "it is a named pipe, not a regular file");
    check(Path::new("/dev/zero"), wrong, "it is a character device, not a regular file");
    check(&ground.path(""), wrong, "it is a directory, not a regular file");
    check(&ground.path("huge"), ErrorKind::Invalid, "it is larger than 64 MiB");
    check(&ground.path("none"), ErrorKind::Missing, "no such file");
    check(&ground.path("huge/none"), ErrorKind::Missing, "no such file");
    refused(read_configuration(&ground.path("")), wrong);
    let version = std::fs::read("/proc/version").unwrap();
    assert_eq!(files.read(Path::new("/proc/version")).unwrap(), version, "a file without a size");
}

#[test]
fn reads_in_pieces_without_a_cache() {
    let ground = Ground::new();
    let path = ground.path("a.hcl");
    let files = ConfigurationFiles::new();
    let pieces = || {
        let (mut whole, mut count) = (Vec::new(), 0);
        let take = &mut |piece: &[u8]| {
            whole.extend_from_slice(piece);
            count += 1;
        };
        files.read_pieces(&path, take).unwrap();
        (whole, count)
    };
    for length in [0, 1, 200_000] {
        let text: String = "0123456789\n".chars().cycle().take(length).collect();
        std::fs::write(&path, &text).unwrap();
        let (whole, count) = pieces();
        assert_eq!(whole, text.as_bytes());
        assert_eq!(count > 1, length > 100_000, "{count} pieces");
    }
}

#[test]
fn lists_directories_in_order() {
    let ground = Ground::new();
    ground.directory("sub", 0o700);
    ground.file("z", "", 0o600);
    ground.file("B", "", 0o600);
    ground.file("a.tar", "", 0o600);
    std::os::unix::fs::symlink("sub", ground.path("to_sub")).unwrap();
    std::os::unix::fs::symlink("nowhere", ground.path("to_nowhere")).unwrap();
    let files = ConfigurationFiles::new();
    let list = |name: &str| files.list(&ground.path(name));
    assert_eq!(list("").unwrap(), ["B", "a.tar", "sub/", "to_nowhere", "to_sub/", "z"]);
    assert_eq!(list("to_sub").unwrap(), [""; 0]);
    assert_eq!(refused(list("none"), ErrorKind::Missing).to_string(), "no such directory");
    assert_eq!(refused(list("z"), ErrorKind::WrongType).to_string(), "it is not a directory");
}

#[test]
fn caches_what_was_read() {
    let ground = Ground::new();
    let path = ground.file("a.hcl", "one", 0o600);
    let files = ConfigurationFiles::new();
    assert_eq!(files.read(&path).unwrap(), b"one");
    assert_eq!(files.list(&ground.path("")).unwrap(), ["a.hcl"]);
    refused(files.read(&ground.path("b.hcl")), ErrorKind::Missing);
    std::fs::write(&path, "two").unwrap();
    ground.file("b.hcl", "", 0o600);
    assert_eq!(files.read(&path).unwrap(), b"one");
    assert_eq!(files.list(&ground.path("")).unwrap(), ["a.hcl"]);
    refused(files.read(&ground.path("b.hcl")), ErrorKind::Missing);
    assert_eq!(ConfigurationFiles::new().read(&path).unwrap(), b"two");
}

/// The path to watch: absolute, without `..`, and for a file in an archive the archive.
#[test]
fn finds_the_path_on_disk() {
    let ground = Ground::new();
    let files = ConfigurationFiles::new();
    let check = |path: &str, expected: &str| {
        let place = files.on_disk(&ground.path(path)).unwrap();
        assert_eq!(place, ground.path("").canonicalize().unwrap().join(expected), "{path}");
    };
    ground.directory("deep", 0o755);
    ground.directory("deep/er", 0o755);
    ground.file("modules.tar", "", 0o644);
    std::os::unix::fs::symlink("deep/er", ground.path("link")).unwrap();
    check("site.hcl", "site.hcl");
    check("deep/../site.hcl", "site.hcl");
    check("link/../site.hcl", "deep/site.hcl");
    check("none/../site.hcl", "site.hcl");
    check("modules.tar/web/main.hcl", "modules.tar");
    check("modules.zip/web/main.hcl", "modules.zip/web/main.hcl");
    assert!(files.on_disk(Path::new("site.hcl")).unwrap().is_absolute());
}

#[test]
fn recognises_streams() {
    let ground = Ground::new();
    let files = ConfigurationFiles::new();
    fifo(&ground.path("pipe"));
    ground.file("site.hcl", "", 0o644);
    let check = |path: &Path, expected: bool| assert_eq!(files.is_stream(path), expected, "{path:?}");
    check(Path::new("-"), true);
    check(&ground.path("pipe"), true);
    check(&ground.path("site.hcl"), false);
    check(&ground.path(""), false);
    check(&ground.path("none"), false);
}
