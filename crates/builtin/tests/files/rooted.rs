//! Every kind under another root: nothing outside may be touched.

use uphold_host::LocalHost;
use uphold_model::Value;

use crate::driver::{Bench, Block, changed, converge, names, read};

#[test]
fn each_kind_stays_inside_the_root() {
    let bench = Bench::new();
    bench.directory("root");
    let host = LocalHost::rooted(&bench.at("root")).unwrap();
    let blocks = [
        Block::new("directory", "/uphold-test/d").set("recursive", true).set("mode", "0700"),
        Block::new("file", "/uphold-test/d/f").set("content", "text\n").set("backups", Value::Int(1)),
        Block::new("file", "/uphold-test/copy").set("source", "/uphold-test/d/f"),
        Block::new("link", "/uphold-test/l").set("to", "/uphold-test/d/f"),
        Block::new("link", "/uphold-test/h").set("to", "/uphold-test/d/f").set("type", "hard"),
        Block::new("line", "x").set("file", "/uphold-test/copy").set("line", "more"),
    ];
    for block in &blocks {
        assert!(!changed(&converge(block, &host).unwrap()).is_empty());
    }
    let top = bench.at("root/uphold-test");
    assert_eq!(names(&top), ["copy", "d", "h", "l"]);
    assert_eq!((&*read(&top.join("copy")), &*read(&top.join("h"))), ("text\nmore\n", "text\n"));
    assert!(!std::path::Path::new("/uphold-test").exists());

    let purged = Block::new("directory", "/uphold-test").set("purge", true);
    converge(&purged, &host).unwrap();
    assert!(names(&top).is_empty());
}
