//! All kinds below another root: nothing outside may change.

use std::path::{Path, PathBuf};

use uphold_host::LocalHost;
use uphold_model::Value;

use super::driver::{Bench, Block, changed, converge, is_root, names, read};
use super::spy::Spy;

#[test]
fn file_kinds_stay_inside_the_root() {
    let bench = Bench::new();
    bench.directory("root");
    let host = LocalHost::rooted(&bench.at("root")).unwrap().machine();
    let blocks = [
        Block::new("directory", "/uphold-test/d").set("recursive", true).set("mode", "0700"),
        Block::new("file", "/uphold-test/d/f").set("content", "text\n").set("backups", Value::Int(1)),
        Block::new("file", "/uphold-test/copy").set("source", "/uphold-test/d/f"),
        Block::new("link", "/uphold-test/l").set("to", "/uphold-test/d/f"),
        Block::new("link", "/uphold-test/h").set("to", "/uphold-test/d/f").set("type", "hard"),
        Block::new("line", "x").set("file", "/uphold-test/copy").set("line", "more"),
    ];
    for block in &blocks {
        assert!(!changed(&converge(block, &host.act()).unwrap()).is_empty());
    }
    let top = bench.at("root/uphold-test");
    assert_eq!(names(&top), ["copy", "d", "h", "l"]);
    assert_eq!((&*read(&top.join("copy")), &*read(&top.join("h"))), ("text\nmore\n", "text\n"));
    assert!(!Path::new("/uphold-test").exists());

    let purged = Block::new("directory", "/uphold-test").set("purge", true);
    converge(&purged, &host.act()).unwrap();
    assert!(names(&top).is_empty());
}

/// The libraries of a dynamically linked program; none for a static one.
#[expect(clippy::disallowed_types, reason = "there is no other way to list libraries")]
fn libraries(program: &Path) -> Vec<PathBuf> {
    let output = std::process::Command::new("ldd").arg(program).output().expect("ldd runs");
    let printed = String::from_utf8(output.stdout).expect("ldd writes text");
    printed.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from).collect()
}

/// A bench whose `root` contains only a shell with its libraries, and a file.
fn with_shell() -> Bench {
    let bench = Bench::new();
    let shell = Path::new("/bin/sh");
    for path in libraries(shell).into_iter().chain([shell.to_owned()]) {
        let inside = bench.at("root").join(path.strip_prefix("/").expect("an absolute path"));
        std::fs::create_dir_all(inside.parent().expect("a parent")).expect("directories can be created");
        std::fs::copy(&path, inside).expect("a program can be copied");
    }
    bench.file("root/uphold-inside", "inside\n");
    bench
}

/// Reports that a test is skipped here, and why.
fn skip(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

#[test]
fn command_kinds_stay_inside_the_root() {
    if !is_root(&Bench::new()) {
        return skip("only root can run commands under another root");
    }
    let bench = with_shell();
    let host = LocalHost::rooted(&bench.at("root")).unwrap().machine();
    let host = Spy::new(&host, &["value"]);

    let task = |name: &str| Block::new("task", name).set("apply", "echo made > /uphold-made");
    let block = task("t").set("check", "test -s /uphold-made");
    let (instance, seen) = block.look(&host.act()).unwrap();
    assert!(!seen.converged);
    instance.apply(&seen, &host.act()).unwrap();
    assert!(converge(&block, &host.act()).unwrap().is_empty());
    assert_eq!(read(&bench.at("root/uphold-made")), "made\n");
    assert!(converge(&task("c").set("creates", "/uphold-made"), &host.act()).unwrap().is_empty());
    assert!(!Path::new("/uphold-made").exists());

    let query = Block::new("query", "q").set("query", "read -r word < uphold-inside; echo $word");
    assert_eq!(query.set("dir", "/").value("value", &host.act()), Some("inside".into()));

    let assertion = |command: &str| converge(&Block::new("assert", "a").set("command", command), &host.act());
    assertion("test -e /uphold-inside").unwrap();
    assertion("test -e /etc/passwd").expect_err("that file is outside");

    converge(&Block::new("log", "l").set("message", "done"), &host.act()).unwrap();
    assert_eq!(host.reported(), ["done"]);
}

/// `verify` runs inside the root.
#[test]
fn verify_runs_inside_the_root() {
    if !is_root(&Bench::new()) {
        return skip("only root can run commands under another root");
    }
    let bench = with_shell();
    let host = LocalHost::rooted(&bench.at("root")).unwrap().machine();
    let verify = "read -r word < {} && test $word = new && test ! -e /etc/passwd";
    let block = |content: &str| Block::new("file", "/f").set("content", content).set("verify", verify);
    converge(&block("new\n"), &host.act()).unwrap();
    converge(&block("bad\n"), &host.act()).unwrap_err();
    assert_eq!(read(&bench.at("root/f")), "new\n");
}
