//! Files that are too large to read: any user can create a sparse one.

use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed, converge, read};
use super::edited::keyed;
use super::spy::Spy;

const HUGE: u64 = 1 << 42;

fn huge(bench: &Bench, name: &str) -> String {
    let path = bench.file(name, "");
    let file = std::fs::File::options().write(true).open(path).expect("the file opens");
    file.set_len(HUGE).expect("a sparse file needs no room");
    bench.name(name)
}

#[test]
fn a_file_of_another_size_is_replaced_without_reading_it() {
    let bench = Bench::new();
    let path = huge(&bench, "f");
    let spy = Spy::new(&bench.host, &["content", "sha256"]);
    let differences =
        converge(&Block::new("file", path).set("content", "hi"), &spy.act()).expect("it is replaced");
    assert_eq!(changed(&differences), "content");
    assert!(format!("{differences:?}").contains("(4398046511104 bytes)"), "{differences:?}");
    assert_eq!(read(&bench.at("f")), "hi");
    assert_eq!(spy.counts().1, 1, "only the new file was read");
}

#[test]
fn a_file_with_only_a_mode_may_have_any_size() {
    let bench = Bench::new();
    let path = huge(&bench, "f");
    let spy = Spy::new(&bench.host, &["mode"]);
    let block = Block::new("file", path).set("mode", "0600");
    assert_eq!(changed(&converge(&block, &spy.act()).expect("it is not read")), "mode");
}

#[test]
fn editing_kinds_refuse_a_huge_file() {
    let check = |block: fn(&str) -> Block| {
        let bench = Bench::new();
        let path = huge(&bench, "f.json");
        let error = bench.converge(&block(&path)).expect_err("it is too large");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let expected = format!("cannot read {path}: it has {HUGE} bytes, and the limit is ");
        assert!(error.chain().contains(&expected), "{}", error.chain());
    };
    check(|path| Block::new("line", "a").set("file", path).set("line", "x"));
    check(|path| keyed("json_edit", "a").set("file", path).set("value", 1));
    check(|path| keyed("ini", "a").set("file", path).set("value", "1"));
    check(|path| Block::new("hosts_entry", "db").set("file", path).set("ip", "::1"));
    check(|path| Block::new("file", format!("{path}.copy")).set("source", path));
}
