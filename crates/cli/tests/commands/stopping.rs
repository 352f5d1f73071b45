//! Signals to a running apply.

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::sandbox::{Ran, Sandbox};

const LONG: &str =
    "task \"long\" {\n  check = \"test -e done\"\n  apply = \"touch begun; sleep 60; touch done\"\n}\n";

/// A script that survives SIGTERM, and so does its child. The file `asked` shows that it got the signal.
const DEAF: &str = r#"
task "deaf" {
  check = "test -e done"
  apply = "trap 'touch asked' TERM; (trap '' TERM; exec sleep 60) & touch begun; until wait $!; do :; done"
}
"#;

const REST: &str = "log \"after\" {\n  depends_on = [task.long]\n}\nlog \"free\" {}\n";

/// Starts a run with one job, and waits until its first task has begun.
fn begun(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let child = started(sandbox, &[arguments, &["--jobs", "1"]].concat());
    await_file(sandbox, "begun");
    child
}

fn started(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn await_file(sandbox: &Sandbox, name: &str) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !sandbox.path(name).exists() {
        assert!(Instant::now() < limit, "there is no file `{name}`");
        sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

fn ended(sandbox: &Sandbox, child: Child) -> Ran {
    sandbox.ran(&child.wait_with_output().expect("it ends"))
}

/// The first signal ends the script and skips the rest, all of which is reported. The next run continues.
#[test]
fn the_first_signal_stops_gracefully() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let sandbox = Sandbox::with(format!("{LONG}{REST}"));
        let child = begun(&sandbox, &["apply", "--report", "report.json"]);
        signal(&child, name);
        let ran = ended(&sandbox, child);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("task.long: `apply` was killed by signal 15"), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches("skipped because the run was stopped").count(), 2, "{}", ran.stderr);
        assert!(ran.stdout.contains("1 failed, 2 skipped"), "{}", ran.stdout);
        assert!(!sandbox.path("done").exists());
        assert!(sandbox.read("report.json").contains("\"skip_reason\": \"stopped\""));
        sandbox.write("site.hcl", format!("{}{REST}", LONG.replace("sleep 60", "sleep 0")));
        let again = sandbox.run(&["apply", "--jobs", "1"]);
        assert_eq!((again.code, &*again.stderr), (Some(0), ""), "{}", again.stdout);
        assert!(sandbox.path("done").exists());
    }
}

/// A script that survives SIGTERM is killed after a grace of two seconds; a second signal kills it at once. On a busy
/// machine a run may take longer, so one of several has to be quicker than the grace.
#[test]
fn the_second_signal_kills_and_the_report_is_still_printed() {
    let is_quick = (0..5).any(|_| second_signal_kills() < Duration::from_millis(1900));
    assert!(is_quick, "two seconds are the grace of the first signal");
}

/// The time from the first signal to the end.
fn second_signal_kills() -> Duration {
    let sandbox = Sandbox::with(format!("{DEAF}{}", REST.replace("long", "deaf")));
    let child = begun(&sandbox, &["apply", "--report", "report.xml"]);
    let first = Instant::now();
    signal(&child, "-INT");
    await_file(&sandbox, "asked");
    signal(&child, "-INT");
    let ran = ended(&sandbox, child);
    let elapsed = first.elapsed();
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("task.deaf: `apply` was killed by signal 9"), "{}", ran.stderr);
    assert!(ran.stderr.contains("log.free   (skipped because the run was stopped"), "{}", ran.stderr);
    assert!(ran.stdout.contains("1 failed, 2 skipped"), "{}", ran.stdout);
    assert!(sandbox.read("report.xml").contains("failures=\"1\" errors=\"0\" skipped=\"2\""));
    elapsed
}

#[test]
fn a_script_that_survives_sigterm_is_killed_after_the_grace() {
    let sandbox = Sandbox::with(DEAF);
    let child = begun(&sandbox, &["apply"]);
    signal(&child, "-INT");
    let ran = ended(&sandbox, child);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("`apply` was killed by signal 9"), "{}", ran.stderr);
}

/// No child of a command outlives it.
#[test]
fn no_child_is_left_behind() {
    // A unique duration: another run of this test may be active on the same machine.
    let marker = format!("sleep {}", 100_000 + std::process::id());
    let site = DEAF.replace("sleep 60", &marker);
    let sandbox = Sandbox::with(site);
    let child = begun(&sandbox, &["apply"]);
    signal(&child, "-INT");
    await_file(&sandbox, "asked");
    signal(&child, "-INT");
    assert_eq!(ended(&sandbox, child).code, Some(1));
    // A killed process may take a moment to end on a busy machine.
    let until = Instant::now() + Duration::from_secs(20);
    while is_running(&marker) {
        assert!(Instant::now() < until, "`{marker}` still runs");
        sleep(Duration::from_millis(20));
    }
}

fn is_running(command: &str) -> bool {
    let all = Command::new("sh").args(["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"]).output();
    String::from_utf8_lossy(&all.expect("a shell").stdout).contains(command)
}

/// With more jobs than tasks, idle workers end as well.
#[test]
fn a_signal_ends_several_jobs() {
    let task = |n| {
        LONG.replace("\"long\"", &format!("\"long{n}\"")).replace("touch begun", &format!("touch begun{n}"))
    };
    let sandbox = Sandbox::with((0..3).map(task).collect::<String>());
    let child = started(&sandbox, &["apply", "--jobs", "4"]);
    (0..3).for_each(|n| await_file(&sandbox, &format!("begun{n}")));
    signal(&child, "-TERM");
    let ran = ended(&sandbox, child);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("3 failed, 0 skipped"), "{}", ran.stdout);
}

/// Waiting for the next attempt, or for a condition, ends at once.
#[test]
fn a_signal_ends_waiting() {
    let retry = "task \"again\" {\n  check = \"false\"\n  apply = \"touch begun; exit 3\"\n  retry = { times = 9, delay = \"60s\" }\n}\n";
    let wait = "task \"first\" {\n  check = \"test -e begun\"\n  apply = \"touch begun\"\n}\n\
                log \"last\" {\n  depends_on = [task.first]\n  not_until  = { command = \"false\", every = \"60s\" }\n}\n";
    for (site, waits, jobs) in [
        (retry, "next attempt in", "1"),
        (retry, "next attempt in", "4"),
        (wait, "waiting", "1"),
        (wait, "waiting", "4"),
    ] {
        let sandbox = Sandbox::with(site);
        let mut command = sandbox.command(&["apply", "-v", "--jobs", jobs]);
        let stderr = File::create(sandbox.path("stderr")).expect("a file");
        let child = command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("it starts");
        let limit = Instant::now() + Duration::from_secs(60);
        while !sandbox.read("stderr").contains(waits) {
            assert!(Instant::now() < limit, "{}", sandbox.read("stderr"));
            sleep(Duration::from_millis(10));
        }
        let asked = Instant::now();
        signal(&child, "-INT");
        let ran = ended(&sandbox, child);
        assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, sandbox.read("stderr"));
        assert!(ran.stdout.contains("Applied: "), "{}", ran.stdout);
    }
}

/// The exit code of a guard or check that the signal ended is ignored, so that no action follows from it.
#[test]
fn a_guard_that_a_signal_ended_starts_nothing() {
    let file = |guard: &str| format!("task \"t\" {{\n  {guard}\n  apply = \"touch made\"\n}}\n");
    let asks = "\"touch begun; sleep 60\"";
    for text in [
        file(&format!("creates = \"made\"\n  dir = \"/\"\n  not_if = {asks}")),
        file(&format!("creates = \"made\"\n  dir = \"/\"\n  only_if = {asks}")),
        file(&format!("check = {asks}")),
    ] {
        let sandbox = Sandbox::with(&text);
        let child = begun(&sandbox, &["apply"]);
        signal(&child, "-INT");
        let ran = ended(&sandbox, child);
        assert_eq!(ran.code, Some(1), "{text}{}", ran.stdout);
        assert!(ran.stderr.contains("skipped because the run was stopped"), "{text}{}", ran.stderr);
        assert!(!sandbox.path("made").exists(), "{text}");
    }
}

/// A sparse file costs its owner nothing, and takes hours to read.
const HUGE: [(&str, &str); 2] = [("gzip", "source = \"/huge\""), ("tar", "inputs = [\"/huge\"]")];

fn with_huge_file((kind, properties): (&str, &str), more: &str) -> Sandbox {
    let block = format!("{kind} \"/made\" {{\n  {properties}\n  {more}\n}}\n");
    let sandbox = Sandbox::with(format!("{block}log \"after\" {{\n  depends_on = [{kind}[\"/made\"]]\n}}\n"));
    let huge = File::create(sandbox.path("root/huge")).expect("a file");
    huge.set_len(1 << 40).expect("a sparse file");
    sandbox
}

#[test]
fn a_timeout_ends_the_reading_of_a_huge_file() {
    for kind in HUGE {
        let sandbox = with_huge_file(kind, "timeout = \"300ms\"");
        let ran = sandbox.rooted(&["apply"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("it took longer than its `timeout`"), "{}", ran.stderr);
        assert!(!sandbox.path("root/made").exists());
    }
}

#[test]
fn a_signal_ends_the_reading_of_a_huge_file() {
    for kind in HUGE {
        let sandbox = with_huge_file(kind, "");
        let child = started(&sandbox, &["apply", "--root", "root", "--jobs", "1"]);
        await_open(&child, &sandbox.path("root/huge"));
        signal(&child, "-TERM");
        let ran = ended(&sandbox, child);
        assert!(ran.stderr.contains("skipped because the run was stopped"), "{}", ran.stderr);
        assert!(!sandbox.path("root/made").exists());
    }
}

/// Waits until a process has opened a file.
fn await_open(child: &Child, path: &Path) {
    let limit = Instant::now() + Duration::from_secs(60);
    let is_open = || {
        let handles = fs::read_dir(format!("/proc/{}/fd", child.id())).expect("its open files");
        handles.flatten().any(|handle| fs::read_link(handle.path()).is_ok_and(|open| open == path))
    };
    while !is_open() {
        assert!(Instant::now() < limit, "{} is not opened", path.display());
        sleep(Duration::from_millis(10));
    }
}

/// Nothing was begun, so that there is nothing to end gracefully.
#[test]
fn a_signal_ends_the_wait_for_a_pipe() {
    let commands: [&[&str]; 4] = [
        &["apply", "pipe"],
        &["apply", "--params", "pipe", "site.hcl"],
        &["watch", "--socket", "none", "pipe"],
        &["watch", "--socket", "none", "--params", "pipe", "site.hcl"],
    ];
    for command in commands {
        let sandbox = Sandbox::with("log \"a\" {}\n");
        let made = Command::new("mkfifo").arg(sandbox.path("pipe")).status();
        assert!(made.expect("mkfifo runs").success());
        let mut child = started(&sandbox, &[command, &["--root", "root"]].concat());
        let writer = await_reader(&sandbox, "pipe");
        signal(&child, "-TERM");
        assert_eq!(child.wait().expect("it ends").signal(), Some(15), "{command:?}");
        drop(writer);
    }
}

/// Opens a pipe for writing, as soon as something reads it.
fn await_reader(sandbox: &Sandbox, name: &str) -> File {
    let limit = Instant::now() + Duration::from_secs(60);
    let non_blocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).expect("a flag");
    loop {
        match File::options().write(true).custom_flags(non_blocking).open(sandbox.path(name)) {
            Ok(file) => return file,
            Err(error) => assert!(Instant::now() < limit, "nothing reads `{name}`: {error}"),
        }
        sleep(Duration::from_millis(10));
    }
}
