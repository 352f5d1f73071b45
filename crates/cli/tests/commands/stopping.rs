//! Ctrl-C: real signals to a real run.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::ground::{Ground, Ran};

const LONG: &str =
    "task \"long\" {\n  check = \"test -e done\"\n  apply = \"touch begun; sleep 60; touch done\"\n}\n";

/// It does not end when it is asked to, and neither does what it starts.
const DEAF: &str = r#"
task "deaf" {
  check = "test -e done"
  apply = "trap '' TERM; touch begun; sleep 60; sleep 60"
}
"#;

const REST: &str = "log \"after\" {\n  depends_on = [task.long]\n}\nlog \"free\" {}\n";

/// A run that has begun its first task.
fn begun(ground: &Ground, arguments: &[&str]) -> Child {
    let mut command = ground.command(&[arguments, &["--jobs", "1"]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !ground.path("begun").exists() {
        sleep(Duration::from_millis(10));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

fn ended(ground: &Ground, child: Child) -> Ran {
    ground.ran(&child.wait_with_output().expect("it ends"))
}

/// The first signal ends kindly: the script is ended, the rest is skipped, and all of it is told. The next run goes on.
#[test]
fn the_first_signal_ends_kindly() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let ground = Ground::with(format!("{LONG}{REST}"));
        let child = begun(&ground, &["apply", "--report", "report.json"]);
        signal(&child, name);
        let ran = ended(&ground, child);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("task.long: `apply` was killed by signal 15"), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches("skipped because the run was stopped").count(), 2, "{}", ran.stderr);
        assert!(ran.stdout.contains("1 failed, 2 skipped"), "{}", ran.stdout);
        assert!(!ground.path("done").exists());
        assert!(ground.read("report.json").contains("\"skip_reason\": \"stopped\""));
        ground.write("site.hcl", format!("{}{REST}", LONG.replace("sleep 60", "sleep 0")));
        let again = ground.run(&["apply", "--jobs", "1"]);
        assert_eq!((again.code, &*again.stderr), (Some(0), ""), "{}", again.stdout);
        assert!(ground.path("done").exists());
    }
}

/// What does not end when it is asked to is killed after a while; a second signal does not wait for that.
#[test]
fn the_second_signal_kills_and_the_report_is_printed_all_the_same() {
    let ground = Ground::with(format!("{DEAF}{}", REST.replace("long", "deaf")));
    let child = begun(&ground, &["apply", "--report", "report.xml"]);
    let first = Instant::now();
    signal(&child, "-INT");
    sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    let ran = ended(&ground, child);
    assert!(first.elapsed() < Duration::from_millis(1900), "two seconds are the grace of the first");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("task.deaf: `apply` was killed by signal 9"), "{}", ran.stderr);
    assert!(ran.stderr.contains("log.free   (skipped because the run was stopped"), "{}", ran.stderr);
    assert!(ran.stdout.contains("1 failed, 2 skipped"), "{}", ran.stdout);
    assert!(ground.read("report.xml").contains("failures=\"1\" errors=\"0\" skipped=\"2\""));
}

#[test]
fn what_is_deaf_is_killed_after_the_grace() {
    let ground = Ground::with(DEAF);
    let child = begun(&ground, &["apply"]);
    signal(&child, "-INT");
    let ran = ended(&ground, child);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("`apply` was killed by signal 9"), "{}", ran.stderr);
}

/// Nothing that a command started outlives it.
#[test]
fn no_child_is_left_behind() {
    // A duration of its own: another run of this test may be under way on the same machine.
    let marker = format!("sleep {}", 100_000 + std::process::id());
    let site = DEAF.replace("touch begun; sleep 60", &format!("{marker} & touch begun; sleep 60"));
    let ground = Ground::with(site);
    let child = begun(&ground, &["apply"]);
    signal(&child, "-INT");
    sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    assert_eq!(ended(&ground, child).code, Some(1));
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

/// With more jobs than tasks, those that only wait for work end as well.
#[test]
fn several_jobs_end_too() {
    let tasks: String = (0..3).map(|n| LONG.replace("\"long\"", &format!("\"long{n}\""))).collect();
    let ground = Ground::with(tasks);
    let mut command = ground.command(&["apply", "--jobs", "4"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !ground.path("begun").exists() {
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(200));
    signal(&child, "-TERM");
    let ran = ended(&ground, child);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("3 failed, 0 skipped"), "{}", ran.stdout);
}

/// What waits for its next try, or for something that may never come, gives up at once.
#[test]
fn waiting_ends_too() {
    let retry = "task \"again\" {\n  check = \"false\"\n  apply = \"touch begun; exit 3\"\n  retry = { times = 9, delay = \"60s\" }\n}\n";
    let wait = "task \"first\" {\n  check = \"test -e begun\"\n  apply = \"touch begun\"\n}\n\
                log \"last\" {\n  depends_on = [task.first]\n  not_until  = { command = \"false\", every = \"60s\" }\n}\n";
    for (site, jobs) in [(retry, "1"), (retry, "4"), (wait, "1"), (wait, "4")] {
        let ground = Ground::with(site);
        let mut command = ground.command(&["apply", "--jobs", jobs]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        while !ground.path("begun").exists() {
            sleep(Duration::from_millis(10));
        }
        sleep(Duration::from_millis(300));
        let asked = Instant::now();
        signal(&child, "-INT");
        let ran = ended(&ground, child);
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("Applied: "), "{}", ran.stdout);
    }
}

/// The end of a guard or a check that was ended with the run is no answer: nothing is begun because of it.
#[test]
fn what_was_asked_when_the_run_was_ended_has_no_answer() {
    let file = |guard: &str| format!("task \"t\" {{\n  {guard}\n  apply = \"touch made\"\n}}\n");
    let asks = "\"touch begun; sleep 60\"";
    for text in [
        file(&format!("creates = \"made\"\n  dir = \"/\"\n  not_if = {asks}")),
        file(&format!("creates = \"made\"\n  dir = \"/\"\n  only_if = {asks}")),
        file(&format!("check = {asks}")),
    ] {
        let ground = Ground::with(&text);
        let child = begun(&ground, &["apply"]);
        signal(&child, "-INT");
        let ran = ended(&ground, child);
        assert_eq!(ran.code, Some(1), "{text}{}", ran.stdout);
        assert!(ran.stderr.contains("skipped because the run was stopped"), "{text}{}", ran.stderr);
        assert!(!ground.path("made").exists(), "{text}");
    }
}
