//! `create_if_missing` of the kind `file`.

use uphold_builtin::File;
use uphold_resource::{Act, Desired, Look, Mode, Properties, Resource, Step, Want};

use super::driver::{Bench, Block, changed, converge, mode, read, set_mode};
use super::spy::Spy;

fn file(bench: &Bench) -> Block {
    Block::new("file", bench.name("f"))
}

#[test]
fn create_if_missing_keeps_an_existing_file() {
    let bench = Bench::new();
    let block = file(&bench).set("content", "new").set("mode", "0600").set("create_if_missing", true);
    assert_eq!(changed(&bench.converge(&block).unwrap()), "content mode");
    bench.file("f", "mine");
    set_mode(&bench.at("f"), 0o755);
    let spy = Spy::new(&bench.host, &["content", "mode"]);
    assert_eq!(changed(&converge(&block, &spy.act()).unwrap()), "");
    assert_eq!(spy.counts(), (2, 1, 0));
    assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("mine", 0o755));
    bench.remove(&block).unwrap();
    assert!(bench.names().is_empty());
}

#[test]
fn create_if_missing_reads_the_existing_file() {
    let bench = Bench::new();
    set_mode(&bench.file("f", "mine"), 0o755);
    let block = file(&bench).set("content", "new").set("mode", "0600").set("owner", "nobody");
    let value = |property| block.clone().set("create_if_missing", true).value(property, &bench.host.act());
    assert_eq!((value("mode"), value("content")), (Some("0755".into()), Some("mine".into())));
    assert_eq!(value("owner"), file(&bench).value("owner", &bench.host.act()));
    // Accounts and sources that are only needed for a creation may be missing.
    let copy = file(&bench).set("source", bench.name("none")).set("create_if_missing", true);
    assert_eq!(changed(&bench.converge(&copy).unwrap()), "");
}

/// One instance can be visited many times: plan and apply, or a watch.
#[test]
fn create_if_missing_remembers_its_declaration() {
    let bench = Bench::new();
    let path = bench.file("f", "mine");
    let file = File {
        content: Want::of("new"),
        mode: Want::of(Mode::new(0o600)),
        create_if_missing: true,
        ..File::named(&bench.name("f")).unwrap()
    };
    let host: &Act<'_> = &bench.host.act();
    let look = Look::to(Desired::Present, host);
    let prepared = || file.complete(file.prepare(&look).unwrap());
    let create = |prepare_again: bool| {
        let mut file = prepared();
        std::fs::remove_file(&path).unwrap();
        if prepare_again {
            file = prepared();
        }
        assert!(file.load(&look).unwrap().state().is_none());
        file.apply(Step::Create { goal: &file.goal(None) }, host).unwrap();
        assert_eq!((&*read(&path), mode(&path)), ("new", 0o600), "{prepare_again}");
    };
    create(true);
    create(false);
}
