//! Facts about files that the tests of other systems pin down, by their ids.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use uphold_model::{Action, Side, Value};
use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed, is_root, metadata, mode, read, set_mode};

fn file(bench: &Bench) -> Block {
    Block::new("file", bench.name("f"))
}

#[test]
fn fil_09_a_converged_file_is_not_changed() {
    let bench = Bench::new();
    let path = bench.file("f", "right");
    set_mode(&path, 0o640);
    let before = metadata(&path);
    let block = file(&bench).set("content", "right").set("mode", "0640");
    assert_eq!(changed(&bench.converge(&block).unwrap()), "");
    let after = metadata(&path);
    assert_eq!((before.modified().unwrap(), before.ino()), (after.modified().unwrap(), after.ino()));
}

#[test]
fn fil_10_a_wrong_mode_alone_does_not_rewrite_the_content() {
    let bench = Bench::new();
    let path = bench.file("f", "right");
    let before = metadata(&path);
    let block = file(&bench).set("content", "right").set("mode", "0600");
    assert_eq!(changed(&bench.converge(&block).unwrap()), "mode");
    let after = metadata(&path);
    assert_eq!((before.modified().unwrap(), before.ino()), (after.modified().unwrap(), after.ino()));
    assert_eq!(mode(&path), 0o600);
}

/// Unlike other systems: the file is replaced by a new one with the same content and a new time. A process that
/// opened the old file could otherwise still write to it.
#[test]
fn fil_10_a_file_with_a_wrong_owner_is_replaced() {
    let bench = Bench::new();
    if !is_root(&bench) {
        return;
    }
    let path = bench.file("f", "right");
    let (before, old) = (metadata(&path), make_old(&path));
    let block = file(&bench).set("content", "right").set("mode", "0600").set("backups", Value::Int(1));
    let block = block.set("owner", Value::Int(1)).set("group", Value::Int(2));
    assert_eq!(changed(&bench.converge(&block).unwrap()), "mode owner group");
    let after = metadata(&path);
    assert_ne!(before.ino(), after.ino());
    assert!(after.modified().unwrap() > old);
    assert_eq!((&*read(&path), mode(&path), after.uid(), after.gid()), ("right", 0o600, 1, 2));
    // No backup, because the content is the same.
    assert_eq!(bench.names(), ["f"]);
}

#[test]
fn fil_11_content_with_another_checksum_is_refused() {
    let bench = Bench::new();
    let path = bench.file("f", "old");
    let wrong = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let right = "11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437";
    let block = file(&bench).set("content", "new");
    let refused = block.clone().set("checksum", wrong).try_decode(&Action::Converge);
    assert!(refused.err().is_some_and(|problems| problems.contains(right)));
    let source = bench.file("source", "new");
    let block_of_source = file(&bench).set("source", source.display().to_string());
    let error = bench.converge(&block_of_source.set("checksum", wrong)).unwrap_err();
    assert_eq!((error.kind(), &*read(&path)), (ErrorKind::Rejected, "old"));
    assert_eq!(changed(&bench.converge(&block.set("checksum", right)).unwrap()), "content");
}

#[test]
fn fil_12_without_content_a_file_is_created_empty_and_kept_as_it_is() {
    let bench = Bench::new();
    assert_eq!(changed(&bench.converge(&file(&bench)).unwrap()), "mode");
    assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("", 0o644));
    bench.file("f", "mine");
    set_mode(&bench.at("f"), 0o600);
    assert_eq!(changed(&bench.converge(&file(&bench)).unwrap()), "");
    assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("mine", 0o600));
}

#[expect(clippy::disallowed_types, reason = "there is no other way to set a file's times")]
fn make_old(path: &Path) -> SystemTime {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    let opened = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    opened.set_modified(old).unwrap();
    old
}

#[test]
fn fil_13_touch_creates_or_updates_the_time() {
    let bench = Bench::new();
    let block = file(&bench).set("content", "declared");
    block.run("touch", &bench.host.act()).unwrap();
    assert_eq!((&*read(&bench.at("f")), mode(&bench.at("f"))), ("declared", 0o644));

    let path = bench.file("f", "other");
    set_mode(&path, 0o600);
    let old = make_old(&path);
    block.run("touch", &bench.host.act()).unwrap();
    assert!(metadata(&path).modified().unwrap() > old);
    assert_eq!((&*read(&path), mode(&path)), ("other", 0o600));
    assert!(block.run("polish", &bench.host.act()).is_err());
}

#[test]
fn fil_19_a_secret_is_hidden_on_both_sides_and_its_digest_is_not() {
    let bench = Bench::new();
    bench.file("f", "hunter1");
    let block = file(&bench).set("content", Value::text("hunter2").sensitive());
    let (_, seen) = block.look(&bench.host.act()).unwrap();
    let shown = format!("{:?}", seen.differences);
    assert!(!shown.contains("hunter") && shown.contains("(sensitive value)"), "{shown}");
    assert!(seen.differences[0].is_sensitive());
    assert_eq!(changed(&bench.converge(&block).unwrap()), "content");
    let digest = block.value("sha256", &bench.host.act()).map(|digest| digest.to_string());
    let expected = r#""f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7""#;
    assert_eq!(digest.as_deref(), Some(expected));
}

#[test]
fn fil_20_an_absent_file_has_no_access() {
    let bench = Bench::new();
    let (instance, seen) = file(&bench).look(&bench.host.act()).unwrap();
    assert!(!seen.exists);
    for property in ["owner", "group", "mode", "sha256", "size"] {
        assert_eq!(instance.value(property, Some(&seen)), None, "{property}");
    }
    assert!(seen.differences.iter().all(|difference| difference.from == Side::Absent));
}

#[test]
fn fil_21_after_create_the_actual_access_is_known() {
    let bench = Bench::new();
    bench.converge(&file(&bench)).unwrap();
    let value = |property| file(&bench).value(property, &bench.host.act()).expect("a value");
    assert_eq!(value("mode"), Value::text("0644"));
    if is_root(&bench) {
        assert_eq!((value("owner"), value("group")), (Value::text("root"), Value::text("root")));
    }
}

#[test]
fn fil_22_names_stay_names_and_numbers_stay_numbers() {
    let bench = Bench::new();
    bench.file("f", "");
    let uid = i64::from(metadata(&bench.at("f")).uid());
    let by_number = file(&bench).set("owner", Value::Int(uid)).set("mode", "0740");
    bench.converge(&by_number).unwrap();
    assert_eq!(by_number.value("owner", &bench.host.act()), Some(Value::Int(uid)));
    assert_eq!(by_number.value("mode", &bench.host.act()), Some(Value::text("0740")));
    let name = file(&bench).value("owner", &bench.host.act()).expect("an owner");
    let by_name = file(&bench).set("owner", name.clone());
    assert_eq!(changed(&bench.converge(&by_name).unwrap()), "");
    assert_eq!(by_name.value("owner", &bench.host.act()), Some(name));
}

/// Unlike other systems: a relative path is refused before anything is changed.
#[test]
fn fil_23_a_relative_path_is_refused() {
    let problems = Block::new("file", "some/file").try_decode(&Action::Converge).err().unwrap();
    assert!(problems.contains("must be an absolute path"), "{problems}");
}

#[test]
fn fil_24_a_rejected_file_is_kept_next_to_the_unchanged_target() {
    let bench = Bench::new();
    let path = bench.file("f", "good\n");
    let block = file(&bench)
        .set("content", "bad\n")
        .set("verify", "grep -q good {} || { echo not good >&2; exit 3; }");
    let error = bench.converge(&block).unwrap_err();
    assert_eq!((error.kind(), &*read(&path)), (ErrorKind::Rejected, "good\n"));
    assert!(error.chain().contains("`verify` exited with status 3, not 0: not good"), "{}", error.chain());
    assert_eq!(read(&bench.at(".f.uphold-rejected")), "bad\n");
    let better = file(&bench).set("content", "good again\n").set("verify", "grep -q good {}");
    assert_eq!(changed(&bench.converge(&better).unwrap()), "content");
    assert_eq!(bench.names(), ["f"]);
}

#[test]
fn fil_27_removing_keeps_a_backup_unless_it_is_a_link() {
    let bench = Bench::new();
    bench.file("f", "old");
    let block = file(&bench).set("backups", Value::Int(1));
    bench.remove(&block).unwrap();
    assert_eq!(bench.names(), [".f.uphold-backup-1"]);
    assert_eq!(read(&bench.at(".f.uphold-backup-1")), "old");
    assert_eq!(changed(&bench.remove(&block).unwrap()), "");

    bench.file("target", "kept");
    bench.symlink("f", "target");
    assert_eq!(bench.remove(&block).unwrap_err().kind(), ErrorKind::WrongType);
    bench.remove(&block.clone().set("force", true)).unwrap();
    assert_eq!(bench.names(), [".f.uphold-backup-1", "target"]);
    assert_eq!(read(&bench.at(".f.uphold-backup-1")), "old");
}

/// Unlike other systems: the permissions of the directory decide, as they do for the system.
#[test]
fn fil_27_a_read_only_file_is_removed() {
    let bench = Bench::new();
    set_mode(&bench.file("f", ""), 0o444);
    bench.remove(&file(&bench)).unwrap();
    assert!(bench.names().is_empty());
}
