//! `uphold restore` brings back one file.

use super::machine::Machine;

#[test]
fn a_file_comes_back_with_its_mode() {
    let machine = Machine::new();
    machine.write("/a", "old");
    machine.set_mode("/a", 0o640);
    machine.write("/b", "old");
    machine.apply(
        "file \"/a\" {\n  content = \"new\"\n  mode = \"0600\"\n}\nfile \"/b\" { content = \"new\" }\n",
    );
    let ran = machine.run(&["restore", "/a", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let (mode, content) = machine.tree().remove(&machine.at("/a")).expect("a file");
    assert_eq!((mode & 0o7777, &*content), (0o640, &b"old"[..]));
    assert_eq!(machine.read("/b"), "new");
    assert_eq!(machine.undo(&[]).code, Some(0), "the restore is undone");
    assert_eq!(machine.read("/a"), "new");
}

#[test]
fn an_earlier_run_can_be_named() {
    let machine = Machine::new();
    machine.write("/a", "0\n");
    machine.apply("file \"/a\" { content = \"1\\n\" }\n");
    machine.write("/a", "by hand\n");
    machine.apply("line \"x\" {\n  file = \"/a\"\n  line = \"x\"\n}\n");
    machine.apply("file \"/b\" {}\n");
    let ran = machine.run(&["restore", "/a", "--at", "1", "--yes"]);
    assert_eq!((ran.code, &*machine.read("/a")), (Some(0), "0\n"), "{ran:#?}");
}

#[test]
fn a_changed_or_unknown_file_is_left() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    machine.write("/a", "by hand");
    let ran = machine.run(&["restore", "/a", "--yes"]);
    assert!(ran.stderr.contains("file[\"/a\"]: changed since outside Uphold\n"), "{ran:#?}");
    assert_eq!((ran.code, &*machine.read("/a")), (Some(1), "by hand"));
    let ran = machine.run(&["restore", "/none", "--yes"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(1), "error: no recorded run changed /none\n"));
}
