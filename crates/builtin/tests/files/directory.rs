//! The kind `directory` on the real file system.

use std::os::unix::fs::MetadataExt;

use uphold_model::{Action, Side, Value};
use uphold_resource::{ErrorKind, Interest};
use uphold_testkit::MemoryHost;

use super::driver::{Bench, Block, changed, converge, is_root, metadata, mode, names, set_mode};
use super::spy::Spy;

fn directory(bench: &Bench) -> Block {
    Block::new("directory", bench.name("d"))
}

/// DIR-01, DIR-03.
#[test]
fn dir_01_is_created_once() {
    let bench = Bench::new();
    assert_eq!(changed(&bench.converge(&directory(&bench)).unwrap()), "mode");
    assert_eq!(mode(&bench.at("d")), 0o755);
    assert_eq!(changed(&bench.converge(&directory(&bench)).unwrap()), "");
}

#[test]
fn dir_02_creates_missing_parents_with_the_same_access() {
    let bench = Bench::new();
    set_mode(&bench.directory("there"), 0o711);
    let mut block =
        Block::new("directory", bench.name("there/a/b")).set("recursive", true).set("mode", "0750");
    if is_root(&bench) {
        block = block.set("owner", Value::Int(1));
    }
    bench.converge(&block).unwrap();
    let modes = ["there", "there/a", "there/a/b"].map(|name| mode(&bench.at(name)));
    assert_eq!(modes, [0o711, 0o750, 0o750]);
    if is_root(&bench) {
        let owners = ["there", "there/a", "there/a/b"].map(|name| metadata(&bench.at(name)).uid());
        assert_eq!(owners, [0, 1, 1]);
    }
}

#[test]
fn dir_04_is_removed() {
    let bench = Bench::new();
    bench.directory("d");
    assert!(!bench.remove(&directory(&bench)).unwrap().is_empty());
    assert!(bench.names().is_empty());
    assert_eq!(changed(&bench.remove(&directory(&bench)).unwrap()), "");
}

#[test]
fn dir_05_content_is_removed_only_with_recursive() {
    let bench = Bench::new();
    bench.directory("d");
    bench.file("d/f", "");
    bench.file("kept", "");
    bench.symlink("d/link", bench.at("kept"));
    let error = bench.remove(&directory(&bench)).unwrap_err();
    let advice = "it contains \"f\" and 1 more; only an empty directory is removed";
    assert_eq!(error.advice(), Some(advice), "{}", error.chain());
    bench.directory("d/sub");
    bench.file("d/sub/deep", "");
    let differences = bench.remove(&directory(&bench).set("recursive", true)).unwrap();
    let content = differences.iter().find(|one| &*one.property == "purge").unwrap();
    assert_eq!(content.from, Side::Value(Value::list(["f", "link", "sub/"].map(Value::text))));
    assert_eq!(bench.names(), ["kept"]);
}

#[test]
fn dir_06_a_missing_parent_or_another_type_is_an_error() {
    let bench = Bench::new();
    let error = bench.converge(&Block::new("directory", bench.name("no/d"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ParentMissing);
    let advice = error.advice().unwrap_or_default();
    assert!(advice.contains("declare it") && advice.contains("recursive"), "{advice}");

    let below_a_file = Block::new("directory", bench.name("f/d/e")).set("recursive", true);
    bench.file("f", "");
    assert_eq!(bench.converge(&below_a_file).unwrap_err().kind(), ErrorKind::WrongType);
    bench.directory("real");
    bench.symlink("link", "real");
    for name in ["f", "link"] {
        let block = Block::new("directory", bench.name(name)).set("recursive", true);
        assert_eq!(bench.converge(&block).unwrap_err().kind(), ErrorKind::WrongType, "{name}");
        assert_eq!(bench.remove(&block).unwrap_err().kind(), ErrorKind::WrongType, "{name}");
    }
    assert_eq!(bench.names(), ["f", "link", "real"]);
}

#[test]
fn unset_properties_are_kept() {
    let bench = Bench::new();
    set_mode(&bench.directory("d"), 0o1731);
    assert_eq!(changed(&bench.converge(&directory(&bench)).unwrap()), "");
    if is_root(&bench) {
        let block = directory(&bench).set("group", Value::Int(2));
        assert_eq!(changed(&bench.converge(&block).unwrap()), "group");
    }
    assert_eq!(mode(&bench.at("d")), 0o1731);
}

/// Temporary files of Uphold itself are not unmanaged.
const TEMPORARY: &str = ".managed.uphold-0123456789abcdef";

/// A directory with managed and unmanaged content; none of the links may be followed.
fn mixed_content(bench: &Bench) -> Spy {
    for name in ["d", "d/conf.d", "d/conf.d/deep", "d/cache", "d/own", "outside"] {
        bench.directory(name);
    }
    let files = [
        "d/managed",
        "d/.managed.uphold-backup-1",
        "d/.managed.uphold-rejected",
        "d/.managed.uphold-0123456789abcdef",
        "d/.managed.uphold-backup-",
        "d/.stray.uphold-backup-1",
        "d/stray",
        "d/conf.d/stray",
        "d/conf.d/deep/managed",
        "d/cache/x",
        "d/own/stray",
        "outside/kept",
    ];
    files.iter().for_each(|name| drop(bench.file(name, "")));
    bench.symlink("d/link", bench.at("outside"));
    let managed = ["d/managed", "d/conf.d/deep/managed", "d/own"];
    managed.iter().fold(Spy::new(&bench.host, &["purge"]), |spy, name| spy.managing(bench.at(name)))
}

#[test]
fn purge_removes_unmanaged_content() {
    let bench = Bench::new();
    let spy = mixed_content(&bench);
    let differences = converge(&directory(&bench).set("purge", true), &spy.act()).unwrap();
    let goes =
        [".managed.uphold-backup-", ".stray.uphold-backup-1", "cache/", "conf.d/stray", "link", "stray"];
    assert_eq!(differences[0].from, Side::Value(Value::list(goes.map(Value::text))));
    assert_eq!(differences[0].to, Side::Value(Value::list([])));
    let kept =
        [TEMPORARY, ".managed.uphold-backup-1", ".managed.uphold-rejected", "conf.d", "managed", "own"];
    assert_eq!(names(&bench.at("d")), kept);
    assert_eq!(names(&bench.at("d/conf.d")), ["deep"]);
    assert_eq!(names(&bench.at("d/own")), ["stray"]);
    assert_eq!(names(&bench.at("outside")), ["kept"]);
}

#[test]
fn purge_keeps_backups_of_files_with_long_names() {
    let bench = Bench::new();
    bench.directory("d");
    let long = "x".repeat(255);
    bench.file(&format!("d/{long}"), "now");
    let backup = uphold_resource::sibling_name(long.as_ref(), "backup-1").into_string().unwrap();
    bench.file(&format!("d/{backup}"), "before");
    bench.file(&format!("d/.{}.uphold-backup-1", "x".repeat(255 - 17)), "foreign");
    let spy = Spy::new(&bench.host, &["purge"]).managing(bench.at(&format!("d/{long}")));
    converge(&directory(&bench).set("purge", true), &spy.act()).unwrap();
    assert_eq!(names(&bench.at("d")), [backup, long]);
}

#[test]
fn purge_keeps_listed_paths() {
    let bench = Bench::new();
    let spy = mixed_content(&bench);
    let keep = Value::list(["cache", "conf.d", "not-there"].map(Value::text));
    converge(&directory(&bench).set("purge", keep), &spy.act()).unwrap();
    let kept = [
        TEMPORARY,
        ".managed.uphold-backup-1",
        ".managed.uphold-rejected",
        "cache",
        "conf.d",
        "managed",
        "own",
    ];
    assert_eq!(names(&bench.at("d")), kept);
    assert_eq!(names(&bench.at("d/conf.d")), ["deep", "stray"]);
}

/// Nothing else in the directory of a kept file has to be managed.
#[test]
fn purge_keeps_listed_paths_in_unmanaged_directories() {
    let bench = Bench::new();
    for name in ["d", "d/css", "d/css/deep", "d/js"] {
        bench.directory(name);
    }
    for name in ["d/css/keep.css", "d/css/old.css", "d/css/deep/x", "d/js/old.js"] {
        bench.file(name, "");
    }
    let keep = || Value::list(["css/keep.css"].map(Value::text));
    converge(&directory(&bench).set("purge", keep()), &bench.host.act()).unwrap();
    assert_eq!(
        (names(&bench.at("d")), names(&bench.at("d/css"))),
        (vec!["css".into()], vec!["keep.css".into()])
    );
    let again = converge(&directory(&bench).set("purge", keep()), &bench.host.act()).unwrap();
    assert_eq!(changed(&again), "");
}

#[test]
fn purge_normalises_paths_and_refuses_outside_ones() {
    let bench = Bench::new();
    bench.directory("d");
    ["d/keep.conf", "d/keep2", "d/stray"].iter().for_each(|name| drop(bench.file(name, "")));
    let block = |entries: &[&str]| {
        let entries = Value::list(entries.iter().map(|entry| Value::text(*entry)));
        directory(&bench).set("purge", entries)
    };
    for wrong in [&*bench.name("d/keep.conf"), "../d/keep.conf"] {
        let problems = block(&[wrong, "./keep2"]).try_decode(&Action::Converge).err().unwrap_or_default();
        assert!(problems.starts_with("`purge[0]`"), "{problems}");
    }
    bench.converge(&block(&["keep.conf", "./keep2"])).unwrap();
    assert_eq!(names(&bench.at("d")), ["keep.conf", "keep2"]);
}

#[test]
fn without_purge_nothing_is_listed() {
    let bench = Bench::new();
    let full = mixed_content(&bench);
    for block in [directory(&bench), directory(&bench).set("purge", false)] {
        let spy = Spy::new(&bench.host, &["mode"]);
        assert_eq!(changed(&converge(&block, &spy.act()).unwrap()), "");
        assert_eq!(spy.counts(), (1, 0, 0));
    }
    let read = directory(&bench).value("purge", &full.act());
    assert_eq!((read, full.counts().2), (Some(Value::Bool(false)), 0));
}

#[test]
fn plan_of_a_new_directory_lists_no_kept_paths() {
    let bench = Bench::new();
    let keep = Value::list(["keep".into()]);
    let (_, seen) = directory(&bench).set("purge", keep).look(&bench.host.act()).unwrap();
    let purge = seen.differences.iter().find(|difference| &*difference.property == "purge");
    assert_eq!(purge.map(|purge| &purge.to), Some(&Side::Value(Value::Bool(true))));
}

#[test]
fn only_a_purged_directory_watches_its_tree() {
    let tree = |block: Block| {
        let interests = block.decode(&Action::Converge).interests(&MemoryHost::new().act());
        interests.iter().any(|interest| matches!(interest, Interest::Tree(_)))
    };
    let block = || Block::new("directory", "/d");
    assert!(tree(block().set("purge", true)));
    assert!(tree(block().set("purge", Value::list(["a".into()]))));
    assert!(!tree(block().set("purge", false)));
    assert!(!tree(block()));
}
