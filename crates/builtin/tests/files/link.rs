//! The kind `link` on the real file system.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use uphold_model::{Action, Claim, Side, Value};
use uphold_resource::{ErrorKind, Interest};
use uphold_testkit::MemoryHost;

use super::driver::{Bench, Block, changed, is_root, metadata, read};

fn link(bench: &Bench, to: &str) -> Block {
    Block::new("link", bench.name("l")).set("to", to)
}

fn hard(bench: &Bench, to: &str) -> Block {
    link(bench, to).set("type", "hard")
}

fn target(bench: &Bench) -> String {
    std::fs::read_link(bench.at("l")).expect("a link").to_string_lossy().into_owned()
}

#[test]
fn lnk_01_a_missing_link_is_created_and_removing_it_does_nothing() {
    let bench = Bench::new();
    bench.file("t", "");
    let block = link(&bench, &bench.name("t"));
    assert_eq!(changed(&bench.remove(&block).unwrap()), "");
    assert_eq!(changed(&bench.converge(&block).unwrap()), "to");
    assert_eq!(target(&bench), bench.name("t"));
}

#[test]
fn lnk_02_a_right_link_stays_and_removing_it_keeps_the_target() {
    let bench = Bench::new();
    bench.file("t", "kept");
    bench.symlink("l", bench.at("t"));
    let block = link(&bench, &bench.name("t"));
    assert_eq!(changed(&bench.converge(&block).unwrap()), "");
    bench.remove(&block).unwrap();
    assert_eq!((bench.names(), &*read(&bench.at("t"))), (vec!["t".to_owned()], "kept"));
}

#[test]
fn lnk_03_a_link_with_another_target_is_replaced() {
    let bench = Bench::new();
    bench.file("other", "kept");
    for elsewhere in ["other", "nowhere"] {
        bench.symlink("l", elsewhere);
        let differences = bench.converge(&link(&bench, "t")).unwrap();
        assert_eq!(changed(&differences), "to");
        assert_eq!(differences[0].from, Side::Value(Value::text(elsewhere)));
        assert_eq!(target(&bench), "t");
        bench.remove(&Block::new("link", bench.name("l"))).unwrap();
    }
    assert_eq!(read(&bench.at("other")), "kept");
}

#[test]
fn lnk_04_a_file_or_hard_link_in_the_way_is_replaced() {
    let bench = Bench::new();
    bench.file("l", "in the way");
    let differences = bench.converge(&link(&bench, "t")).unwrap();
    assert_eq!(differences[0].from, Side::Value(Value::text("(a regular file)")));
    assert_eq!(target(&bench), "t");

    let bench = Bench::new();
    bench.file("other", "kept");
    std::fs::hard_link(bench.at("other"), bench.at("l")).unwrap();
    bench.converge(&link(&bench, "t")).unwrap();
    assert_eq!((target(&bench), read(&bench.at("other"))), ("t".to_owned(), "kept".to_owned()));
}

#[test]
fn lnk_05_a_directory_in_the_way_is_an_error() {
    let bench = Bench::new();
    bench.directory("l");
    bench.file("t", "");
    for block in [link(&bench, "t"), hard(&bench, "t")] {
        assert_eq!(bench.converge(&block).unwrap_err().kind(), ErrorKind::WrongType);
        assert_eq!(bench.remove(&block).unwrap_err().kind(), ErrorKind::WrongType);
    }
    assert!(metadata(&bench.at("l")).is_dir());
}

#[test]
fn lnk_06_a_link_may_be_dangling() {
    let bench = Bench::new();
    bench.converge(&link(&bench, "/no/such/target")).unwrap();
    assert_eq!(target(&bench), "/no/such/target");
}

#[test]
fn lnk_07_targets_are_compared_literally() {
    let bench = Bench::new();
    bench.file("t", "");
    let name = bench.name("t");
    for to in [&*name, "t", "./t", "../x/../t"] {
        assert_eq!(changed(&bench.converge(&link(&bench, to)).unwrap()), "to", "{to}");
        assert_eq!(target(&bench), to);
    }
}

/// Shown with a replacement character, which is not an equal target.
#[test]
fn a_target_that_is_not_utf8_is_a_different_target() {
    let bench = Bench::new();
    bench.symlink("l", OsStr::from_bytes(b"caf\xe9"));
    let block = link(&bench, "caf\u{fffd}");
    assert_eq!(block.value("to", &bench.host.act()), Some(Value::text("caf\u{fffd}")));
    assert_eq!(changed(&bench.converge(&block).unwrap()), "to");
    assert_eq!(std::fs::read_link(bench.at("l")).unwrap(), Path::new("caf\u{fffd}"));

    let bench = Bench::new();
    bench.symlink("l", OsStr::from_bytes(b"caf\xe9"));
    bench.remove(&Block::new("link", bench.name("l"))).unwrap();
    assert!(bench.names().is_empty());
}

#[test]
fn lnk_09_only_a_link_is_removed() {
    let bench = Bench::new();
    bench.file("l", "kept");
    let removed = bench.remove(&Block::new("link", bench.name("l")));
    assert_eq!(removed.unwrap_err().kind(), ErrorKind::WrongType);
    bench.file("t", "");
    assert_eq!(bench.remove(&hard(&bench, "t")).unwrap_err().kind(), ErrorKind::WrongType);
    assert_eq!(read(&bench.at("l")), "kept");
}

#[test]
fn a_hard_link_is_the_same_file() {
    let bench = Bench::new();
    bench.file("t", "one");
    let inode = |name: &str| metadata(&bench.at(name)).ino();
    for to in ["t", &*bench.name("t")] {
        bench.file("l", "in the way");
        assert_eq!(changed(&bench.converge(&hard(&bench, to)).unwrap()), "to");
        assert_eq!(inode("l"), inode("t"));
        assert_eq!(changed(&bench.converge(&hard(&bench, to)).unwrap()), "");
        std::fs::remove_file(bench.at("l")).unwrap();
    }
    bench.symlink("l", "t");
    assert_eq!(changed(&bench.converge(&hard(&bench, "t")).unwrap()), "to");
    assert_eq!(inode("l"), inode("t"));
    bench.remove(&hard(&bench, "t")).unwrap();
    assert_eq!(bench.names(), ["t"]);
}

#[test]
fn a_hard_link_needs_its_file() {
    let bench = Bench::new();
    assert_eq!(bench.converge(&hard(&bench, "t")).unwrap_err().kind(), ErrorKind::Missing);
    assert!(bench.names().is_empty());
    let claims = hard(&bench, "t").decode(&Action::Converge).claims();
    assert!(claims.needs.contains(&Claim::Path(bench.at("t"))));
    let interests = hard(&bench, "/t").decode(&Action::Converge).interests(&MemoryHost::new().act());
    assert!(interests.contains(&Interest::Path(Path::new("/t").to_owned())));
}

#[test]
fn sets_the_owner_of_the_link_itself() {
    let bench = Bench::new();
    bench.file("t", "");
    let block = link(&bench, "t").set("owner", Value::Int(1)).set("group", Value::Int(2));
    if !is_root(&bench) {
        assert_eq!(bench.converge(&block).unwrap_err().kind(), ErrorKind::Denied);
        return;
    }
    let owner = |name: &str| (metadata(&bench.at(name)).uid(), metadata(&bench.at(name)).gid());
    bench.converge(&block).unwrap();
    assert_eq!((owner("l"), owner("t")), ((1, 2), (0, 0)));
    bench.converge(&link(&bench, "other")).unwrap();
    assert_eq!(owner("l"), (1, 2));
    let differences = bench.converge(&link(&bench, "other").set("owner", "root")).unwrap();
    assert_eq!((&*changed(&differences), owner("l")), ("owner", (0, 2)));
}

#[test]
fn target_is_required_to_converge() {
    let block = Block::new("link", "/l");
    assert!(block.try_decode(&Action::Converge).err().unwrap().contains("`to` is required"));
    block.decode(&Action::Remove);
    let wrong = block.set("type", "soft").try_decode(&Action::Remove).err().unwrap();
    assert!(wrong.contains(r#""symbolic", "hard""#), "{wrong}");
}
