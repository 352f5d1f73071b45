//! Other file types in place of a file.

use std::os::unix::net::UnixListener;
use std::path::Path;

use uphold_model::{Side, Value};
use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed, is_root, metadata, mode, read};

/// Creates a special file with `mknod`.
#[expect(clippy::disallowed_types, reason = "there is no other way to create devices")]
fn mknod(path: &Path, arguments: &[&str]) {
    let status = std::process::Command::new("mknod").arg(path).args(arguments).status();
    assert!(status.is_ok_and(|status| status.success()), "mknod {arguments:?}");
}

/// Calls `check` for each obstacle: a bench that has it at `f`, and its name.
fn each(check: impl Fn(&Bench, &str)) {
    let with = |words: &str, make: &dyn Fn(&Bench)| {
        let bench = Bench::new();
        make(&bench);
        check(&bench, words);
    };
    with("a directory", &|bench| {
        bench.directory("f");
        bench.file("f/inside", "");
    });
    with("a symbolic link", &|bench| {
        bench.file("target", "untouched");
        bench.symlink("f", "target");
    });
    with("a symbolic link", &|bench| drop(bench.symlink("f", "nowhere")));
    with("a named pipe", &|bench| mknod(&bench.at("f"), &["p"]));
    with("a socket", &|bench| drop(UnixListener::bind(bench.at("f")).expect("a socket")));
    if is_root(&Bench::new()) {
        with("a character device", &|bench| mknod(&bench.at("f"), &["c", "1", "3"]));
        with("a block device", &|bench| mknod(&bench.at("f"), &["b", "7", "200"]));
    }
}

#[test]
fn fil_14_another_file_type_is_an_error() {
    each(|bench, words| {
        for block in [
            Block::new("file", bench.name("f")),
            Block::new("file", bench.name("f")).set("content", "new"),
            Block::new("file", bench.name("f")).set("create_if_missing", true),
        ] {
            let before = metadata(&bench.at("f")).file_type();
            let error = bench.converge(&block).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WrongType, "{words}");
            assert!(error.chain().contains(words), "{}", error.chain());
            assert!(error.advice().is_some_and(|advice| advice.contains("move it elsewhere")), "{words}");
            assert_eq!(bench.remove(&block).unwrap_err().kind(), ErrorKind::WrongType, "{words}");
            assert_eq!(
                block.run("touch", &bench.host.act()).unwrap_err().kind(),
                ErrorKind::WrongType,
                "{words}"
            );
            assert_eq!(metadata(&bench.at("f")).file_type(), before, "{words}");
        }
    });
}

#[test]
fn fil_14_force_replaces_another_file_type() {
    each(|bench, words| {
        let block = Block::new("file", bench.name("f")).set("content", "new").set("force", true);
        let differences = bench.converge(&block).unwrap();
        assert_eq!(changed(&differences), "content", "{words}");
        assert_eq!(differences[0].from, Side::Value(Value::text(format!("({words})"))));
        assert!(metadata(&bench.at("f")).is_file());
        assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("new", 0o644), "{words}");
        if bench.names().contains(&"target".to_owned()) {
            assert_eq!(read(&bench.at("target")), "untouched");
        }
    });
}

#[test]
fn fil_14_force_without_content_creates_an_empty_file() {
    each(|bench, words| {
        let block = Block::new("file", bench.name("f")).set("mode", "0600").set("force", true);
        assert_eq!(changed(&bench.converge(&block).unwrap()), "content", "{words}");
        assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("", 0o600), "{words}");
        // From now on it is a file, and its content is not managed.
        bench.file("f", "mine");
        assert_eq!(changed(&bench.converge(&block).unwrap()), "", "{words}");
        assert_eq!(read(&bench.at("f")), "mine");
    });
}

#[test]
fn force_removes_anything_but_a_directory() {
    each(|bench, words| {
        let block = Block::new("file", bench.name("f")).set("force", true).set("backups", Value::Int(2));
        let removed = bench.remove(&block);
        if words == "a directory" {
            assert_eq!(removed.unwrap_err().kind(), ErrorKind::WrongType);
            assert!(bench.at("f/inside").exists());
        } else {
            removed.unwrap();
            assert!(!bench.names().iter().any(|name| name.contains('f')), "{words}");
        }
    });
}
