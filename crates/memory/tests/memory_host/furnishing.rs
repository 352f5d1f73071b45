//! Fixtures and answers.

use std::path::Path;

use uphold_memory::{Answer, Fixture, MemoryHost};
use uphold_resource::{Command, Exit, Files, Probes};

fn file(content: &str) -> Fixture {
    Fixture::File(content.as_bytes().to_vec())
}

#[test]
fn creates_parent_directories() {
    let host = MemoryHost::new();
    host.furnish(Path::new("/a/b/c"), file("x"), 0o600, 7, 8).expect("a file");
    let entry = host.look(Path::new("/a/b/c")).expect("it can be read").expect("it exists");
    assert_eq!((entry.mode, entry.uid, entry.gid), (0o600, 7, 8));
    let above = host.look(Path::new("/a/b")).expect("it can be read").expect("it exists");
    assert_eq!((above.mode, above.uid), (0o755, 0));
    assert!(host.writes().is_empty(), "nothing of it is in the journal");
}

#[test]
fn an_existing_directory_keeps_its_content() {
    let host = MemoryHost::new();
    host.furnish(Path::new("/a/b"), file("x"), 0o600, 0, 0).expect("a file");
    host.furnish(Path::new("/a"), Fixture::Directory, 0o700, 1, 1).expect("a directory");
    assert_eq!(host.look(Path::new("/a")).expect("it can be read").map(|entry| entry.mode), Some(0o700));
    assert_eq!(host.read(Path::new("/a/b"), 0).expect("it still exists"), b"x");
}

#[test]
fn refuses_impossible_fixtures() {
    let host = MemoryHost::new();
    host.furnish(Path::new("/f"), file("x"), 0o600, 0, 0).expect("a file");
    let check = |path: &str, what: Fixture, expected: &str| {
        let error = host.furnish(Path::new(path), what, 0o600, 0, 0).expect_err("it is impossible");
        assert!(error.chain().contains(expected), "{}", error.chain());
    };
    check("f", file(""), "f is not absolute");
    check("/f", file(""), "/f exists already: a regular file");
    check("/f", Fixture::Directory, "/f exists already: a regular file");
    check("/f/g", file(""), "/f");
}

#[test]
fn answers_by_the_full_line_before_its_beginning() {
    let host = MemoryHost::new();
    let prints = |text: &str| Answer { stdout: text.into(), ..Answer::default() };
    host.answer("systemctl *", prints("some"));
    host.answer("systemctl is-active *", prints("more"));
    host.answer("systemctl  is-active nginx", Answer { status: Some(3), ..prints("all") });
    host.answer("ls | wc -l", prints("7"));
    host.answer("echo hi", prints("not hi"));
    let check = |command: Command, expected: (i32, &str)| {
        let output = host.probe(&command).expect("it starts");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!((output.exit, &*text), (Exit::Code(expected.0), expected.1), "{command:?}");
    };
    check(Command::new("systemctl", ["is-active", "nginx"]), (3, "all"));
    check(Command::shell("systemctl is-active nginx"), (3, "all"));
    check(Command::shell("systemctl is-active 'nginx' || echo no"), (0, "allno\n"));
    check(Command::new("systemctl", ["is-active", "sshd"]), (0, "more"));
    check(Command::new("systemctl", ["start", "nginx"]), (0, "some"));
    check(Command::shell("ls | wc -l\n"), (0, "7"));
    check(Command::shell("echo hi && echo ho"), (0, "not hiho\n"));
    assert_eq!(host.unanswered(), []);
    assert_eq!(host.answered().len(), 7);
}

#[test]
fn records_unanswered_commands() {
    let host = MemoryHost::new();
    host.answer("systemctl *", Answer::default());
    assert!(host.probe(&Command::new("systemctlx", [""; 0])).is_err());
    let output = host.probe(&Command::shell("true && nginx -t")).expect("the shell starts");
    assert_eq!(output.exit, Exit::Code(127));
    _ = host.probe(&Command::shell("a | b"));
    _ = host.probe(&Command { secret_script: true, ..Command::shell("deploy --token hunter2") });
    let found: Vec<String> = host.unanswered().iter().map(ToString::to_string).collect();
    assert_eq!(found, ["a | b", "(sensitive value)", "nginx -t", "systemctlx"]);
}

#[test]
fn an_answer_runs_its_script() {
    let host = MemoryHost::new();
    let does = |script: &str| Answer { does: Some(script.to_owned()), ..Answer::default() };
    host.answer("start", does("touch /running"));
    host.answer("status", does("test -e /running"));
    let run = |line: &str| host.probe(&Command::shell(line)).expect("it starts").exit;
    assert_eq!(run("status"), Exit::Code(1));
    assert_eq!(run("start"), Exit::Code(0));
    assert_eq!(run("status"), Exit::Code(0));
}

#[test]
fn an_answer_that_runs_itself_ends() {
    let host = MemoryHost::new();
    host.answer("a", Answer { does: Some("b".to_owned()), ..Answer::default() });
    host.answer("b", Answer { does: Some("a".to_owned()), ..Answer::default() });
    assert_eq!(host.probe(&Command::shell("a")).expect("it starts").exit, Exit::Code(126));
}
