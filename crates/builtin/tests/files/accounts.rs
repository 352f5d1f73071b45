//! Owners and groups that do not exist.

use uphold_resource::ErrorKind;

use crate::driver::{Bench, Block, changed};

const NOBODY: &str = "nobody-of-this-name";

/// Calls `check` with each kind that has an owner, and with each property that names one.
fn each(check: impl Fn(&Bench, Block)) {
    for property in ["owner", "group"] {
        for kind in ["file", "directory", "link"] {
            let bench = Bench::new();
            let block = Block::new(kind, bench.name("x")).set(property, NOBODY);
            check(&bench, if kind == "link" { block.set("to", "target") } else { block });
        }
    }
}

#[test]
fn a_look_tells_that_an_owner_is_missing() {
    each(|bench, block| {
        let error = block.look(&bench.host.act()).err().expect("there is no such account");
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.chain().contains(NOBODY) && error.advice().is_some(), "{}", error.chain());
        assert!(bench.names().is_empty());
    });
}

/// The account may have gone before what it owned.
#[test]
fn to_remove_something_its_owner_need_not_exist() {
    each(|bench, block| {
        assert_eq!(changed(&bench.remove(&block).unwrap()), "");
    });
    let bench = Bench::new();
    bench.file("x", "");
    bench.remove(&Block::new("file", bench.name("x")).set("owner", NOBODY)).unwrap();
    assert!(bench.names().is_empty());
}

#[test]
fn what_is_only_needed_to_create_a_file_may_be_missing() {
    let bench = Bench::new();
    bench.file("x", "");
    let block = Block::new("file", bench.name("x")).set("owner", NOBODY).set("create_if_missing", true);
    assert_eq!(changed(&bench.converge(&block).unwrap()), "");
}
