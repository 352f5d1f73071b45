//! Owners and groups that do not exist.

use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed};

const NOBODY: &str = "nobody-of-this-name";

/// Calls `check` for each kind and each property that names an account.
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
fn load_reports_a_missing_owner() {
    each(|bench, block| {
        let error = block.look(&bench.host.act()).err().expect("the account does not exist");
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.chain().contains(NOBODY) && error.advice().is_some(), "{}", error.chain());
        assert!(bench.names().is_empty());
    });
}

/// The account may be removed before its files.
#[test]
fn owner_need_not_exist_for_removal() {
    each(|bench, block| {
        assert_eq!(changed(&bench.remove(&block).unwrap()), "");
    });
    let bench = Bench::new();
    bench.file("x", "");
    bench.remove(&Block::new("file", bench.name("x")).set("owner", NOBODY)).unwrap();
    assert!(bench.names().is_empty());
}

#[test]
fn owner_need_not_exist_for_an_existing_created_file() {
    let bench = Bench::new();
    bench.file("x", "");
    let block = Block::new("file", bench.name("x")).set("owner", NOBODY).set("create_if_missing", true);
    assert_eq!(changed(&bench.converge(&block).unwrap()), "");
}
