//! The output of commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::{Duration, Instant};

use uphold_host::LocalHost;
use uphold_resource::{Command, ErrorKind, Interest, WatchEvent, Watchers};

use super::alone::{is_alone, once_more, this_program};
use super::scene::{Scene, none};

/// The directory of the scene, for a test in its own process.
const PLACE: &str = "UPHOLD_TEST_PLACE";

const TIMEOUT: Duration = Duration::from_secs(20);

/// The text of a file, once it has one.
fn text(path: &Path) -> String {
    until(|| fs::read_to_string(path).ok().filter(|text| text.ends_with('\n')), "the file was not written")
}

fn until<T>(mut find: impl FnMut() -> Option<T>, otherwise: &str) -> T {
    let end = Instant::now() + TIMEOUT;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < end, "{otherwise}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the process exists and is not a zombie.
fn runs(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

/// A command that writes its process id to `pid`, and prints its input from `fifo`.
fn parrot(scene: &Scene, first: &str) -> (Command, fs::File) {
    let fifo = scene.path("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
    let script = format!("{first} echo $$ >\"$1\"; exec cat \"$2\"");
    let paths = [scene.path("pid"), fifo.clone()].map(|path| path.into_os_string().into_string().unwrap());
    let arguments = ["-c".to_owned(), script, "sh".to_owned()].into_iter().chain(paths);
    let voice = fs::File::options().read(true).write(true).open(fifo).unwrap();
    (Command::new("/bin/sh", arguments), voice)
}

#[test]
fn reports_each_complete_line() {
    let scene = Scene::new();
    let (command, mut voice) = parrot(&scene, "");
    scene.watch(1, Interest::Lines(command.clone()));
    text(&scene.path("pid"));
    assert_eq!(scene.tokens(), none());
    voice.write_all(b"a line\n").unwrap();
    let expected = WatchEvent::Changed { token: 1, what: Interest::Lines(command) };
    assert_eq!(scene.next(TIMEOUT), [expected]);
    voice.write_all(b"half a").unwrap();
    assert_eq!(scene.next(Duration::from_millis(100)), []);
    voice.write_all(b" line\nand more").unwrap();
    assert_eq!(scene.next(TIMEOUT).len(), 1);
}

#[test]
fn many_tokens_watch_one_command() {
    let scene = Scene::new();
    let (command, mut voice) = parrot(&scene, "");
    scene.watch(1, Interest::Lines(command.clone()));
    scene.watch(2, Interest::Lines(command.clone()));
    let process = text(&scene.path("pid"));
    voice.write_all(b"x\n").unwrap();
    assert_eq!(scene.next(TIMEOUT).len(), 2);
    scene.watcher.arm(1, &[]).unwrap();
    assert!(runs(&process));
    voice.write_all(b"x\n").unwrap();
    assert_eq!(scene.next(TIMEOUT).len(), 1);
    scene.watcher.arm(2, &[]).unwrap();
    until(|| (!runs(&process)).then_some(()), "it still runs");
}

/// Disarmed or dropped, with or without SIGTERM, the command ends and is reaped.
#[test]
fn leaves_no_process_behind() {
    for first in ["", "trap '' TERM;"] {
        let scene = Scene::new();
        let (command, _voice) = parrot(&scene, first);
        scene.watch(1, Interest::Lines(command.clone()));
        let process = text(&scene.path("pid"));
        scene.watcher.arm(1, &[]).unwrap();
        let gone = || {
            scene.watcher.wait(Some(Duration::from_millis(10)));
            scene.tokens();
            (!Path::new("/proc").join(process.trim()).exists()).then_some(())
        };
        until(gone, "disarmed, it still runs");

        fs::remove_file(scene.path("pid")).unwrap();
        scene.watch(1, Interest::Lines(command));
        let process = text(&scene.path("pid"));
        drop(scene.watcher);
        assert!(!Path::new("/proc").join(process.trim()).exists(), "dropped, it still runs");
    }
}

#[test]
fn restarts_a_command_that_ended() {
    let scene = Scene::new();
    let starts = scene.path("starts");
    let command = Command::shell(format!("echo started >>{}", starts.display()));
    scene.watch(1, Interest::Lines(command.clone()));
    let blind = scene.next(TIMEOUT);
    assert!(matches!(blind[..], [WatchEvent::Blind { token: 1, .. }]), "{blind:?}");
    assert!(scene.watcher.arm(1, &[Interest::Lines(command)]).is_err(), "it does not run now");
    let again = scene.next(TIMEOUT);
    assert!(matches!(again[..], [WatchEvent::Changed { token: 1, .. }]), "{again:?}");
    until(|| (fs::read_to_string(&starts).unwrap().lines().count() == 2).then_some(()), "not started again");
    assert_eq!(
        scene.next(Duration::from_millis(500)),
        [],
        "it is reported once, and the next delay is longer"
    );
}

#[test]
fn reports_a_command_that_cannot_start() {
    let scene = Scene::new();
    let program = scene.path("program");
    let command = Command::new(program.to_str().unwrap(), ["x"]);
    let error = scene.watcher.arm(1, &[Interest::Lines(command.clone())]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    std::os::unix::fs::symlink("/bin/cat", &program).unwrap();
    scene.write("x", "");
    let reports = scene.next(TIMEOUT);
    assert!(matches!(reports[0], WatchEvent::Changed { token: 1, .. }), "{reports:?}");
}

#[test]
fn passes_standard_input() {
    let scene = Scene::new();
    let long = vec![b'x'; 1 << 20];
    let (count, out) = (long.len(), scene.path("out"));
    let script = format!("wc -c >{}; echo; sleep 60", out.display());
    scene.watch(1, Interest::Lines(Command { stdin: Some(long), ..Command::shell(script) }));
    assert_eq!(scene.next(TIMEOUT).len(), 1);
    assert_eq!(text(&out).trim(), count.to_string());
}

/// Kills the watching process, so that it can do nothing itself.
#[test]
fn a_command_does_not_outlive_the_watcher() {
    let test = "lines::a_command_does_not_outlive_the_watcher";
    if is_alone(test) {
        return watch_until_killed();
    }
    let scene = Scene::new();
    let mut listener = once_more(test, Process::new(this_program()))
        .env(PLACE, scene.top())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let process = text(&scene.path("pid"));
    // The guard needs a moment to start.
    std::thread::sleep(Duration::from_millis(500));
    assert!(runs(&process));
    listener.kill().unwrap();
    listener.wait().unwrap();
    until(|| (!runs(&process)).then_some(()), "it outlived us");
}

fn watch_until_killed() {
    let place = PathBuf::from(std::env::var_os(PLACE).unwrap());
    let watcher = LocalHost::new().watcher().unwrap();
    let script = format!("echo $$ >{}/pid; while :; do sleep 60; done", place.display());
    watcher.arm(1, &[Interest::Lines(Command::shell(script))]).unwrap();
    std::thread::sleep(TIMEOUT * 2);
}
