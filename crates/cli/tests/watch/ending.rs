//! How a watch ends.

use std::time::{Duration, Instant};

use uphold_testbed::isolate;

use super::session::Sandbox;

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\n";

#[test]
fn it_ends_within_a_second() {
    for signal in ["-TERM", "-INT"] {
        // On a busy machine it may take longer, so one of several has to be quick enough.
        let is_quick = (0..5).any(|_| {
            let sandbox = Sandbox::with(SITE);
            let mut session = sandbox.watching(&[]);
            let asked = Instant::now();
            session.signal(signal);
            assert_eq!(session.ended(), Some(0), "{signal}");
            asked.elapsed() < Duration::from_secs(1)
        });
        assert!(is_quick, "{signal}");
    }
}

/// A running command is ended, and its action reported.
#[test]
fn a_running_command_is_ended_too() {
    let sandbox = Sandbox::with(
        "task \"long\" {\n  check = \"test -e done\"\n  apply = \"touch begun; sleep 60; touch done\"\n}\n",
    );
    let mut session = crate::watch::session::Session::start(sandbox.command(&[]));
    while !sandbox.path("begun").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    session.signal("-TERM");
    // Enough for a busy machine, and less than any timer of a watch, for which the end must not wait.
    assert_eq!(session.ended_within(Duration::from_secs(8)), Some(1));
    assert!(
        session.printed.iter().any(|line| line.contains("was killed by signal 15")),
        "{:?}",
        session.printed
    );
}

#[test]
fn until_converged_ends_after_the_span_without_changes() {
    let sandbox = Sandbox::with(SITE);
    let began = Instant::now();
    let mut session = sandbox.watch(&["--until-converged", "700ms"]);
    assert_eq!(session.ended(), Some(0));
    assert!(began.elapsed() >= Duration::from_millis(700));
    let failing = Sandbox::with("file \"/none/x\" {}\n");
    let mut session = failing.watch(&["--until-converged", "300ms", "--max-runtime", "10s"]);
    assert_eq!(session.ended(), Some(1), "{:?}", session.printed);
}

#[test]
fn a_change_restarts_the_span() {
    let sandbox = Sandbox::with(SITE);
    // The pauses together are longer than the span, and each one is much shorter, for busy machines.
    let mut session = sandbox.watching(&["--until-converged", "2s"]);
    let began = Instant::now();
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(600));
        sandbox.write("root/a", "drift");
        session.await_line("repaired");
    }
    assert_eq!(session.ended(), Some(0));
    assert!(began.elapsed() >= Duration::from_millis(4 * 600 + 2000), "{:?}", began.elapsed());
}

#[test]
fn max_runtime_ends_the_watch() {
    let sandbox = Sandbox::with(SITE);
    let began = Instant::now();
    let mut session = sandbox.watch(&["--max-runtime", "600ms"]);
    assert_eq!(session.ended(), Some(0));
    assert!(began.elapsed() >= Duration::from_millis(600) && began.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_invalid_configuration_is_refused_at_the_start() {
    let check = |site: &str, arguments: &[&str], words: &str| {
        let sandbox = Sandbox::with(site);
        let mut session = sandbox.watch(arguments);
        assert_eq!(session.ended(), Some(1));
        assert!(session.printed.iter().any(|line| line.contains(words)), "{:?}", session.printed);
        assert!(std::fs::read_dir(sandbox.path("root")).expect("a folder").next().is_none());
    };
    check("file \"/a\" {\n  contents = 1\n}\n", &[], "nothing was changed");
    check("file \"/a\" {}\n", &["none.hcl"], "cannot read");
    check("file \"/a\" {}\n", &["--recheck", "sometimes"], "or never");
    check("file \"/a\" {}\n", &["--metrics", "nowhere"], "--metrics");
}

#[test]
fn the_unit_can_be_printed() {
    let sandbox = Sandbox::with("");
    let mut session = sandbox.watch(&["--print-unit"]);
    assert_eq!(session.ended(), Some(0));
    assert!(session.printed.iter().any(|line| line == "Type=notify"), "{:?}", session.printed);
}

/// The output of the watch is not read, as on a stopped terminal.
#[test]
fn a_blocked_reader_stops_neither_repairs_nor_the_end() {
    let names = |number: usize| format!("root/f{number}");
    let content = "0123456789abcdef\n".repeat(200);
    let files: String = (0..600)
        .map(|number| {
            format!("file \"/f{number}\" {{\n  content = \"{}\"\n}}\n", content.replace('\n', "\\n"))
        })
        .collect();
    let sandbox = Sandbox::with(&files);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut command = sandbox.command(&["--root", "root", "--plain", "-v", "site.hcl"]);
    command.stdout(writer.try_clone().expect("a pipe")).stderr(writer);
    let mut child = command.spawn().expect("it starts");
    drop(command);
    (0..600).for_each(|number| sandbox.await_content(&names(number), &content));
    sandbox.write(&names(7), "tampered");
    sandbox.await_content(&names(7), &content);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
    let until = Instant::now() + Duration::from_secs(15);
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        assert!(Instant::now() < until, "it waits for its reader");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
    drop(reader);
}

#[test]
fn the_unit_runs_the_given_command_line() {
    let sandbox = Sandbox::with("");
    let program = env!("CARGO_BIN_EXE_uphold");
    let lines = |arguments: &[&str]| -> Vec<String> {
        let mut command = std::process::Command::new(program);
        command.arg("watch").args(arguments);
        let output = isolate(&mut command, &sandbox.path("")).output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let lines = text.lines().filter(|line| line.starts_with("ExecStart=") || line.starts_with("Working"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(lines(&["--print-unit"]), [format!("ExecStart={program} watch --plain /etc/uphold")]);
    let absolute = ["--print-unit", "--metrics", "9100", "--params", "/srv/a b.yaml", "/srv/site"];
    let expected =
        format!("ExecStart={program} watch --plain --metrics 9100 --params \"/srv/a b.yaml\" /srv/site");
    assert_eq!(lines(&absolute), [expected]);
    let relative = lines(&["site.hcl", "--print-unit", "--plain"]);
    let directory = sandbox.path("").canonicalize().expect("it exists");
    let directory = format!("WorkingDirectory={}", directory.display());
    assert_eq!(relative, [format!("ExecStart={program} watch site.hcl --plain"), directory]);
    assert_eq!(lines(&["--print-unit", "-"]), Vec::<String>::new());
}
