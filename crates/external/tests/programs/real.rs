//! Real programs on this machine.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use uphold_host::LocalHost;
use uphold_resource::{Definition, ErrorKind};

use super::stage::{Block, kind, manifest};

/// Stores a text in a file; `path` and `text` are environment variables.
const NOTE: &str = r#"#!/bin/sh
case "$1" in
get) if [ -e "$path" ]; then printf '{"path":"%s","text":"%s"}\n' "$path" "$(cat "$path")"
     else echo '{"_exist":false}'; fi ;;
set) printf %s "$text" > "$path" ;;
delete) rm "$path" ;;
pwd) pwd > pwd; echo '{}' ;;
sleep) sleep 60 ;;
esac
"#;

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let program = directory.path().join("keep-note");
        // A child writes it: another test's child could inherit a file that this process has open for writing, and
        // this program would be "text file busy".
        let mut install = Command::new("install");
        install.args(["-m", "755", "/dev/stdin"]).arg(&program).stdin(Stdio::piped());
        let mut install = install.spawn().expect("`install` runs");
        install.stdin.take().expect("piped").write_all(NOTE.as_bytes()).expect("written");
        assert!(install.wait().expect("it is a child process").success());
        Self { directory }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    fn kind(&self, get: &str, more: &Json) -> Arc<dyn Definition> {
        let method =
            |operation: &str| json!({ "executable": "keep-note", "args": [operation], "input": "env" });
        let mut methods = json!({ "get": method(get), "set": method("set"), "delete": method("delete") });
        methods.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        kind(&manifest(methods), self.directory.path(), &LocalHost::new().machine().act())
    }
}

#[test]
fn rule_1_a_program_beside_its_manifest_creates_changes_and_removes() {
    let place = Place::new();
    let host = LocalHost::new().machine();
    let kind = place.kind("get", &json!({}));
    let file = place.path("note");
    let block = |text: &str| Block::of(&kind, file.to_str().expect("plain")).set("text", text);
    assert!(!block("a").observe(&host.act()).expect("it loads").exists);
    for text in ["a", "b b"] {
        block(text).apply(&host.act()).expect("it is written");
        assert_eq!(std::fs::read_to_string(&file).expect("it exists"), text);
        assert!(block(text).observe(&host.act()).expect("it loads").converged);
    }
    block("b b").removed().apply(&host.act()).expect("it is removed");
    assert!(!file.exists());
    assert!(block("b b").removed().observe(&host.act()).expect("it loads").converged);
}

#[test]
fn rule_1_programs_of_the_path_come_first() {
    let place = Place::new();
    std::fs::write(place.path("sh"), "exit 1").expect("written");
    let script = format!("{} pwd", place.path("keep-note").display());
    let get = json!({ "get": { "executable": "sh", "args": ["-c", script] } });
    let kind = place.kind("get", &get);
    Block::of(&kind, "/a").observe(&LocalHost::new().machine().act()).expect("the real shell");
    let there = std::fs::read_to_string(place.path("pwd")).expect("it ran beside its manifest");
    assert_eq!(Path::new(there.trim()), place.directory.path().canonicalize().expect("it exists"));
}

#[test]
fn slow_programs_are_killed() {
    let place = Place::new();
    let kind = place.kind("sleep", &json!({ "metadata": { "uphold": { "timeout": "100ms" } } }));
    let error = Block::of(&kind, "/a").error(&LocalHost::new().machine().act());
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

#[test]
fn a_missing_program_is_named() {
    let place = Place::new();
    let kind = place.kind("get", &json!({ "get": { "executable": "no-such-program-here" } }));
    let error = Block::of(&kind, "/a").error(&LocalHost::new().machine().act());
    let expected = "cannot `get` Example.Area/Note: cannot run no-such-program-here: no such program in PATH";
    assert_eq!(error.chain(), expected);
}

#[test]
fn below_another_root_the_program_must_be_inside() {
    let place = Place::new();
    let root = tempfile::tempdir().expect("a directory");
    let host = LocalHost::rooted(root.path()).expect("a root").machine();
    let error = Block::of(&place.kind("get", &json!({})), "/a").error(&host.act());
    assert!(error.chain().contains("the directory of its manifest"), "{}", error.chain());
    assert!(error.advice().expect("advice").contains("--root"));
}
