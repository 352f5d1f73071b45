//! The kind `line` on the real file system.

use uphold_model::{Action, Claim, Value};
use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed, is_root, metadata, mode, read, set_mode};

fn line(bench: &Bench) -> Block {
    Block::new("line", "demo").set("file", bench.name("f"))
}

/// Converges on `before`, which must become `after`; then removes, which must leave `removed`.
fn check(block: impl Fn(Block) -> Block, before: &str, after: &str, removed: &str) {
    let bench = Bench::new();
    let path = bench.file("f", before);
    let block = block(line(&bench));
    let differs = !changed(&bench.converge(&block).unwrap()).is_empty();
    assert_eq!(read(&path), after, "{before:?}");
    assert_eq!(differs, before != after, "{before:?}");
    assert_eq!(changed(&bench.converge(&block).unwrap()), "", "{before:?}");
    bench.remove(&block).unwrap();
    assert_eq!(read(&path), removed, "{before:?}");
    assert_eq!(changed(&bench.remove(&block).unwrap()), "", "{before:?}");
}

#[test]
fn adds_a_line_once() {
    let x = |block: Block| block.set("line", "x");
    check(x, "", "x\n", "");
    check(x, "a\n", "a\nx\n", "a\n");
    check(x, "a", "a\nx", "a");
    check(x, "a\r\nb\r\n", "a\r\nb\r\nx\r\n", "a\r\nb\r\n");
    check(x, "a\r\nb", "a\r\nb\r\nx", "a\r\nb");
    check(x, "x\na\nx\n", "x\na\nx\n", "a\n");
    check(x, " x\nxx\n", " x\nxx\nx\n", " x\nxx\n");
    check(x, "x\r\n", "x\r\n", "");
}

#[test]
fn replaces_the_matching_line() {
    let port = |block: Block| block.set("match", "^#?Port ").set("line", "Port 22");
    check(port, "a\n#Port 1\nb\n", "a\nPort 22\nb\n", "a\nb\n");
    check(port, "#Port 1\n#Port 2\n", "Port 22\n#Port 2\n", "");
    check(port, "#Port 1\nPort 2\n", "#Port 1\nPort 22\n", "");
    check(port, "Port 22\n  #Port 1\nPort 22\n", "Port 22\n  #Port 1\nPort 22\n", "  #Port 1\n");
    check(port, "a\n", "a\nPort 22\n", "a\n");
    check(port, "#Port 1\r\nb", "Port 22\r\nb", "b");
    // A line that does not match its own pattern is identified by its text.
    let uncomment = |block: Block| block.set("match", "^#x").set("line", "x");
    check(uncomment, "#x\n#x\n", "x\n#x\n", "");
    check(uncomment, "x\n#x\n", "x\n#x\n", "");
}

#[test]
fn refuses_several_matching_lines() {
    for content in ["Port 1\n#Port 3\nPort 2\n", "Port 22\na\nPort 2\n"] {
        let bench = Bench::new();
        bench.file("f", content);
        let block = line(&bench).set("match", "^#?Port ").set("line", "Port 22");
        let error = bench.converge(&block).expect_err("the match is ambiguous").chain();
        assert!(error.contains("`match` matches several lines: 1, 3"), "{error}");
        assert_eq!(std::fs::read_to_string(bench.at("f")).expect("a file"), content);
    }
}

#[test]
fn inserts_a_line_at_its_anchor() {
    let at = |property: &'static str, value: &'static str| {
        move |block: Block| block.set("line", "x").set(property, value)
    };
    check(at("after", "^b"), "b1\nb2\nc\n", "b1\nb2\nx\nc\n", "b1\nb2\nc\n");
    check(at("before", "^b"), "a\nb1\nb2\n", "a\nx\nb1\nb2\n", "a\nb1\nb2\n");
    check(at("after", "none"), "a\n", "a\nx\n", "a\n");
    check(at("before", "BOF"), "a\n", "x\na\n", "a\n");
    check(at("after", "EOF"), "a\n", "a\nx\n", "a\n");
    check(at("after", "^a"), "x\na\n", "x\na\n", "a\n");
}

#[test]
fn writes_a_block_between_markers() {
    let two = |block: Block| block.set("block", "x\ny\n");
    let marked = "# BEGIN uphold demo\nx\ny\n# END uphold demo\n";
    check(two, "", marked, "");
    check(two, "a\n", &format!("a\n{marked}"), "a\n");
    check(two, "a", &format!("a\n{}", marked.trim_end()), "a");
    check(two, "# BEGIN uphold demo\nold\n# END uphold demo\nz\n", &format!("{marked}z\n"), "z\n");
    check(two, "a\r\n", &format!("a\n{marked}").replace('\n', "\r\n"), "a\r\n");
    check(|block| block.set("block", "x\ny"), "", marked, "");
    check(|block| block.set("block", ""), "a\n", "a\n# BEGIN uphold demo\n# END uphold demo\n", "a\n");
    let styled = |block: Block| block.set("block", "x").set("comment", ";").set("before", "^a");
    check(styled, "a\n", "; BEGIN uphold demo\nx\n; END uphold demo\na\n", "a\n");
    // A block with another name is another block.
    let other = "# BEGIN uphold other\nq\n# END uphold other\n";
    check(two, other, &format!("{other}{marked}"), other);
}

#[test]
fn a_block_can_be_removed_by_its_name_alone() {
    let bench = Bench::new();
    bench.converge(&line(&bench).set("block", "x").set("create", true)).unwrap();
    bench.remove(&line(&bench)).unwrap();
    assert_eq!(read(&bench.at("f")), "");
}

#[test]
fn refuses_a_block_with_broken_markers() {
    let bench = Bench::new();
    bench.file("f", "# BEGIN uphold demo\nx\n");
    let error = bench.converge(&line(&bench).set("block", "y")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.chain().contains("the end marker is missing"), "{}", error.chain());
    let broken = line(&bench).set("block", "y\n# END uphold demo\nz").try_decode(&Action::Converge);
    assert!(broken.err().is_some_and(|problems| problems.contains("its own markers")));
}

#[test]
fn creates_a_missing_file_only_with_create() {
    let bench = Bench::new();
    let block = line(&bench).set("line", "x");
    assert_eq!(changed(&bench.remove(&block).unwrap()), "");
    let error = bench.converge(&block).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.advice().is_some_and(|advice| advice.contains("create = true")));
    bench.converge(&block.set("create", true)).unwrap();
    assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("x\n", 0o644));
}

#[test]
fn refuses_other_file_types() {
    let bench = Bench::new();
    bench.file("real", "");
    bench.symlink("f", "real");
    let error = bench.converge(&line(&bench).set("line", "x")).unwrap_err();
    assert_eq!((error.kind(), &*read(&bench.at("real"))), (ErrorKind::WrongType, ""));
}

#[test]
fn keeps_the_rest_of_the_file() {
    let bench = Bench::new();
    let path = bench.file("f", b"caf\xe9\n\0\n".as_slice());
    set_mode(&path, 0o640);
    if is_root(&bench) {
        std::os::unix::fs::chown(&path, Some(1), Some(2)).unwrap();
    }
    let owner = |metadata: std::fs::Metadata| {
        use std::os::unix::fs::MetadataExt;
        (metadata.uid(), metadata.gid())
    };
    let before = owner(metadata(&path));
    bench.converge(&line(&bench).set("line", "x").set("match", "^x")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"caf\xe9\n\0\nx\n");
    assert_eq!((mode(&path), owner(metadata(&path))), (0o640, before));
}

#[test]
fn claims_a_part_of_its_file() {
    let block = Block::new("line", "x").set("file", "/etc/f").set("line", "x");
    let claims = block.decode(&Action::Converge).claims();
    let file = || vec![Claim::Path("/etc/f".into())];
    assert_eq!((claims.provides, claims.needs, claims.edits), (vec![], file(), file()));
}

#[test]
fn a_secret_line_is_hidden() {
    let bench = Bench::new();
    bench.file("f", "password=hunter1\n");
    let block =
        line(&bench).set("match", "^password=").set("line", Value::text("password=hunter2").sensitive());
    let (_, seen) = block.look(&bench.host.act()).unwrap();
    assert!(!format!("{:?}", seen.differences).contains("hunter"));
    bench.converge(&block).unwrap();
    assert_eq!(read(&bench.at("f")), "password=hunter2\n");
}

#[test]
fn decoding_reports_mistakes() {
    let check = |block: Block, expected: &str| {
        let problems = block.try_decode(&Action::Converge).err().unwrap_or_default();
        assert!(problems.contains(expected), "{problems}");
    };
    let block = || Block::new("line", "x").set("file", "/f");
    check(Block::new("line", "x").set("line", "x"), "`file` is required");
    check(block(), "set one of `line`, `block`");
    check(block().set("line", "x").set("block", "y"), "excludes");
    check(block().set("block", "x").set("match", "y"), "`block` excludes `match`");
    check(block().set("line", "x\ny"), "use `block` for several");
    check(block().set("line", "x").set("match", "("), "is not a regular expression");
    check(block().set("line", "x").set("after", "["), "is not a regular expression");
    check(block().set("line", "x").set("after", "a").set("before", "b"), "excludes");
    check(Block::new("line", "a\nb").set("file", "/f").set("block", "x"), "must be a single line");
}
