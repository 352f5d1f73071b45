//! The kind `file` on the real file system.

use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use uphold_builtin::{Content, File};
use uphold_model::{Action, Value};
use uphold_resource::{ErrorKind, Look, Mode, Resource, Want};

use super::driver::{Bench, Block, changed, converge, is_root, metadata, mode, read, set_mode};
use super::spy::Spy;

fn file(bench: &Bench) -> Block {
    Block::new("file", bench.name("f"))
}

#[test]
fn a_check_without_changes_costs_one_lstat_and_one_read() {
    let bench = Bench::new();
    bench.file("f", "right");
    let (uid, gid) = (metadata(&bench.at("f")).uid(), metadata(&bench.at("f")).gid());
    let block = file(&bench)
        .set("content", "right")
        .set("mode", "u+r")
        .set("owner", Value::Int(uid.into()))
        .set("group", Value::Int(gid.into()));
    let spy = Spy::new(&bench.host, &["content", "mode", "owner", "group"]);
    assert_eq!(changed(&converge(&block, &spy.act()).unwrap()), "");
    assert_eq!(spy.counts(), (1, 1, 0));
}

#[test]
fn content_is_read_on_demand_only() {
    let bench = Bench::new();
    bench.file("f", "large");
    let spy = Spy::new(&bench.host, &["mode"]);
    let block = file(&bench).set("mode", "0600");
    assert_eq!(changed(&converge(&block, &spy.act()).unwrap()), "mode");
    assert_eq!(block.value("sha256", &spy.act()), None);
    assert_eq!(block.value("size", &spy.act()), Some(Value::Int(5)));
    assert_eq!(spy.counts().1, 0);
    let spy = Spy::new(&bench.host, &["sha256"]);
    assert!(block.value("sha256", &spy.act()).is_some_and(|digest| digest != Value::Null));
    assert_eq!(spy.counts().1, 1);
}

#[test]
fn unset_properties_are_kept_with_new_content() {
    let bench = Bench::new();
    let path = bench.file("f", "old");
    set_mode(&path, 0o4750);
    if is_root(&bench) {
        std::os::unix::fs::chown(&path, Some(1), Some(2)).unwrap();
        set_mode(&path, 0o4750);
    }
    let before = metadata(&path);
    assert_eq!(changed(&bench.converge(&file(&bench).set("content", "new")).unwrap()), "content");
    let after = metadata(&path);
    assert_eq!((mode(&path), after.uid(), after.gid()), (0o4750, before.uid(), before.gid()));
}

#[test]
fn a_declared_set_id_bit_survives_a_change_of_owner() {
    let bench = Bench::new();
    let path = bench.file("f", "");
    set_mode(&path, 0o4755);
    if is_root(&bench) {
        let block = file(&bench).set("mode", "4755").set("owner", Value::Int(1));
        assert_eq!(changed(&bench.converge(&block).unwrap()), "owner");
    }
    assert_eq!(mode(&path), 0o4755);
}

#[test]
fn copies_its_source() {
    let bench = Bench::new();
    let block = file(&bench).set("source", bench.name("source"));
    let error = bench.converge(&block).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.chain().contains("the source") && error.advice().is_some(), "{}", error.chain());
    for content in ["one", "two"] {
        bench.file("source", content);
        bench.converge(&block).unwrap();
        assert_eq!(read(&bench.at("f")), content);
    }
    let both = block.set("content", "x").try_decode(&Action::Converge);
    assert!(both.err().unwrap().contains("excludes"));
}

#[test]
fn reports_a_missing_parent() {
    let bench = Bench::new();
    let error = bench.converge(&Block::new("file", bench.name("no/f"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ParentMissing);
    assert!(error.advice().is_some_and(|advice| advice.contains("directory \"")), "{error}");
}

#[test]
fn keeps_the_declared_number_of_backups_in_order() {
    let bench = Bench::new();
    let write = |content: &str, backups: i64| {
        bench.converge(&file(&bench).set("content", content).set("backups", Value::Int(backups))).unwrap();
    };
    let kept = || {
        let names = bench.names().into_iter().filter(|name| name.starts_with('.'));
        names.map(|name| read(&bench.at(&name))).collect::<Vec<_>>()
    };
    ["1", "2", "3", "4", "5"].iter().for_each(|content| write(content, 3));
    assert_eq!(kept(), ["4", "3", "2"]);
    set_mode(&bench.at("f"), 0o600);
    write("6", 1);
    assert_eq!((kept(), mode(&bench.at(".f.uphold-backup-1"))), (vec!["5".to_owned()], 0o600));
    write("6", 1);
    assert_eq!(kept(), ["5"]);
    write("7", 0);
    assert_eq!(kept(), ["5"]);
}

/// A run that is killed between the copies of backups and the new file leaves one version twice.
#[test]
fn a_backup_copied_twice_displaces_no_other() {
    let check = |there: &[&str], expected: &[&str]| {
        let bench = Bench::new();
        for (n, content) in there.iter().enumerate() {
            let name = if n == 0 { "f".to_owned() } else { format!(".f.uphold-backup-{n}") };
            bench.file(&name, content);
        }
        bench.converge(&file(&bench).set("content", "new").set("backups", Value::Int(3))).unwrap();
        let names = bench.names().into_iter().filter(|name| name.starts_with('.'));
        assert_eq!(names.map(|name| read(&bench.at(&name))).collect::<Vec<_>>(), expected, "{there:?}");
    };
    check(&["4", "3", "2", "1"], &["4", "3", "2"]);
    check(&["4", "4", "3", "2"], &["4", "3", "2"]);
    check(&["4", "3", "3", "2"], &["4", "3", "2"]);
    check(&["4", "3", "2", "2"], &["4", "3", "2"]);
    check(&["4", "4"], &["4"]);
}

#[test]
fn similar_long_names_have_separate_backups() {
    let bench = Bench::new();
    for end in ["AAAA", "BBBB"] {
        let name = "x".repeat(249) + end;
        bench.file(&name, end);
        let block = Block::new("file", bench.name(&name)).set("content", "new").set("backups", Value::Int(1));
        bench.converge(&block).unwrap();
    }
    let mut kept: Vec<_> = bench.names().into_iter().filter(|name| name.starts_with('.')).collect();
    kept.iter_mut().for_each(|name| *name = read(&bench.at(name)));
    kept.sort_unstable();
    assert_eq!(kept, ["AAAA", "BBBB"]);
}

#[test]
fn a_rejected_file_displaces_no_backup() {
    let bench = Bench::new();
    bench.file("f", "now");
    bench.file(".f.uphold-backup-1", "before");
    let block = file(&bench).set("content", "bad").set("backups", Value::Int(1)).set("verify", "false {}");
    assert_eq!(bench.converge(&block).unwrap_err().kind(), ErrorKind::Rejected);
    assert_eq!(read(&bench.at(".f.uphold-backup-1")), "before");
}

#[test]
fn verify_sees_the_complete_candidate() {
    let bench = Bench::new();
    let name = bench.name("it's a; touch pwned");
    for verify in ["grep -q new {}", "test -s {} && test $(stat -c %a {}) = 640"] {
        let content = format!("new {verify}");
        let block =
            Block::new("file", &*name).set("content", content).set("mode", "0640").set("verify", verify);
        bench.converge(&block).unwrap();
    }
    assert_eq!(bench.names(), ["it's a; touch pwned"]);
}

#[test]
fn a_hanging_verify_is_killed_and_rejects_the_file() {
    let bench = Bench::new();
    bench.file("f", "now");
    let block = file(&bench)
        .set("content", "new")
        .set("verify", "sleep 60; test -e {}")
        .set("verify_timeout", "100ms");
    let started = bench.host.clock.elapsed();
    let error = bench.converge(&block).unwrap_err();
    assert!(bench.host.clock.elapsed() - started < Duration::from_secs(30));
    assert_eq!((error.kind(), &*read(&bench.at("f"))), (ErrorKind::TimedOut, "now"));
    assert!(error.chain().contains("`verify` timed out and was killed"), "{}", error.chain());
    assert!(error.advice().is_some_and(|advice| advice.starts_with("raise `verify_timeout`, or ")));
}

#[test]
fn a_failed_verify_does_not_show_its_script() {
    let bench = Bench::new();
    let block = file(&bench)
        .set("content", "x")
        .set("verify", Value::text("x=hunter2; test ! -e {} || exit 4").sensitive());
    let error = bench.converge(&block).unwrap_err();
    assert!(error.chain().contains("status 4") && !error.chain().contains("hunter2"), "{}", error.chain());
}

#[test]
fn writes_bytes_unchanged() {
    let bench = Bench::new();
    let bytes = [0xff, 0x00, b'\n'];
    let block = file(&bench).set("content", Value::Bytes(bytes.into()));
    bench.converge(&block).unwrap();
    assert_eq!(std::fs::read(bench.at("f")).unwrap(), bytes);
    assert_eq!(block.value("content", &bench.host.act()), Some(Value::Bytes(bytes.into())));
}

#[test]
fn can_be_constructed_and_loaded_by_a_program() {
    let bench = Bench::new();
    bench.file("f", "text");
    let file = File { mode: Want::of(Mode::new(0o600)), ..File::named(&bench.name("f")).unwrap() };
    let state = file.load_whole(&Look::to_read(&bench.host.act())).unwrap().state().expect("it exists");
    assert_eq!(state.content, Content::from("text").into());
    assert_eq!(state.content.get().and_then(Content::bytes), Some(&b"text"[..]));
    assert_eq!(state.size, 4);
}

#[test]
fn decoding_reports_mistakes() {
    let check = |property: &'static str, value: Value, expected: &str| {
        let problems = Block::new("file", "/f").set(property, value).try_decode(&Action::Converge);
        let problems = problems.err().unwrap_or_default();
        assert!(problems.contains(expected), "{property}: {problems}");
    };
    check("checksum", Value::text("abc"), "is not a SHA-256 digest");
    check("content", Value::Int(1), "must be a string or bytes");
    check("content", Value::Null, "null");
    check("backups", Value::Int(-1), "must be from 0");
    check("backups", Value::Int(1001), "must be from 0 to 1000");
    check("backups", Value::Int(u32::MAX.into()), "must be from 0 to 1000");
    check("sha256", Value::text("x"), "is an export and cannot be set");
    check("contents", Value::text("x"), "did you mean `content`?");
}
