//! `wait_file`.

use std::time::Duration;

use uphold_builtin::{WaitFile, WaitFileState};
use uphold_host::LocalHost;
use uphold_model::{Claim, Claims, Value};
use uphold_resource::{ErrorKind, Interest, Look, Resource, Step};
use uphold_testkit::MemoryHost;

use super::block::{Block, block};
use super::waiting::ready_after;

fn wait(path: &str) -> Block {
    block("wait_file").set("path", path)
}

/// The message of a wait for `/f`; empty if it is over.
fn message(block: &Block, host: &MemoryHost) -> String {
    match block.visit(&host.act()) {
        Ok(visit) => {
            assert!(!visit.changed);
            String::new()
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotYet, "{}", error.chain());
            error.chain()
        }
    }
}

#[test]
fn ends_when_the_path_has_the_state() {
    let check = |host: MemoryHost, state: &str, content: Option<&str>, expected: &str| {
        let block = wait("/f").set("state", state);
        let block = content.into_iter().fold(block, |block, pattern| block.set("content", pattern));
        assert_eq!(message(&block, &host), expected, "{state} {content:?}");
    };
    let nothing = MemoryHost::new;
    let file = |text: &str| MemoryHost::new().file("/f", text, 0o644);
    check(nothing(), "present", None, "/f does not exist yet");
    check(nothing(), "absent", None, "");
    check(file(""), "present", None, "");
    check(file(""), "absent", None, "/f still exists");
    check(MemoryHost::new().directory("/f", 0o755), "present", None, "");
    check(MemoryHost::new().link("/f", "/nowhere"), "present", None, "");

    let ready = Some("^ready$");
    check(nothing(), "present", ready, "/f does not exist yet");
    check(nothing(), "absent", ready, "");
    check(file("starting\n"), "present", ready, "no line of /f matches `content` yet");
    check(file("starting\n"), "absent", ready, "");
    check(file("starting\nready\n"), "present", ready, "");
    check(file("ready"), "present", ready, "");
    check(file("ready\r\n"), "present", ready, "");
    check(file("already\n"), "present", ready, "no line of /f matches `content` yet");
    check(file("ready\n"), "absent", ready, "a line of /f still matches `content`");
    check(file("a\n"), "present", Some("^$"), "no line of /f matches `content` yet");
}

#[test]
fn notices_creation_growth_and_removal() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("log").to_str().expect("a plain path").to_owned();
    let block = |state: &str| wait(&path).set("state", state).set("every", "10ms");
    let run = |script: &str| {
        let task =
            crate::commands::block::block("task").set("apply", format!("{script} {path}")).action("run");
        move || task.visit(&LocalHost::new().machine().act()).expect("it runs").changed
    };
    let host = LocalHost::new().machine();
    assert!(ready_after(run("echo starting >"), &block("present"), &host.act()));
    assert!(ready_after(run("echo ready >>"), &block("present").set("content", "^ready"), &host.act()));
    assert!(ready_after(run("rm"), &block("absent"), &host.act()));
}

#[test]
fn content_needs_a_regular_file() {
    let check = |host: MemoryHost, what: &str| {
        let error = wait("/f").set("content", "x").error(&host.act());
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::WrongType, what));
        assert_eq!(error.advice(), Some("remove `content`, or use the path of the file itself"));
    };
    check(MemoryHost::new().directory("/f", 0o755), "/f is a directory, not a regular file");
    check(MemoryHost::new().link("/f", "/g"), "/f is a symbolic link, not a regular file");
}

/// It depends on the resource that creates the path, and claims nothing: another resource may manage the same path.
#[test]
fn depends_on_the_resource_of_the_path() {
    let check = |block: Block, needs: Vec<Claim>| {
        let instance = block.decode(&MemoryHost::new().act()).expect("sound");
        assert_eq!(instance.claims(), Claims { needs, ..Claims::default() });
        assert_eq!(instance.interests(&MemoryHost::new().act()), [Interest::Path("/srv/f".into())]);
    };
    check(wait("/srv/f"), vec![Claim::Path("/srv/f".into())]);
    check(wait("/srv/f").set("content", "x"), vec![Claim::Path("/srv/f".into())]);
    check(wait("/srv/f").set("state", "absent"), vec![]);
}

#[test]
fn refuses_invalid_properties() {
    let check = |block: Block, problem: &str| {
        let found = block.decode(&MemoryHost::new().act()).err().expect("a problem");
        assert!(found.starts_with(problem), "{found}");
    };
    check(block("wait_file").label("run/app.pid"), "`path` = \"run/app.pid\" must be an absolute path");
    check(wait("/f").set("content", "("), "`content` = \"(\" is not a regular expression");
    check(wait("/f").set("every", Value::Int(0)), "`every` = \"0s\" must be longer than 0s");
    check(wait("/f").set("state", "gone"), "`state` = \"gone\" must be one of \"present\", \"absent\"");
}

#[test]
fn changes_nothing() {
    let host = MemoryHost::new();
    let wait = WaitFile::named("/f").expect("a path");
    assert_eq!(
        wait.load(&Look::to_read(&host.act())).map(drop).expect_err("it waits").retry_after(),
        Some(Duration::from_secs(1))
    );
    assert!(host.writes().is_empty());
    let error =
        wait.apply(Step::Remove { current: &WaitFileState {} }, &host.act()).expect_err("it is read-only");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}
