//! Planted files are neither adopted, followed nor left executable.

use std::io::Write;
use std::os::unix::fs::chown;
use std::path::Path;

use uphold_model::Value;
use uphold_resource::{Files, Machine};
use uphold_testkit::MemoryHost;

use super::driver::{Bench, Block, is_root, mode, read, set_mode};

/// A machine on which a parent directory was replaced by a link: reads lead to one place, and writes, which follow
/// no such link, to another.
struct Swapped {
    seen: MemoryHost,
    real: MemoryHost,
}

impl Swapped {
    fn new() -> Self {
        let host = |content: &str| {
            let host = MemoryHost::new().directory("/home", 0o755).file("/home/f", content, 0o644);
            host.owned("/home/f", 1000, 1000)
        };
        Self { seen: host("root only\n"), real: host("mine\n") }
    }

    fn machine(&self) -> Machine {
        let (mut machine, real) = (self.seen.machine().clone(), self.real.machine());
        machine.edits = real.edits.clone();
        machine.commands = real.commands.clone();
        machine
    }

    /// The content at the place that is written.
    fn content(&self) -> String {
        let content = self.real.read(Path::new("/home/f"), 0).expect("it is readable");
        String::from_utf8(content).expect("valid UTF-8")
    }
}

#[test]
fn edits_read_from_where_they_write() {
    let file = || Block::new("file", "/home/f");
    let apply = |block: Block, expected: &str| {
        let host = Swapped::new();
        let (instance, seen) = block.look(&host.machine().act()).unwrap();
        instance.apply(&seen, &host.machine().act()).unwrap();
        assert_eq!(host.content(), expected);
    };
    apply(Block::new("line", "l").set("file", "/home/f").set("line", "x"), "mine\nx\n");
    apply(file().set("owner", Value::Int(0)), "mine\n");
    let host = Swapped::new();
    file().run("touch", &host.machine().act()).unwrap();
    assert_eq!(host.content(), "mine\n");
}

/// Opens a file for writing later.
#[expect(clippy::disallowed_types, reason = "there is no other way to get a handle")]
fn open(path: &Path) -> std::fs::File {
    std::fs::OpenOptions::new().append(true).open(path).expect("the file opens")
}

#[test]
fn an_old_handle_does_not_write_to_a_file_with_a_new_owner() {
    if !is_root(&Bench::new()) {
        return;
    }
    let check = |property: &'static str, content: Option<&str>| {
        let bench = Bench::new();
        let path = bench.file("f", "right");
        chown(&path, Some(1), Some(1)).unwrap();
        let mut handle = open(&path);
        let block = Block::new("file", bench.name("f")).set(property, Value::Int(0));
        let block = content.into_iter().fold(block, |block, content| block.set("content", content));
        bench.converge(&block).unwrap();
        handle.write_all(b", and evil").unwrap();
        assert_eq!(read(&path), "right", "{property} {content:?}");
        assert_eq!(bench.names(), ["f"]);
    };
    for property in ["owner", "group"] {
        check(property, None);
        check(property, Some("right"));
    }
}

#[test]
fn set_id_bits_are_dropped_for_a_new_owner_unless_declared() {
    if !is_root(&Bench::new()) {
        return;
    }
    let check = |property: &'static str, value: &str, expected: u32| {
        let bench = Bench::new();
        let path = bench.file("f", "old");
        chown(&path, Some(1), Some(1)).unwrap();
        set_mode(&path, 0o6755);
        bench
            .converge(&Block::new("file", bench.name("f")).set("owner", "root").set(property, value))
            .unwrap();
        assert_eq!(mode(&path), expected, "{property} = {value}");
    };
    check("content", "old", 0o755);
    check("content", "new", 0o755);
    check("mode", "o-x", 0o754);
    check("mode", "u+s", 0o4755);
    check("mode", "6755", 0o6755);
}

#[test]
fn a_backup_has_no_set_id_bits() {
    let bench = Bench::new();
    let path = bench.file("f", "0");
    set_mode(&path, 0o4755);
    // A backup of an earlier version of Uphold.
    set_mode(&bench.file(".f.uphold-backup-1", "before"), 0o2750);
    bench
        .converge(&Block::new("file", bench.name("f")).set("content", "1").set("backups", Value::Int(2)))
        .unwrap();
    let modes = ["f", ".f.uphold-backup-1", ".f.uphold-backup-2"].map(|name| mode(&bench.at(name)));
    assert_eq!(modes, [0o4755, 0o755, 0o750]);
}

/// Longer than any path may be.
#[test]
fn purges_a_tree_that_is_too_deep_to_list() {
    let bench = Bench::new();
    let nested = |top: &str, depth: u32| (0..depth).fold(bench.at(top), |path, _| path.join("x".repeat(250)));
    let (upper, lower) = (nested("d", 12), nested("lower", 10));
    std::fs::create_dir_all(&upper).unwrap();
    std::fs::create_dir_all(lower).unwrap();
    std::fs::rename(bench.at("lower"), upper.join("lower")).unwrap();
    bench.file("d/stray", "");
    bench.converge(&Block::new("directory", bench.name("d")).set("purge", true)).unwrap();
    assert!(crate::files::driver::names(&bench.at("d")).is_empty());
}
