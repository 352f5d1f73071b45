//! mgmt's timelines of single resources (TestResources2) in our language: the changes of a first and a second run, and
//! the resulting state. Those of TestResources1 need a watch, and are in `watch_kinds`.
//!
//! Left out: "some file", "some file restore", "ambiguous file restore" and "some removal", because we have no
//! `reverse`: a resource that is no longer declared stays as it is. Also the copy of a whole directory, because a `file`
//! is one file: `for_each` over `fileset` does the same.

use std::path::PathBuf;
use std::process::Command;

use crate::binary::Run;
use tempfile::TempDir;
use uphold_testbed::own_state;

/// A configuration in which `DIR` stands for a temporary directory.
struct Timeline {
    dir: TempDir,
}

impl Timeline {
    fn new(text: &str) -> Self {
        let timeline = Self { dir: tempfile::tempdir().expect("a directory for the test") };
        std::fs::create_dir(timeline.at("tmp")).expect("a directory");
        let path = timeline.at("tmp").to_str().expect("a plain path").to_owned();
        std::fs::write(timeline.at("site.hcl"), text.replace("DIR", &path)).expect("a configuration");
        timeline
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(self, name: &str, text: &str) -> Self {
        let path = self.at("tmp").join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
        self
    }

    /// Runs an apply, which must change this many resources.
    #[track_caller]
    fn changes(self, count: usize) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args(["apply", "--json"]).arg(self.at("site.hcl"));
        let run = Run::of(own_state(&mut command, self.dir.path()));
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let changed = run.out.lines().filter(|line| line.contains(r#""verdict":"changed""#)).count();
        assert_eq!(changed, count, "{}", run.out);
        self
    }

    #[track_caller]
    fn holds(self, name: &str, text: &str) -> Self {
        assert_eq!(std::fs::read_to_string(self.at("tmp").join(name)).expect(name), text);
        self
    }

    /// Checks the entries of a directory.
    #[track_caller]
    fn lists(self, name: &str, names: &[&str]) -> Self {
        let entries = std::fs::read_dir(self.at("tmp").join(name)).expect(name);
        let found = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
        let mut found: Vec<String> = found.collect();
        found.sort();
        assert_eq!(found, names);
        self
    }
}

const TEXT: &str = "some new text\n";

/// "simple file", "edit file only".
#[test]
fn a_file_with_other_content_is_changed_once() {
    let file = r#"file "DIR/somefile" { content = "some new text\n" }"#;
    Timeline::new(file)
        .write("somefile", "whatever")
        .changes(1)
        .holds("somefile", TEXT)
        .changes(0)
        .holds("somefile", TEXT);
}

/// "strict file". In mgmt it is an error without a `state`; here a declared file is created.
#[test]
fn a_missing_file_is_created() {
    let file = r#"file "DIR/somefile" { content = "some new text\n" }"#;
    Timeline::new(file).lists("", &[]).changes(1).holds("somefile", TEXT).changes(0);
}

/// "absent file", "absent file pre-existing".
#[test]
fn a_file_is_removed_once() {
    let file = r#"file "DIR/somefile" { action = "remove" }"#;
    Timeline::new(file).changes(0).changes(0).lists("", &[]);
    Timeline::new(file).write("somefile", "whatever").changes(1).changes(0).lists("", &[]);
}

/// "file fragments": in the order of the list; those of a directory are sorted by name.
#[test]
fn fragments_are_put_together_in_order() {
    let file = r#"
        file "DIR/somefile" {
          content = join("", concat(
            [file("tmp/frag1")],
            [for name in fileset("tmp/fragdir1", "*") : file("tmp/fragdir1/${name}")],
            [file("tmp/frag2")],
            [for name in fileset("tmp/fragdir2", "*") : file("tmp/fragdir2/${name}")],
            [file("tmp/frag3")],
          ))
        }"#;
    let parts = [("fragdir1/f3", "3\n"), ("fragdir1/f1", "1\n"), ("fragdir1/f2", "2\n")];
    let others = [
        ("fragdir2/f2", "5\n"),
        ("fragdir2/f1", "4\n"),
        ("frag3", "c\n"),
        ("frag1", "a\n"),
        ("frag2", "b\n"),
    ];
    let timeline = Timeline::new(file).write("somefile", "whatever");
    let timeline =
        parts.iter().chain(&others).fold(timeline, |timeline, (name, text)| timeline.write(name, text));
    timeline.changes(1).holds("somefile", "a\n1\n2\n3\nb\n4\n5\nc\n").changes(0);
}

/// "copy file".
#[test]
fn a_source_is_copied_when_it_changes() {
    let file = r#"file "DIR/f2" { source = "DIR/f1" }"#;
    let timeline = Timeline::new(file).write("f1", "f1\n").changes(1).holds("f2", "f1\n").changes(0);
    timeline.write("f1", "changed\n").changes(1).holds("f2", "changed\n").changes(0);
}

/// "dir simple": an empty directory.
#[test]
fn an_empty_directory_is_created_once() {
    let timeline = Timeline::new(r#"directory "DIR/empty" {}"#).changes(1).lists("empty", &[]).changes(0);
    timeline.write("empty/stranger", "").changes(0).lists("empty", &["stranger"]);
}

/// "dir purge".
#[test]
fn a_purged_directory_loses_unmanaged_entries() {
    let directory = r#"directory "DIR/swept" { purge = true }"#;
    let timeline = Timeline::new(directory).write("swept/f1", "").write("swept/sub/f2", "").write("kept", "");
    timeline.changes(1).lists("swept", &[]).lists("", &["kept", "swept"]).changes(0);
}

/// "dir purge with others inside": managed files stay, with their parent directories.
#[test]
fn a_purged_directory_keeps_managed_entries() {
    let blocks = r#"
        directory "DIR/swept" { purge = true }
        file "DIR/swept/sub/managed" { content = "managed\n" }
        file "DIR/swept/managed" { content = "managed\n" }"#;
    let timeline =
        Timeline::new(blocks).write("swept/f1", "").write("swept/sub/f2", "").write("swept/managed", "other");
    let timeline = timeline.changes(3).lists("swept", &["managed", "sub"]).lists("swept/sub", &["managed"]);
    timeline.holds("swept/managed", "managed\n").holds("swept/sub/managed", "managed\n").changes(0);
}
